// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/text/atoms.h"
#include "engine/text/vocabulary.h"

namespace pal {

// Byte-pair encoding of pieces: starting from single bytes, the adjacent pair whose concatenation is the token with the lowest id is
// merged (leftmost on ties) until no pair is a token. Holds scratch memory, so one per thread; the tables must outlive it.
class BpeEncoder {
  public:
    BpeEncoder(const Vocabulary& vocabulary, const Atoms& atoms) : vocabulary_(vocabulary), atoms_(atoms) {}

    // Appends the ids of a non-empty piece that is not itself a token. O(n log n) for n bytes.
    void encode(std::string_view piece, std::vector<TokenId>& out);

  private:
    struct Part {
        uint32_t start = 0;                  // first byte in the piece
        TokenId merged = Vocabulary::kNone;  // the token that this part and the next one would form
    };
    struct Link {  // of the part that begins at the byte it is indexed by
        uint32_t previous = 0;
        uint32_t next = 0;  // also the end of this part
        TokenId merged = Vocabulary::kNone;
    };
    struct Candidate {
        TokenId merged = Vocabulary::kNone;
        uint32_t start = 0;
        // Makes the standard heap a queue of the lowest id, leftmost first.
        friend bool operator<(Candidate a, Candidate b) {
            return a.merged != b.merged ? a.merged > b.merged : a.start > b.start;
        }
    };
    void encodeShort(std::string_view piece, std::vector<TokenId>& out);
    void encodeLong(std::string_view piece, std::vector<TokenId>& out);
    void propose(std::string_view piece, uint32_t start);

    const Vocabulary& vocabulary_;
    const Atoms& atoms_;
    std::vector<uint32_t> starts_;  // of the parts to merge, and the piece's end
    std::vector<Part> parts_;
    std::vector<Link> links_;
    std::vector<Candidate> heap_;
};

}  // namespace pal
