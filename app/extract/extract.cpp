// SPDX-License-Identifier: Apache-2.0
#include "app/extract/extract.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "app/extract/data_uri.h"
#include "app/extract/docx_reader.h"
#include "app/extract/epub_reader.h"
#include "app/extract/flow_pages.h"
#include "app/extract/html_reader.h"
#include "app/extract/odt_reader.h"
#include "app/extract/pdf_pages.h"
#include "app/extract/pdf_reader.h"
#include "app/extract/text_reader.h"
#include "app/extract/zip_archive.h"
#include "engine/base/guarded.h"
#include "vision/documents/document_kind.h"
#include "vision/documents/extract_protocol.h"

namespace pal::extract {
namespace {

// What a zip archive holds, by its table of contents.
Result<DocumentKind> kindOfArchive(ZipArchive& archive) {
    std::string type;
    if (archive.has("mimetype")) {
        PAL_ASSIGN(type, archive.read("mimetype"));
        type.erase(type.find_last_not_of(" \r\n") + 1);
    }
    if (type == "application/epub+zip" || archive.has("META-INF/container.xml")) return DocumentKind::kEpub;
    if (type.starts_with("application/vnd.oasis.opendocument.text")) return DocumentKind::kOdt;
    std::string_view what = "a zip archive; unpack it first";
    if (archive.has("ppt/presentation.xml") || type.ends_with("presentation")) what = "a presentation; save it as PDF";
    if (archive.has("xl/workbook.xml") || type.ends_with("spreadsheet")) what = "a spreadsheet; save it as .csv or PDF";
    if (archive.has("[Content_Types].xml") && what.starts_with("a zip")) return DocumentKind::kDocx;
    return fail(ErrorCode::kUnsupported, "no document that can be read: {}", what);
}

struct OpenedInput {
    DocumentKind kind = DocumentKind::kText;
    std::optional<ZipArchive> archive;
};

Result<OpenedInput> openInput(const Input& input, const ReadLimits& limits) {
    const KindGuess guess = guessKind(input.bytes.substr(0, kKindBytes), input.name);
    OpenedInput out;
    if (guess.zip) {
        PAL_ASSIGN(out.archive, ZipArchive::open(input.bytes, limits.textBytes));
        PAL_ASSIGN(out.kind, kindOfArchive(*out.archive));
        return out;
    }
    if (!guess.otherwise.empty())
        return fail(ErrorCode::kUnsupported, "no document that can be read: {}", guess.otherwise);
    if (!guess.kind.has_value()) {
        return fail(ErrorCode::kUnsupported,
                    "no document that can be read: neither its bytes nor its name tell what it is");
    }
    out.kind = *guess.kind;
    if (out.kind == DocumentKind::kDocx || out.kind == DocumentKind::kOdt || out.kind == DocumentKind::kEpub) {
        return fail(ErrorCode::kFormat, "named {} but no zip archive, as one must be: damaged or something else",
                    documentKindName(out.kind));
    }
    return out;
}

// The pages asked for, as they are there.
Result<PageRange> resolve(const PageRange& wanted, int pageCount) {
    const int last = wanted.last == 0 ? pageCount : wanted.last;
    if (wanted.first < 1 || last < wanted.first || last > pageCount) {
        return fail(ErrorCode::kInvalidArgument, "pages {} to {} asked for; there are {}", wanted.first, last,
                    pageCount);
    }
    return PageRange{wanted.first, last};
}

Result<std::vector<std::string>> writePdf(const Input& input, const Request& request, const Write& write) {
    PAL_ASSIGN(const PdfDocument pdf, PdfDocument::open(input.bytes, request.password));
    PAL_ASSIGN(const PageRange range, resolve(request.pages, pdf.pageCount()));
    Start start;
    start.document.kind = DocumentKind::kPdf;
    start.document.title = pdf.title();
    start.document.pageCount = pdf.pageCount();
    start.pages = range.last - range.first + 1;
    write(startLine(start));
    uint64_t bytes = 0;
    const auto writePage = [&](int number, const PdfPageLine& page) -> Result<> {
        bytes += page.textBytes;
        if (bytes > request.limits.textBytes) {
            return fail(ErrorCode::kOutOfMemory, "more than {} bytes of text by page {} of {}",
                        request.limits.textBytes, number, range.last);
        }
        write(page.line);
        return {};
    };
    PAL_TRY(readPages(pdf, input.bytes, request.password, range, writePage));
    return pdf.warnings();
}

Result<FlowDocument> readWhole(const Input& input, OpenedInput& opened, const ReadLimits& limits) {
    FlowDocument out;
    switch (opened.kind) {
        case DocumentKind::kDocx:
            return readDocx(*opened.archive, limits);
        case DocumentKind::kOdt:
            return readOdt(*opened.archive, limits);
        case DocumentKind::kEpub:
            return readEpub(*opened.archive, limits);
        case DocumentKind::kHtml:
            return readHtml(input, limits);
        default: {
            PAL_ASSIGN(out.document, readText(input, opened.kind, limits));
            return out;
        }
    }
}

// Where the pictures that a document names lie: in its archive, or in their own names.
struct PictureSource {
    ZipArchive* archive;
    std::vector<std::string> warnings = {};
    int inlined = 0;

