// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/next_tokens.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace pal {
namespace {

// The best so far with their logits, best first, of equal ones the earlier.
class Best {
  public:
    explicit Best(std::vector<TokenAlternative>& next) : next_(next) { next_.reserve(kNextTokens + 1); }
    [[nodiscard]] float least() const { return least_; }  // what is not above it has no place
    void add(TokenId token, float logit) {
        if (logit <= least_) return;
        const auto at = std::find_if(next_.begin(), next_.end(),
                                     [&](const TokenAlternative& other) { return other.logProbability < logit; });
        next_.insert(at, {token, logit});
        if (std::ssize(next_) > kNextTokens) next_.pop_back();
        if (std::ssize(next_) == kNextTokens) least_ = next_.back().logProbability;
    }

  private:
    std::vector<TokenAlternative>& next_;
    float least_ = -std::numeric_limits<float>::infinity();
};

// As many blocks as tokens are wanted have a logit of at least this; what is below is not looked at.
float reachedByBlocks(std::span<const LogitBlock> blocks) {
    std::vector<TokenAlternative> largest;
    Best best(largest);
    for (const LogitBlock& block : blocks) best.add(0, block.largest);
    return best.least();
}

void findBest(std::span<const float> logits, std::span<const LogitBlock> blocks, std::vector<TokenAlternative>& next) {
    const float reached = reachedByBlocks(blocks);
    Best best(next);
    for (size_t b = 0; b < blocks.size(); ++b) {
        if (blocks[b].largest < reached || blocks[b].largest <= best.least()) continue;
        const size_t end = std::min(logits.size(), (b + 1) * kLogitBlock);
        for (size_t i = b * kLogitBlock; i < end; ++i) best.add(static_cast<TokenId>(i), logits[i]);
    }
}

}  // namespace

void describeNext(std::span<const float> logits, std::span<const LogitBlock> digest, std::span<const float> moments,
                  TokenProbe& probe) {
    if (logits.empty()) return;
    std::vector<LogitBlock> ownDigest;
    std::vector<float> ownMoments;
    if (digest.empty() || moments.empty()) {
        const auto blocks = static_cast<size_t>(logitBlocks(std::ssize(logits)));
        ownDigest.resize(blocks);
        ownMoments.resize(blocks);
        digestLogits({logits.data(), std::ssize(logits), 1, ownDigest.data(), ownMoments.data()});
        digest = ownDigest;
        moments = ownMoments;
    }
    float top = -std::numeric_limits<float>::infinity();
    uint64_t plain = 0;
    for (const LogitBlock& block : digest) {
        if (block.broken != 0) return;
        top = std::max(top, block.largest);
        plain += block.plain;
    }
    const double sum = std::ldexp(static_cast<double>(plain), -kLogitMassBits);
    const double logSum = std::log(sum);
    probe.nextEntropy = static_cast<float>(logSum - std::accumulate(moments.begin(), moments.end(), 0.0) / sum);
    findBest(logits, digest, probe.next);
    for (TokenAlternative& a : probe.next)
        a.logProbability = static_cast<float>(double{a.logProbability} - top - logSum);
}

}  // namespace pal
