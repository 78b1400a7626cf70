// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace pal::pretokenizer {

// The split pattern of Kimi K2 and K3, eight alternatives tried in order at each position:
//   1  [\p{Han}]+
//   2  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   3  [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   4  \p{N}{1,3}
//   5   ?[^\s\p{L}\p{N}]+[\r\n]*
//   6  \s*[\r\n]+
//   7  \s+(?!\S)
//   8  \s+
// matched by hand over the classes of unicode_class.h, since no regular expression library here knows `&&` on UTF-8 with current
// tables. The test compares it with ICU. Malformed UTF-8 counts as one unassigned code point for each maximal subpart.

// Where the piece that begins at `position` (inside `text`) ends. Always beyond `position`.
[[nodiscard]] size_t pieceEnd(std::string_view text, size_t position);

// Lengths in code points at which the reference cuts text before anything else looks at it.
struct CutLimits {
    size_t block = 400'000;  // of any text
    size_t run = 25'000;     // of consecutive white space, or consecutive non-space (Python's str.isspace)
};

// Hands out the slices of a text one after the other.
class Cutter {
  public:
    explicit Cutter(std::string_view text, CutLimits limits = {}) : text_(text), limits_(limits) {}
    // The next slice; empty at the end of the text. The slices joined are the text.
    [[nodiscard]] std::string_view next();

  private:
    std::string_view text_;
    CutLimits limits_;
    size_t position_ = 0;
    size_t blockUsed_ = 0;  // code points of the current block before position_
};

}  // namespace pal::pretokenizer
