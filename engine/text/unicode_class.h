// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Character classes of the split pattern (pretokenizer.h), one byte of flags per code point, from Unicode 15.0.
namespace pal::unicode {

inline constexpr uint8_t kHan = 1;            // Script=Han
inline constexpr uint8_t kUpper = 2;          // Lu, Lt, Lm, Lo or M, and not Han: may stand in the first part of a word
inline constexpr uint8_t kLower = 4;          // Ll, Lm, Lo or M, and not Han: may stand in the second part of a word
inline constexpr uint8_t kLetter = 8;         // L
inline constexpr uint8_t kNumber = 16;        // N
inline constexpr uint8_t kSpace = 32;         // White_Space
inline constexpr uint8_t kNewline = 64;       // CR or LF
inline constexpr uint8_t kPythonSpace = 128;  // str.isspace of Python: White_Space and U+001C..U+001F

// The tables, in unicode_class_generated.cpp: block number of each run of 128 code points, then the blocks.
extern const uint8_t kBlockOfCodePoint[0x110000 / 128];
extern const uint8_t kClassInBlock[];

// Flags of a code point; 0 for unassigned ones. `codePoint` is at most U+10FFFF.
[[nodiscard]] inline uint8_t classOf(uint32_t codePoint) {
    return kClassInBlock[(uint32_t{kBlockOfCodePoint[codePoint >> 7]} << 7) | (codePoint & 127)];
}

}  // namespace pal::unicode
