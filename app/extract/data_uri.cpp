// SPDX-License-Identifier: Apache-2.0
#include "app/extract/data_uri.h"

#include <algorithm>
#include <cctype>

namespace pal::extract {
namespace {

// The value of a base64 digit, or -1.
int digitOf(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::optional<std::vector<uint8_t>> fromBase64(std::string_view text) {
    std::vector<uint8_t> out;
    out.reserve(text.size() / 4 * 3);
    uint32_t bits = 0, count = 0, padding = 0;
    for (const char c : text) {
        if (isSpace(c)) continue;
        if (c == '=') {
            ++padding;
            continue;
        }
        const int digit = digitOf(c);
        if (digit < 0 || padding > 0) return std::nullopt;
        bits = bits << 6 | static_cast<uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out.push_back(static_cast<uint8_t>(bits >> count));
    }
    // Less than a byte may be left, and at most two signs fill the last group.
    if (count >= 6 || padding > 2) return std::nullopt;
    return out;
}

}  // namespace

std::optional<DataUri> readDataUri(std::string_view address) {
    const size_t comma = address.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    std::string head(address.substr(0, comma));
    std::transform(head.begin(), head.end(), head.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::string_view kType = "data:image/";
    if (!head.starts_with(kType) || !head.ends_with(";base64")) return std::nullopt;
    DataUri out;
    for (size_t i = kType.size(); i < head.size() && std::isalnum(static_cast<unsigned char>(head[i])) != 0; ++i)
        out.subtype += head[i];
    auto bytes = fromBase64(address.substr(comma + 1));
    if (!bytes || bytes->empty()) return std::nullopt;
    out.bytes = std::move(*bytes);
    return out;
}

}  // namespace pal::extract
