// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pal::utf8 {

enum class Status : uint8_t {
    kValid,
    kMalformed,  // no continuation can make it valid
    kTruncated,  // the text ends inside a code point that was valid so far
};

// One step through UTF-8 text. `length` >= 1 is the bytes it stands on: for malformed and truncated ones the longest valid beginning
// (Unicode 15, section 3.9, "maximal subpart"), which is what Python and browsers replace by one U+FFFD.
struct Step {
    uint32_t codePoint = 0xFFFD;
    uint8_t length = 1;
    Status status = Status::kMalformed;
};

// The step for a first byte >= 0x80. `position` must lie inside `text`.
[[nodiscard]] Step decodeMultibyte(std::string_view text, size_t position);

[[nodiscard]] inline Step decode(std::string_view text, size_t position) {
    const auto first = static_cast<unsigned char>(text[position]);
    if (first < 0x80) return {first, 1, Status::kValid};
    return decodeMultibyte(text, position);
}

// Appends a code point; surrogates and values above U+10FFFF become U+FFFD.
void append(std::string& out, uint32_t codePoint);

[[nodiscard]] bool isValid(std::string_view text);

}  // namespace pal::utf8
