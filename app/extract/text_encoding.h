// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pal::extract {

struct DecodedText {
    std::string text;         // valid UTF-8, without byte order mark
    std::string encoding;     // "UTF-8", "UTF-16LE", "GB18030", "Shift_JIS", "windows-1252", ...
    bool guessed = false;     // from the frequency of bytes: not by a mark or escapes, not by being valid UTF-8
    size_t invalid = 0;       // byte sequences without meaning in that encoding, each replaced by U+FFFD
    size_t firstInvalid = 0;  // position of the first one, in bytes of the source
};

// Text of any encoding. In this order: a byte order mark; UTF-16 without a mark; ISO-2022 and HZ, which are of seven bits and name
// themselves; valid UTF-8; UTF-8 with a few errors; what uchardet and then ICU's detector propose, the first that fits without errors and
// without control characters of the C1 range. Never fails: in the worst case it is windows-1252 with replacements.
DecodedText decodeText(std::string_view bytes);

// The same where the file names its encoding (HTML's charset); an unknown name is ignored.
DecodedText decodeText(std::string_view bytes, const std::string& declared);

}  // namespace pal::extract