    // Nothing for a picture that is not in the file.
    Result<std::optional<EmbeddedPicture>> read(const std::string& name) {
        if (auto data = readDataUri(name)) {
            return EmbeddedPicture{1, fmt::format("inline-{}.{}", ++inlined, data->subtype), std::move(data->bytes)};
        }
        if (archive != nullptr && archive->has(name)) {
            PAL_ASSIGN(const std::string bytes, archive->read(name));
            return EmbeddedPicture{1, name, {bytes.begin(), bytes.end()}};
        }
        warnings.push_back(fmt::format("the picture \"{}\" is not in the file", name.substr(0, 200)));
        return std::nullopt;
    }
};

constexpr const char* kReading = "reading it";  // what a message about a lack of memory begins with

}  // namespace

Result<std::vector<std::string>> writePages(const Input& input, const Request& request, const Write& write) {
    return guarded(kReading, [&]() -> Result<std::vector<std::string>> {
        PAL_ASSIGN(OpenedInput opened, openInput(input, request.limits));
        if (opened.kind == DocumentKind::kPdf) return writePdf(input, request, write);
        PAL_ASSIGN(const FlowDocument flow, readWhole(input, opened, request.limits));
        const Document& document = flow.document;
        PAL_ASSIGN(const PageRange range, resolve(request.pages, document.pageCount));
        Start start;
        start.pages = range.last - range.first + 1;
        start.document.kind = document.kind;
        start.document.title = document.title;
        start.document.encoding = document.encoding;
        start.document.delimiter = document.delimiter;
        start.document.pageCount = document.pageCount;
        write(startLine(start));
        for (int number = range.first; number <= range.last; ++number) {
            write(pageLine(document.pages[static_cast<size_t>(number) - 1]));
        }
        return document.warnings;
    });
}

Result<std::vector<std::string>> writeImage(const Input& input, const Request& request, int page, const Write& write) {
    return guarded(kReading, [&]() -> Result<std::vector<std::string>> {
        PAL_ASSIGN(const OpenedInput opened, openInput(input, request.limits));
        if (opened.kind != DocumentKind::kPdf) {
            return fail(ErrorCode::kInvalidArgument, "only the pages of a PDF have images; this is {}",
                        documentKindName(opened.kind));
        }
        PAL_ASSIGN(const PdfDocument pdf, PdfDocument::open(input.bytes, request.password));
        PAL_TRY(resolve({page, page}, pdf.pageCount()));
        PAL_ASSIGN(const PageImage image, pdf.image(page));
        write(startLine(Start{}));
        write(imageLine(image));
        return pdf.warnings();
    });
}

Result<std::vector<std::string>> writePictures(const Input& input, const Request& request, const Write& write) {
    return guarded(kReading, [&]() -> Result<std::vector<std::string>> {
        PAL_ASSIGN(OpenedInput opened, openInput(input, request.limits));
        if (!opened.archive.has_value() && opened.kind != DocumentKind::kHtml) {
            return fail(ErrorCode::kInvalidArgument,
                        "only docx, odt, epub and html hold pictures of their own; this is {}",
                        documentKindName(opened.kind));
        }
        PAL_ASSIGN(const FlowDocument flow, readWhole(input, opened, request.limits));
        PAL_ASSIGN(const PageRange range, resolve(request.pages, flow.document.pageCount));
        write(startLine(Start{}));
        PictureSource source{opened.archive ? &*opened.archive : nullptr};
        uint64_t bytes = 0;
        for (int page = range.first; page <= range.last; ++page) {
            std::set<std::string> written;
            for (const std::string& name : flow.pictures[static_cast<size_t>(page) - 1]) {
                if (name.empty() || !written.insert(name).second) continue;
                PAL_ASSIGN(std::optional<EmbeddedPicture> picture, source.read(name));
                if (!picture) continue;
                picture->page = page;
                bytes += picture->file.size();
                if (bytes > request.limits.textBytes) {
                    return fail(ErrorCode::kOutOfMemory, "more than {} bytes of pictures by page {} of {}",
                                request.limits.textBytes, page, range.last);
                }
                write(pictureLine(*picture));
            }
        }
        return source.warnings;
    });
}

}  // namespace pal::extract
