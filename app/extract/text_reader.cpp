// SPDX-License-Identifier: Apache-2.0
#include "app/extract/text_reader.h"

#include <algorithm>
#include <array>

#include "app/extract/text_encoding.h"

namespace pal::extract {
namespace {

size_t controlCharacters(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 &&
               std::string_view("\t\n\v\f\r\x1B").find(c) == std::string_view::npos;
    }));
}

// How often the separator stands in a record, outside of quotes, for the first records.
std::vector<size_t> countPerRecord(std::string_view text, char separator) {
    constexpr size_t kRecords = 20;
    std::vector<size_t> counts(1, 0);
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == separator) ++counts.back();
        if (c != '\n') continue;
        if (counts.size() == kRecords) return counts;
        counts.push_back(0);
    }
    if (counts.size() > 1 && counts.back() == 0) counts.pop_back();  // nothing after the last line end
    return counts;
}

// The separator that stands equally often in most records; of equals the one that makes more columns.
std::string findDelimiter(std::string_view text) {
    std::string best;
    size_t bestScore = 0;
    for (const char separator : {',', ';', '\t', '|'}) {
        const std::vector<size_t> counts = countPerRecord(text, separator);
        if (counts.front() == 0) continue;
        const auto alike = static_cast<size_t>(std::count(counts.begin(), counts.end(), counts.front()));
        const size_t score = alike * 1000 / counts.size() * 1000 + std::min<size_t>(counts.front(), 999);
        if (score > bestScore) {
            bestScore = score;
            best = std::string(1, separator);
        }
    }
    return best;
}

}  // namespace

Result<Document> readText(const Input& input, DocumentKind kind, const ReadLimits& limits) {
    if (input.bytes.size() > limits.textBytes) {
        return fail(ErrorCode::kOutOfMemory, "{} bytes of text; up to {} are read", input.bytes.size(),
                    limits.textBytes);
    }
    DecodedText decoded = decodeText(input.bytes);
    const size_t controls = controlCharacters(decoded.text);
    if (controls * 20 > decoded.text.size()) {
        return fail(ErrorCode::kFormat, "no text: {} of its {} characters are control characters", controls,
                    decoded.text.size());
    }
    Document document;
    document.kind = kind;
    document.encoding = decoded.encoding;
    document.pageCount = 1;
    if (kind == DocumentKind::kCsv) document.delimiter = findDelimiter(decoded.text);
    if (decoded.guessed) {
        document.warnings.push_back(
            fmt::format("the encoding {} was guessed from the text; the file does not name one", decoded.encoding));
    }
    DocumentPage page;
    if (decoded.text.empty()) page.warnings.emplace_back("the file is empty");
    if (decoded.invalid > 0) {
        page.warnings.push_back(fmt::format("{} {} no {}, the first at byte {}; replaced by \xEF\xBF\xBD",
                                            decoded.invalid, decoded.invalid == 1 ? "place is" : "places are",
                                            decoded.encoding, decoded.firstInvalid));
    }
    page.text = std::move(decoded.text);
    document.pages.push_back(std::move(page));
    return document;
}

}  // namespace pal::extract
