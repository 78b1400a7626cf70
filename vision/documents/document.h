// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pal {

// What a document is read as; its bytes decide before its name does.
enum class DocumentKind {
    kPdf,
    kDocx,
    kOdt,
    kEpub,
    kHtml,
    kMarkdown,
    kCsv,   // any separator
    kCode,  // source code and structured text (json, xml, ...), by its name
    kText,
};

// "pdf", "docx", ...: as written in JSON.
std::string_view documentKindName(DocumentKind kind);

// A rectangle on a page in PDF points (1/72 inch) from the top left corner of the page as it is shown.
struct PageRegion {
    double x = 0, y = 0, width = 0, height = 0;
};

// Where a piece of a page's text stands on the page.
struct TextRegion {
    size_t begin = 0, end = 0;  // bytes [begin, end) of DocumentPage::text; ascending, apart, on code point borders
    PageRegion region;
};

// A page of a PDF, a page of a docx or odt as its writer last laid it out (the whole file where it recorded no pages), a chapter of an
// epub, the whole of every other file.
struct DocumentPage {
    int number = 1;     // from 1
    std::string label;  // what the document itself calls it ("iv", a chapter's title), empty when it says nothing
    // UTF-8 without byte order mark. PDF: lines as printed, blank lines between blocks, NFKC-like normalised (see app/extract/pdf_text.h).
    // docx, odt, epub, html: Markdown for headings, lists, tables, links and notes, "[picture: alternative text]" where a picture stands,
    // raised and lowered text as "10^{6}" and "H_{2}O".
    // Everything else: the file's own characters.
    std::string text;
    std::vector<std::string> warnings;  // what a reader of the text alone would miss or should doubt, a sentence each
    // There is something to see but no text (a scan, a drawing): only the page's image tells it. What that costs follows from
    // imageWidth x imageHeight (spec of the vision tower).
    bool pictureOnly = false;
    int pictures = 0;  // pictures that the text only names (docx, odt, epub, html)
    // Pictures and drawings beside the text of a PDF page, large enough to matter: only the page's image tells them.
    std::vector<PageRegion> figures;
    // Size of the page in points and of its image in pixels at kPageImageDpi; 0 for documents that are not laid out in pages.
    double width = 0, height = 0;
    int imageWidth = 0, imageHeight = 0;
    std::vector<TextRegion> map;  // one per line, where positions are known (PDF)
};

struct Document {
    DocumentKind kind = DocumentKind::kText;
    std::string title;      // from the document's own description, may be empty
    std::string encoding;   // of text files: "UTF-8", "GB18030", ...; else empty
    std::string delimiter;  // of csv: "," ";" "\t" "|"
    int pageCount = 0;      // of the whole document, also when fewer were asked for
    std::vector<DocumentPage> pages;
    std::vector<std::string> warnings;  // about the document as a whole
};

// Resolution of page images. Smaller where a page would pass kMaxPageImagePixels.
inline constexpr double kPageImageDpi = 150;
inline constexpr int64_t kMaxPageImagePixels = 16'000'000;

// A page as it would be printed: width * height * 3 bytes, row by row, R, G, B.
struct PageImage {
    int width = 0, height = 0;
    std::vector<uint8_t> rgb;
};

// A picture that lies in a docx, odt, epub or html, as stored there (png, jpeg, ...).
struct EmbeddedPicture {
    int page = 1;      // DocumentPage::number
    std::string name;  // inside the document; made up for html ("inline-1.png")
    std::vector<uint8_t> file;
};

// Version of the text that this program makes of documents: stored texts made by another version may be read again.
inline constexpr int kExtractorVersion = 3;

}  // namespace pal
