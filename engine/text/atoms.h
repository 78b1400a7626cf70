// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/text/vocabulary.h"

namespace pal {

// Code points from which byte-pair encoding may start instead of from bytes, with the same result and a fraction of the merges.
//
// A code point c is an atom when its bytes merge into one token and every merge on that way has a lower id than every token of two or
// more code points that contains c: then c is whole before anything else touches it. That leaves tokens that end inside a code point
// and reach beyond it (" \xD0", "\xB1\xE4\xB9\x90"); where such a token occurs in the text, the text is not split into atoms.
class Atoms {
  public:
    explicit Atoms(const Vocabulary& vocabulary);

    // Appends where each part begins, atom by atom; returns false, with `starts` as it was, when `piece` must be split into bytes.
    bool split(std::string_view piece, std::vector<uint32_t>& starts) const;

  private:
    struct Straddler {
        std::string bytes;
        uint32_t before = 0;  // how many of them stand before the code point it is filed under
    };
    // Straddlers that are looked for at the same code points.
    struct Straddlers {
        std::vector<Straddler> list;
        size_t bytes = 0;  // of all of them
    };
    void file(std::string_view token, TokenId id, const std::vector<TokenId>& lastMerge);
    void fileStraddler(std::string_view token, size_t leading, size_t trailing);
    void add(Straddlers& place, Straddler straddler, uint32_t firstCodePoint, uint32_t count);
    [[nodiscard]] bool straddled(std::string_view piece, size_t position, uint32_t codePoint) const;

    std::vector<uint8_t> flags_;                            // of the code points below U+10000; beyond, few are tokens
    std::unordered_map<uint32_t, Straddlers> byCodePoint_;  // the first whole one in them
    // Those without a whole code point end with one or two bytes that 64 code points share, or with one byte that 4096 share.
    std::vector<Straddlers> byBlock64_;    // [code point / 64]
    std::vector<Straddlers> byBlock4096_;  // [code point / 4096]
};

}  // namespace pal
