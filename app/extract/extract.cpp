// SPDX-License-Identifier: Apache-2.0
#include "app/extract/extract.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "app/extract/pdf_reader.h"
#include "app/extract/text_reader.h"
#include "vision/documents/document_kind.h"
#include "vision/documents/extract_protocol.h"

namespace pal::extract {
namespace {

Result<DocumentKind> kindOf(const Input& input) {
    const KindGuess guess = guessKind(input.bytes.substr(0, kKindBytes), input.name);
    if (guess.kind.has_value()) return *guess.kind;
    if (!guess.otherwise.empty())
        return fail(ErrorCode::kUnsupported, "no document that can be read: {}", guess.otherwise);
    return fail(ErrorCode::kUnsupported,
                "no document that can be read: neither its bytes nor its name tell what it is");
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
    for (int number = range.first; number <= range.last; ++number) {
        const DocumentPage page = pdf.page(number);
        bytes += page.text.size();
        if (bytes > request.limits.textBytes) {
            return fail(ErrorCode::kOutOfMemory, "more than {} bytes of text by page {} of {}",
                        request.limits.textBytes, number, range.last);
        }
        write(pageLine(page));
    }
    return pdf.warnings();
}

Result<Document> readWhole(const Input& input, DocumentKind kind, const Request& request) {
    return readText(input, kind, request.limits);
}

// Runs `work`; what libraries throw when a file asks for more than there is becomes an error.
template <typename Work>
auto guarded(Work&& work) -> decltype(work()) {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "reading it takes more memory than is allowed");
    } catch (const std::length_error&) {
        return fail(ErrorCode::kOutOfMemory, "reading it takes more memory than is allowed");
    } catch (const std::exception& error) {
        return fail(ErrorCode::kInternal, "{}", error.what());
    }
}

}  // namespace

Result<std::vector<std::string>> writePages(const Input& input, const Request& request, const Write& write) {
    return guarded([&]() -> Result<std::vector<std::string>> {
        PAL_ASSIGN(const DocumentKind kind, kindOf(input));
        if (kind == DocumentKind::kPdf) return writePdf(input, request, write);
        PAL_ASSIGN(const Document document, readWhole(input, kind, request));
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
    return guarded([&]() -> Result<std::vector<std::string>> {
        PAL_ASSIGN(const DocumentKind kind, kindOf(input));
        if (kind != DocumentKind::kPdf) {
            return fail(ErrorCode::kInvalidArgument, "only the pages of a PDF have images; this is {}",
                        documentKindName(kind));
        }
        PAL_ASSIGN(const PdfDocument pdf, PdfDocument::open(input.bytes, request.password));
        PAL_TRY(resolve({page, page}, pdf.pageCount()));
        PAL_ASSIGN(const PageImage image, pdf.image(page));
        write(imageLine(image));
        return pdf.warnings();
    });
}

Result<std::vector<std::string>> writePictures(const Input& input, const Request&, int, const Write&) {
    PAL_ASSIGN(const DocumentKind kind, kindOf(input));
    return fail(ErrorCode::kInvalidArgument, "only docx, odt and epub hold pictures of their own; this is {}",
                documentKindName(kind));
}

}  // namespace pal::extract
