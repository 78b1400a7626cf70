// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

// What the fuzz targets of engine/text share.
namespace pal::fuzz {

inline void require(bool condition) {
    if (!condition) std::abort();
}

// A line of a tiktoken file.
inline std::string tiktokenLine(std::string_view token, size_t rank) {
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (size_t i = 0; i < token.size(); i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (i + k < token.size() ? static_cast<unsigned char>(token[i + k]) : 0U);
        for (size_t k = 0; k < 4; ++k) out += i + k <= token.size() ? kAlphabet[bits >> (18 - 6 * k) & 63] : '=';
    }
    return out + ' ' + std::to_string(rank) + '\n';
}

// A tiktoken file of all single bytes and then `more`.
inline std::string tiktokenFile(const std::vector<std::string>& more = {}) {
    std::string out;
    for (size_t byte = 0; byte < 256; ++byte) out += tiktokenLine(std::string(1, static_cast<char>(byte)), byte);
    for (size_t i = 0; i < more.size(); ++i) out += tiktokenLine(more[i], 256 + i);
    return out;
}

}  // namespace pal::fuzz
