// SPDX-License-Identifier: Apache-2.0
#include "app/extract/html_reader.h"

#include "app/extract/html_text.h"
#include "app/extract/text_encoding.h"

namespace pal::extract {
namespace {

// The value of charset= in the first kilobyte, as browsers look for it.
std::string declaredEncoding(std::string_view bytes) {
    std::string head(bytes.substr(0, 1024));
    for (char& c : head) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    size_t at = head.find("charset=");
    if (at == std::string::npos && head.starts_with("<?xml")) at = head.find("encoding=");
    if (at == std::string::npos) return {};
    at = head.find('=', at) + 1;
    if (at < head.size() && (head[at] == '"' || head[at] == '\'')) ++at;
    return head.substr(at, head.find_first_of("\"'>; \t\r\n/", at) - at);
}

}  // namespace

Result<FlowDocument> readHtml(const Input& input, const ReadLimits& limits) {
    if (input.bytes.size() > limits.textBytes) {
        return fail(ErrorCode::kOutOfMemory, "{} bytes of HTML; up to {} are read", input.bytes.size(),
                    limits.textBytes);
    }
    const DecodedText decoded = decodeText(input.bytes, declaredEncoding(input.bytes));
    PAL_ASSIGN(HtmlText html, htmlToText(decoded.text, LinkTargets::kAll, limits.textBytes));
    FlowDocument out;
    Document& document = out.document;
    document.kind = DocumentKind::kHtml;
    document.title = html.title;
    document.encoding = decoded.encoding;
    document.pageCount = 1;
    document.pages.push_back(
        flowPage(1, {}, std::move(html.text), html.characters, static_cast<int>(html.pictures.size())));
    DocumentPage& page = document.pages.front();
    if (decoded.invalid > 0) {
        page.warnings.push_back(
            fmt::format("{} places are no {}; replaced by \xEF\xBF\xBD", decoded.invalid, decoded.encoding));
    }
    if (page.text.empty() && !page.pictureOnly) {
        page.warnings.emplace_back("the page shows no text of its own (a program would have to fill it)");
    }
    out.pictures.push_back(std::move(html.pictures));
    return out;
}

}  // namespace pal::extract
