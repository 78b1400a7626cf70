// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// What PDF text needs before a model reads it. A PDF stores glyphs at places; the characters are a by-product of its writer.
namespace pal::extract {

struct CleanText {
    std::u16string text;
    size_t unknown = 0;  // characters without a known meaning: U+FFFD (as they then stand), private use, controls
};

// Characters as they are typed: presentation forms and ligatures (U+FB00..U+FB4F, U+FB50..U+FDFF, U+FE70..U+FEFF) become their letters,
// CJK radicals and compatibility ideographs become ideographs, spaces of odd widths become spaces; direction marks, zero width spaces and
// byte order marks go; the rest is NFC. Not full NFKC: superscripts, fractions, circled digits and full-width punctuation carry meaning.
CleanText cleanCharacters(std::u16string_view text);

// Whether there is a character of a right-to-left script.
bool hasRightToLeft(std::u16string_view text);

// A line in the order in which it is read, from its characters by their place from left to right. The line's direction is that of most
// of its letters.
std::u16string logicalOrder(std::u16string_view leftToRight);

std::string toUtf8(std::u16string_view text);

}  // namespace pal::extract
