// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/next_tokens.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// It runs for every token, over the whole vocabulary: short loops that compilers turn into vectors, of the width that the processor has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define PAL_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PAL_WIDE
#endif

namespace pal {
namespace {

constexpr size_t kLanes = 16;  // independent sums
using Lanes = std::array<float, kLanes>;

// e^x for x <= 0, below e^-87 almost 0; relative error 2e-7. x = n ln2 + r, the polynomial is that of Cephes expf. The limit is taken on the bits, which
// grow with the size of a negative number: a comparison of floats would keep compilers from making vectors.
inline float expOf(float x) {
    constexpr float kMagic = 12582912.0F;  // adding it rounds to an integer that sits in the low bits
    constexpr auto kLowest = std::bit_cast<int32_t>(-87.0F);
    const int32_t bits = std::bit_cast<int32_t>(x) | std::numeric_limits<int32_t>::min();
    const float clamped = std::bit_cast<float>(bits < kLowest ? bits : kLowest);
    const float shifted = clamped * 1.44269504F + kMagic;
    const float n = shifted - kMagic;
    const float r = (clamped - n * 0.693359375F) + n * 2.12194440e-4F;
    float q = 1.9875691500e-4F;
    q = q * r + 1.3981999507e-3F;
    q = q * r + 8.3334519073e-3F;
    q = q * r + 4.1665795894e-2F;
    q = q * r + 1.6666665459e-1F;
    q = q * r + 5.0000001201e-1F;
    const float p = q * r * r + r + 1.0F;
    return std::bit_cast<float>(std::bit_cast<int32_t>(p) + (std::bit_cast<int32_t>(shifted) << 23));
}

// The sum of e^(x - top) (x - top), the largest being top.
PAL_WIDE double weightedSum(const float* x, size_t count, float top) {
    constexpr size_t kSome = 128;  // few enough for sums of float
    double out = 0;
    for (size_t begin = 0; begin < count; begin += kSome) {
        std::array<float, kSome> terms{};
        const size_t some = std::min(kSome, count - begin);
        for (size_t i = 0; i < some; ++i) terms[i] = expOf(x[begin + i] - top) * (x[begin + i] - top);
        Lanes sums{};
        for (size_t i = 0; i < kSome; i += kLanes) {
            for (size_t l = 0; l < kLanes; ++l) sums[l] += terms[i + l];
        }
        for (const float sum : sums) out += sum;
    }
    return out;
}

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

void describeNext(std::span<const float> logits, std::span<const LogitBlock> digest, TokenProbe& probe) {
    if (logits.empty()) return;
    std::vector<LogitBlock> own;
    if (digest.empty()) {
        own.resize(static_cast<size_t>(logitBlocks(std::ssize(logits))));
        digestLogits({logits.data(), std::ssize(logits), 1, own.data()});
        digest = own;
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
    probe.nextEntropy = static_cast<float>(logSum - weightedSum(logits.data(), logits.size(), top) / sum);
    findBest(logits, digest, probe.next);
    for (TokenAlternative& a : probe.next)
        a.logProbability = static_cast<float>(double{a.logProbability} - top - logSum);
}

}  // namespace pal
