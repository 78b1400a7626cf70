// SPDX-License-Identifier: Apache-2.0
// The files of tests/data/documents through the helper program, against golden text that was read by people (golden/) or is what the
// files were made from (encodings/). PAL_UPDATE_GOLDEN=1 writes golden/ anew and fails: read what it wrote.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/contains.h"
#include "tests/support/sanitizer.h"
#include "tests/support/temp_folder.h"
#include "tests/support/text_pdf.h"
#include "vision/documents/document_reader.h"

namespace pal {
namespace {

using test::contains;
using test::readText;
using test::TempFolder;
using test::writeText;

const std::filesystem::path kFolder = "tests/data/documents";

DocumentOptions options() {
    DocumentOptions out;
    out.helper = PAL_EXTRACT;
    return out;
}

Result<Document> read(const std::string& name, const DocumentOptions& with = options()) {
    return readDocument(kFolder / name, with);
}

// Everything of a document that a person checks, as text.
std::string dump(const Document& document) {
    std::string out = fmt::format("kind {}, title \"{}\", encoding \"{}\", delimiter \"{}\", pages {}\n",
                                  documentKindName(document.kind), document.title, document.encoding,
                                  document.delimiter == "\t" ? "tab" : document.delimiter, document.pageCount);
    for (const std::string& warning : document.warnings) out += "warning: " + warning + "\n";
    for (const DocumentPage& page : document.pages) {
        out += fmt::format("==== page {}, label \"{}\", {:g} x {:g} points, image {} x {}, {} pictures{}\n",
                           page.number, page.label, page.width, page.height, page.imageWidth, page.imageHeight,
                           page.pictures, page.pictureOnly ? ", pictures only" : "");
        for (const std::string& warning : page.warnings) out += "warning: " + warning + "\n";
        out += page.text;
    }
    return out;
}

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, TextIsAsRead) {
    const auto document = read(GetParam());
    ASSERT_TRUE(document.has_value()) << document.error().message;
    const std::string text = dump(*document);
    const std::filesystem::path golden = kFolder / "golden" / (std::string(GetParam()) + ".txt");
    if (std::getenv("PAL_UPDATE_GOLDEN") != nullptr) {
        std::filesystem::create_directories(golden.parent_path());
        writeText(golden, text);
        FAIL() << "wrote " << golden << "; read it, then run without PAL_UPDATE_GOLDEN";
    }
    EXPECT_EQ(text, readText(golden));
}

INSTANTIATE_TEST_SUITE_P(Documents, Golden,
                         testing::Values("two_columns.pdf", "table.pdf", "scanned.pdf", "cjk.pdf", "arabic.pdf",
                                         "hebrew.pdf", "ligatures.pdf", "radicals.pdf", "not_embedded.pdf",
                                         "labels.pdf", "figures.pdf", "damaged.pdf", "owner_locked.pdf", "bridges.docx",
                                         "mill.odt", "raised.docx", "raised.odt", "book.epub", "page.html",
                                         "prices.csv", "readme.md", "program.rb"),
                         [](const auto& file) {
                             std::string name = file.param;
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

TEST(Encodings, EachIsReadAsItWasWritten) {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder / "encodings")) {
        if (entry.path().extension() != ".txt") continue;
        ++files;
        std::filesystem::path golden = entry.path();
        golden.replace_extension(".golden");
        const auto document = readDocument(entry.path(), options());
        ASSERT_TRUE(document.has_value()) << document.error().message;
        EXPECT_EQ(document->pages.at(0).text, readText(golden))
            << entry.path() << " was taken for " << document->encoding;
    }
    EXPECT_GE(files, 19U);
}

TEST(Encodings, ErrorsAreCountedAndPlaced) {
    const auto document = read("encodings/utf8_errors.txt");
    ASSERT_TRUE(document.has_value());
    EXPECT_EQ(document->encoding, "UTF-8");
    ASSERT_EQ(document->pages[0].warnings.size(), 1U);
    EXPECT_TRUE(contains(document->pages[0].warnings[0], "2 places are no UTF-8, the first at byte 19"));
    const auto guessed = read("encodings/koi8r.txt");
    ASSERT_TRUE(guessed.has_value());
    EXPECT_TRUE(contains(guessed->warnings.at(0), "the encoding KOI8-R was guessed"));
}

TEST(Pdf, AllThirteenNumbersAreThere) {
    for (int i = 1; i <= 13; ++i) {
        const auto document = read(fmt::format("numbers/{:02}.pdf", i));
        ASSERT_TRUE(document.has_value()) << document.error().message;
        EXPECT_EQ(document->pages.at(0).text, fmt::format("The number of file {} is {}.\n", i, 10007 * i));
    }
}

TEST(Pdf, SixHundredPagesComeInOrderWithProgress) {
    std::vector<std::string> pages;
    for (int i = 1; i <= 600; ++i)
        pages.push_back(fmt::format("This is page {} of many.\nIts code is {}.", i, i * 7919));
    const TempFolder folder;
    writeText(folder / "600.pdf", test::makeTextPdf(pages));
    DocumentOptions with = options();
    std::vector<int> seen;
    with.progress = [&](const DocumentProgress& progress) {
        EXPECT_EQ(progress.pagesTotal, 600);
        seen.push_back(progress.pagesDone);
    };
    const auto document = readDocument(folder / "600.pdf", with);
    ASSERT_TRUE(document.has_value()) << document.error().message;
    ASSERT_EQ(document->pages.size(), 600U);
    for (size_t i = 0; i < pages.size(); ++i) {
        EXPECT_EQ(document->pages[i].text, pages[i] + "\n");
        EXPECT_EQ(document->pages[i].number, static_cast<int>(i) + 1);
    }
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_EQ(seen.back(), 600);
    EXPECT_GT(seen.size(), 1U);

    with.firstPage = 599;
    with.progress = nullptr;
    const auto last = readDocument(folder / "600.pdf", with);
    ASSERT_TRUE(last.has_value());
    EXPECT_EQ(last->pageCount, 600);
    ASSERT_EQ(last->pages.size(), 2U);
    EXPECT_EQ(last->pages[1].number, 600);
    with.lastPage = 601;
    EXPECT_TRUE(
        contains(readDocument(folder / "600.pdf", with).error().message, "pages 599 to 601 asked for; there are 600"));
}

// Many pages are read by several threads, one page by one: what a page says, and what poppler says of it, is the same.
TEST(Pdf, PagesOfManyAreAsEachAlone) {
    constexpr int kPages = 90;
    std::vector<std::string> pages;
    for (int i = 1; i <= kPages; ++i) pages.push_back(fmt::format("{} {}", i % 3 == 0 ? "Broken" : "Whole", i * 7919));
    std::string pdf = test::makeTextPdf(pages, "0.2 0.4 0.8 rg 80 80 300 220 re f");
    for (size_t at = pdf.find("(Broken"); at != std::string::npos; at = pdf.find("(Broken", at + 1)) {
        pdf.replace(pdf.find("rg", at), 2, "xx");  // no operator
    }
    const TempFolder folder;
    writeText(folder / "90.pdf", pdf);
    const auto document = readDocument(folder / "90.pdf", options());
    ASSERT_TRUE(document.has_value()) << document.error().message;
    ASSERT_EQ(document->pages.size(), static_cast<size_t>(kPages));
    for (int i = 1; i <= kPages; i += 4) {
        DocumentOptions one = options();
        one.firstPage = one.lastPage = i;
        const auto alone = readDocument(folder / "90.pdf", one);
        ASSERT_TRUE(alone.has_value()) << alone.error().message;
        const DocumentPage& page = document->pages[static_cast<size_t>(i) - 1];
        EXPECT_EQ(page.text, alone->pages.at(0).text);
        EXPECT_EQ(page.warnings, alone->pages.at(0).warnings);
        EXPECT_EQ(page.figures.size(), 1U);
        const bool complains = std::any_of(page.warnings.begin(), page.warnings.end(), [](const std::string& said) {
            return said.find("damaged place") != std::string::npos;
        });
        EXPECT_EQ(complains, i % 3 == 0) << "page " << i;
    }
}

TEST(Pdf, LockedFilesSaySo) {
    const auto locked = read("locked.pdf");
    ASSERT_FALSE(locked.has_value());
    EXPECT_EQ(locked.error().code, ErrorCode::kUnsupported);
    EXPECT_TRUE(contains(locked.error().message, "locked.pdf: a PDF locked with a password"));
    DocumentOptions with = options();
    with.password = "wrong";
    EXPECT_EQ(read("locked.pdf", with).error().code, ErrorCode::kInvalidArgument);
    with.password = "open sesame";
    const auto opened = read("locked.pdf", with);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    EXPECT_TRUE(contains(opened->pages.at(0).text, "70049"));
    // Of several, any may be the one.
    for (const char* list : {"wrong\nopen sesame", "open sesame\nwrong", "a\n\nopen sesame\nb"}) {
        with.password = list;
        EXPECT_TRUE(read("locked.pdf", with).has_value()) << list;
    }
    with.password = "wrong\nopen";
    EXPECT_EQ(read("locked.pdf", with).error().code, ErrorCode::kInvalidArgument);
}

TEST(Pdf, BrokenFilesSaySo) {
    const auto truncated = read("truncated.pdf");
    ASSERT_FALSE(truncated.has_value());
    EXPECT_EQ(truncated.error().code, ErrorCode::kFormat);
    EXPECT_TRUE(contains(truncated.error().message, "damaged or cut off"));
    const TempFolder folder;
    writeText(folder / "empty.pdf", "");
    EXPECT_FALSE(readDocument(folder / "empty.pdf", options()).has_value());
    writeText(folder / "text.pdf", "not a PDF at all");
    EXPECT_EQ(readDocument(folder / "text.pdf", options()).error().code, ErrorCode::kFormat);
    writeText(folder / "head.pdf", "%PDF-1.7\n");
    EXPECT_EQ(readDocument(folder / "head.pdf", options()).error().code, ErrorCode::kFormat);
}

TEST(Pdf, TheMapLeadsFromTextToThePlaceOnThePage) {
    const auto document = read("two_columns.pdf");
    ASSERT_TRUE(document.has_value());
    const DocumentPage& page = document->pages.at(0);
    const auto placeOf = [&](const std::string& words) {
        const size_t at = page.text.find(words);
        EXPECT_NE(at, std::string::npos) << words;
        for (const TextRegion& region : page.map) {
            if (region.begin <= at && at < region.end) return region.region;
        }
        ADD_FAILURE() << words << " is on no line of the map";
        return PageRegion{};
    };
    const PageRegion left = placeOf("The left column ends here.");
    const PageRegion right = placeOf("The right column ends here.");
    EXPECT_NEAR(left.x, 50, 1);
    EXPECT_NEAR(right.x, 315, 1);
    EXPECT_NEAR(placeOf("A heading across").y, 40, 3);
    EXPECT_LT(placeOf("The river rises").y, left.y);
    for (const TextRegion& region : page.map) {
        EXPECT_GE(region.region.x, 0);
        EXPECT_LE(region.region.x + region.region.width, page.width);
        EXPECT_LE(region.region.y + region.region.height, page.height);
    }
}

TEST(Pdf, PagesAreDrawnAtTheSizeThatWasPromised) {
    const auto document = read("scanned.pdf");
    ASSERT_TRUE(document.has_value());
    ASSERT_EQ(document->pages.size(), 4U);
    EXPECT_TRUE(document->pages[1].pictureOnly);
    EXPECT_FALSE(document->pages[2].pictureOnly) << "an empty page has no picture to see";
    const auto image = readPageImage(kFolder / "scanned.pdf", 2, options());
    ASSERT_TRUE(image.has_value()) << image.error().message;
    EXPECT_EQ(image->width, document->pages[1].imageWidth);
    EXPECT_EQ(image->height, document->pages[1].imageHeight);
    ASSERT_EQ(image->rgb.size(), static_cast<size_t>(image->width) * static_cast<size_t>(image->height) * 3);
    const auto dark = std::count_if(image->rgb.begin(), image->rgb.end(), [](uint8_t value) { return value < 64; });
    EXPECT_GT(dark, 10'000);
    EXPECT_LT(static_cast<size_t>(dark), image->rgb.size() / 4);
    // The blue of page 4 comes in the order red, green, blue.
    const auto figure = readPageImage(kFolder / "scanned.pdf", 4, options());
    ASSERT_TRUE(figure.has_value());
    const size_t middle = (static_cast<size_t>(figure->height / 2) * static_cast<size_t>(figure->width) +
                           static_cast<size_t>(figure->width / 2)) *
                          3;
    EXPECT_NEAR(figure->rgb[middle], 51, 2);
    EXPECT_NEAR(figure->rgb[middle + 1], 102, 2);
    EXPECT_NEAR(figure->rgb[middle + 2], 179, 2);
    EXPECT_TRUE(contains(readPageImage(kFolder / "scanned.pdf", 5, options()).error().message, "there are 4"));
    EXPECT_EQ(readPageImage(kFolder / "bridges.docx", 1, options()).error().code, ErrorCode::kInvalidArgument);
    // A page of 5 km is drawn within the limit.
    const auto huge = readPageImage(kFolder / "damaged.pdf", 3, options());
    ASSERT_TRUE(huge.has_value()) << huge.error().message;
    EXPECT_LE(int64_t{huge->width} * huge->height, kMaxPageImagePixels);
    const auto damaged = read("damaged.pdf");
    ASSERT_TRUE(damaged.has_value());
    EXPECT_EQ(huge->width, damaged->pages.at(2).imageWidth);
    EXPECT_EQ(huge->height, damaged->pages.at(2).imageHeight);
}

// Of figures.pdf: what is no text and large is found where it lies; what only stands around or behind text is none.
TEST(Pdf, FiguresBesideTextAreFound) {
    const auto document = read("figures.pdf");
    ASSERT_TRUE(document.has_value()) << document.error().message;
    ASSERT_EQ(document->pages.size(), 7U);
    const std::vector<size_t> figures = {1, 0, 0, 1, 0, 0, 0};
    for (size_t i = 0; i < figures.size(); ++i) {
        const DocumentPage& page = document->pages[i];
        EXPECT_EQ(page.figures.size(), figures[i]) << "page " << i + 1;
        EXPECT_FALSE(page.pictureOnly);
        EXPECT_EQ(page.warnings.size(), figures[i]) << "page " << i + 1;
    }
    const auto near = [](const PageRegion& found, const PageRegion& drawn) {
        constexpr double kPixel = 842.0 / 160;
        EXPECT_NEAR(found.x, drawn.x, 2 * kPixel);
        EXPECT_NEAR(found.y, drawn.y, 2 * kPixel);
        EXPECT_NEAR(found.x + found.width, drawn.x + drawn.width, 2 * kPixel);
        EXPECT_NEAR(found.y + found.height, drawn.y + drawn.height, 2 * kPixel);
    };
    near(document->pages[0].figures.at(0), {90, 842 - 620, 410, 220});
    near(document->pages[3].figures.at(0), {60, 842 - 680, 210, 260});
    EXPECT_TRUE(
        contains(document->pages[0].warnings[0], "a picture or drawing beside the text that covers 19 % of the page"));
}

Result<std::vector<EmbeddedPicture>> picturesOf(const std::string& name, int page) {
    DocumentOptions with = options();
    with.firstPage = with.lastPage = page;
    return readPictures(kFolder / name, with);
}

TEST(Pictures, OfFlowingDocumentsComeAsTheyAre) {
    const auto docx = picturesOf("bridges.docx", 2);
    ASSERT_TRUE(docx.has_value()) << docx.error().message;
    ASSERT_EQ(docx->size(), 1U);
    EXPECT_EQ(docx->front().page, 2);
    EXPECT_EQ(docx->front().name, "word/media/image1.png");
    EXPECT_EQ(docx->front().file.at(1), 'P');
    const auto epub = picturesOf("book.epub", 3);
    ASSERT_TRUE(epub.has_value()) << epub.error().message;
    ASSERT_EQ(epub->size(), 1U);
    EXPECT_EQ(epub->front().name, "OPS/images/plate.png");
    const auto odt = picturesOf("mill.odt", 2);
    ASSERT_TRUE(odt.has_value()) << odt.error().message;
    EXPECT_EQ(odt->size(), 1U);
    EXPECT_EQ(readPictures(kFolder / "table.pdf", options()).error().code, ErrorCode::kInvalidArgument);
    DocumentOptions small = options();
    small.limits.textBytes = docx->front().file.size() - 1;
    EXPECT_EQ(readPictures(kFolder / "bridges.docx", small).error().code, ErrorCode::kOutOfMemory);
}

TEST(Pictures, OfWebPagesLieInTheirAddresses) {
    const TempFolder folder;
    writeText(
        folder / "page.html",
        "<p>Look:</p><img src='data:image/png;base64,iVBO\nRw0K Gg=='><img src='data:image/svg+xml;base64,PHN2Zz4='>"
        "<img src='data:image/png;base64,iV*O'><img src='https://example.org/a.png'><img src='/etc/passwd'>");
    const auto pictures = readPictures(folder / "page.html", options());
    ASSERT_TRUE(pictures.has_value()) << pictures.error().message;
    ASSERT_EQ(pictures->size(), 2U);
    EXPECT_EQ(pictures->at(0).name, "inline-1.png");
    EXPECT_EQ(std::string(pictures->at(0).file.begin(), pictures->at(0).file.end()), "\x89PNG\r\n\x1a");
    EXPECT_EQ(pictures->at(1).name, "inline-2.svg");
    EXPECT_EQ(std::string(pictures->at(1).file.begin(), pictures->at(1).file.end()), "<svg>");
}

struct Attack {
    const char* file;
    ErrorCode code;
    const char* message;
};

TEST(Hostile, EachGetsOneClearError) {
    DocumentOptions with = options();
    with.limits.textBytes = 2 << 20;
    for (const Attack& attack : {
             Attack{"hostile/bomb.docx", ErrorCode::kOutOfMemory, "unpack to more than 2097152 bytes"},
             Attack{"hostile/entities.docx", ErrorCode::kFormat, "declares XML entities"},
             Attack{"hostile/deep.docx", ErrorCode::kFormat, "nested deeper than 256"},
             Attack{"hostile/deep.odt", ErrorCode::kFormat, "nested deeper than 256"},
             Attack{"hostile/not_a_document.docx", ErrorCode::kUnsupported, "a zip archive; unpack it first"},
             Attack{"hostile/no_body.docx", ErrorCode::kFormat, "has no body"},
             Attack{"hostile/cut_xml.docx", ErrorCode::kFormat, "word/document.xml"},
             Attack{"hostile/truncated.docx", ErrorCode::kFormat, "damaged or cut off"},
             Attack{"hostile/damaged.docx", ErrorCode::kFormat, "\"word/document.xml\" is damaged"},
         }) {
        const auto result = read(attack.file, with);
        ASSERT_FALSE(result.has_value()) << attack.file;
        EXPECT_EQ(result.error().code, attack.code) << result.error().message;
        EXPECT_TRUE(contains(result.error().message, attack.message));
    }
}

TEST(Hostile, PathsLeadNowhereOutside) {
    const auto book = read("hostile/paths.epub");
    ASSERT_TRUE(book.has_value()) << book.error().message;
    ASSERT_EQ(book->pages.size(), 3U);
    EXPECT_TRUE(book->pages[0].text.empty());
    EXPECT_TRUE(book->pages[1].text.empty());
    EXPECT_TRUE(contains(book->pages[2].text, "the only text"));
    const auto pictures = picturesOf("hostile/paths.epub", 3);
    ASSERT_TRUE(pictures.has_value());
    EXPECT_TRUE(pictures->empty());
}

TEST(Hostile, DeepHtmlIsRefused) {
    const TempFolder folder;
    std::string page = "<html><body>";
    for (int i = 0; i < 5000; ++i) page += "<div>";
    writeText(folder / "deep.html", page + "x");
    EXPECT_TRUE(contains(readDocument(folder / "deep.html", options()).error().message, "nested deeper than 512"));
    for (int i = 0; i < 1'000'000; ++i) page += "<div>";
    writeText(folder / "deeper.html", page + "x");
    EXPECT_TRUE(contains(readDocument(folder / "deeper.html", options()).error().message, "nested deeper than 512"));
}

TEST(Hostile, TextOverTheLimitIsRefused) {
    const TempFolder folder;
    writeText(folder / "long.txt", std::string(3000, 'a'));
    DocumentOptions with = options();
    with.limits.textBytes = 2999;
    EXPECT_TRUE(
        contains(readDocument(folder / "long.txt", with).error().message, "3000 bytes of text; up to 2999 are read"));
    writeText(folder / "many.pdf", test::makeTextPdf(std::vector<std::string>(100, std::string(80, 'a'))));
    EXPECT_TRUE(contains(readDocument(folder / "many.pdf", with).error().message,
                         "more than 2999 bytes of text by page 38 of 100"));
    writeText(folder / "binary.txt", std::string(100, '\x01'));
    EXPECT_TRUE(
        contains(readDocument(folder / "binary.txt", options()).error().message, "no text: 100 of its 100 characters"));
}

TEST(Hostile, MemoryIsLimited) {
    if (test::kSanitized) GTEST_SKIP() << "the address sanitizer needs more address space than any limit";
    const TempFolder folder;
    writeText(folder / "large.txt", std::string(64 << 20, 'a'));
    DocumentOptions with = options();
    with.limits.memoryBytes = 32 << 20;
    const auto result = readDocument(folder / "large.txt", with);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kOutOfMemory) << result.error().message;
    // A page whose picture needs more than there is.
    with.limits.memoryBytes = 24 << 20;
    const auto image = readPageImage(kFolder / "damaged.pdf", 3, with);
    ASSERT_FALSE(image.has_value());
    EXPECT_EQ(image.error().code, ErrorCode::kOutOfMemory) << image.error().message;
    EXPECT_TRUE(read("damaged.pdf").has_value()) << "the next document is read as ever";
}

}  // namespace
}  // namespace pal
