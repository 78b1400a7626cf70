// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/api/tokenizer.h"
#include "kernels/api/logit_digest.h"

namespace pal {

// Tokens by falling logit, equals by rising id, one at a time. Only the blocks that have something to give are looked at, so the first hundred of a large
// vocabulary cost microseconds; who wants thousands gets the rest sorted.
class LikelyFirst {
  public:
    // Both must live as long. `blocks` is the digest of `logits`, all of which are finite.
    LikelyFirst(std::span<const float> logits, std::span<const LogitBlock> blocks);

    // Nothing after the last one.
    [[nodiscard]] std::optional<TokenId> next();

  private:
    // A block by the largest of its logits that have not been given.
    struct Entry {
        float logit;
        int32_t block;
        // Heap order: the one to give next is the greatest.
        friend bool operator<(const Entry& a, const Entry& b) {
            return a.logit != b.logit ? a.logit < b.logit : a.block > b.block;
        }
    };
    // Where a block stands: the last token that it gave.
    struct Given {
        float logit;
        int32_t place;  // in the block, -1 before the first
    };

    static constexpr size_t kByBlocks = 2048;  // so many before the rest is sorted

    [[nodiscard]] std::span<const float> valuesOf(int32_t block) const;
    [[nodiscard]] TokenId nextOfBlocks();
    void sortRest();

    std::span<const float> logits_;
    std::vector<Entry> heap_;
    std::vector<Given> given_;    // by block
    size_t count_ = 0;            // given by blocks
    std::vector<uint64_t> rest_;  // the next one last: a key that grows as logits fall, and the id
};

}  // namespace pal
