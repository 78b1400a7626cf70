// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/next_tokens.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

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

PAL_WIDE float largest(const float* x, size_t count) {
    Lanes top;
    top.fill(-std::numeric_limits<float>::infinity());
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (size_t l = 0; l < kLanes; ++l) top[l] = top[l] > x[i + l] ? top[l] : x[i + l];
    }
    for (; i < count; ++i) top[0] = std::max(top[0], x[i]);
    return *std::max_element(top.begin(), top.end());
}

constexpr size_t kBlock = 64;

// Where the first block of values begins, from `begin` on, that has a value above `least` or is not whole; `count` or more: there is none.
PAL_WIDE size_t firstBlockAbove(const float* x, size_t begin, size_t count, float least) {
    for (; begin + kBlock <= count; begin += kBlock) {
        int above = 0;  // all of a block, without branches
        for (size_t i = 0; i < kBlock; ++i) above |= x[begin + i] > least ? 1 : 0;
        if (above != 0) break;
    }
    return begin;
}

PAL_WIDE void addSums(const float* x, size_t count, LogitSums& out) {
    constexpr size_t kSome = 256;
    std::array<float, kSome> plain;
    std::array<float, kSome> weighted;
    std::array<double, kLanes> plainSum{};
    std::array<double, kLanes> weightedSum{};
    for (size_t begin = 0; begin < count; begin += kSome) {
        const size_t some = std::min(kSome, count - begin);
        for (size_t i = 0; i < some; ++i) plain[i] = expOf(x[begin + i] - out.top);
        for (size_t i = 0; i < some; ++i) weighted[i] = plain[i] * (x[begin + i] - out.top);
        std::fill(plain.begin() + static_cast<std::ptrdiff_t>(some), plain.end(), 0.0F);
        std::fill(weighted.begin() + static_cast<std::ptrdiff_t>(some), weighted.end(), 0.0F);
        for (size_t i = 0; i < kSome; i += kLanes) {
            for (size_t l = 0; l < kLanes; ++l) plainSum[l] += plain[i + l];
            for (size_t l = 0; l < kLanes; ++l) weightedSum[l] += weighted[i + l];
        }
    }
    for (const double sum : plainSum) out.plain += sum;
    for (const double sum : weightedSum) out.weighted += sum;
}

}  // namespace

LogitSums sumLogits(std::span<const float> logits) {
    LogitSums out;
    out.top = largest(logits.data(), logits.size());
    addSums(logits.data(), logits.size(), out);
    return out;
}

void describeNext(std::span<const float> logits, TokenProbe& probe) {
    if (logits.empty()) return;
    const LogitSums sums = sumLogits(logits);
    const double logSum = std::log(sums.plain);
    probe.nextEntropy = static_cast<float>(logSum - sums.weighted / sums.plain);
    std::vector<TokenAlternative>& next = probe.next;  // with logits first
    next.reserve(kNextTokens);
    float least = -std::numeric_limits<float>::infinity();  // of kNextTokens
    const size_t count = logits.size();
    for (size_t begin = firstBlockAbove(logits.data(), 0, count, least); begin < count;
         begin = firstBlockAbove(logits.data(), begin + kBlock, count, least)) {
        for (size_t i = begin; i < std::min(begin + kBlock, count); ++i) {
            if (logits[i] <= least) continue;
            if (std::ssize(next) == kNextTokens) next.pop_back();
            const auto at = std::find_if(next.begin(), next.end(), [&](const TokenAlternative& other) {
                return other.logProbability < logits[i];
            });
            next.insert(at, {static_cast<TokenId>(i), logits[i]});
            if (std::ssize(next) == kNextTokens) least = next.back().logProbability;
        }
    }
    for (TokenAlternative& a : next)
        a.logProbability = static_cast<float>(double{a.logProbability} - sums.top - logSum);
}

}  // namespace pal
