// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/next_tokens.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// It runs for every token that is looked at, over the whole vocabulary: loops over kLanes independent numbers, which compilers turn into vectors.

namespace pal {
namespace {

constexpr size_t kLanes = 16;
using Lanes = std::array<float, kLanes>;

// e^x for x <= 0, below e^-87 almost 0; relative error 2e-7. x = n ln2 + r, the polynomial is that of Cephes expf.
inline float expOf(float x) {
    constexpr float kMagic = 12582912.0F;  // adding it rounds to an integer that sits in the low bits
    const float clamped = x > -87.0F ? x : -87.0F;
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

float largest(std::span<const float> logits) {
    Lanes top;
    top.fill(-std::numeric_limits<float>::infinity());
    size_t i = 0;
    for (; i + kLanes <= logits.size(); i += kLanes) {
        for (size_t l = 0; l < kLanes; ++l) top[l] = top[l] > logits[i + l] ? top[l] : logits[i + l];
    }
    for (; i < logits.size(); ++i) top[0] = std::max(top[0], logits[i]);
    return *std::max_element(top.begin(), top.end());
}

// Sums of e^(x - top) and of e^(x - top) (x - top).
struct Sums {
    double plain = 0;
    double weighted = 0;
};

Sums sumsOf(std::span<const float> logits, float top) {
    constexpr size_t kBlock = 2048;  // summed in float32
    Sums out;
    for (size_t begin = 0; begin < logits.size(); begin += kBlock) {
        const std::span<const float> block = logits.subspan(begin, std::min(kBlock, logits.size() - begin));
        Lanes plain{};
        Lanes weighted{};
        size_t i = 0;
        for (; i + kLanes <= block.size(); i += kLanes) {
            for (size_t l = 0; l < kLanes; ++l) {
                const float x = block[i + l] - top;
                const float e = expOf(x);
                plain[l] += e;
                weighted[l] += e * x;
            }
        }
        for (; i < block.size(); ++i) {
            const float e = expOf(block[i] - top);
            plain[0] += e;
            weighted[0] += e * (block[i] - top);
        }
        for (const float x : plain) out.plain += x;
        for (const float x : weighted) out.weighted += x;
    }
    return out;
}

}  // namespace

void describeNext(std::span<const float> logits, TokenProbe& probe) {
    if (logits.empty()) return;
    const float top = largest(logits);
    const Sums sums = sumsOf(logits, top);
    const double logSum = std::log(sums.plain);
    probe.nextEntropy = static_cast<float>(logSum - sums.weighted / sums.plain);
    std::vector<TokenAlternative>& next = probe.next;  // with logits first
    next.reserve(kNextTokens);
    float least = -std::numeric_limits<float>::infinity();  // of kNextTokens
    for (size_t i = 0; i < logits.size(); ++i) {
        if (logits[i] <= least) continue;
        if (std::ssize(next) == kNextTokens) next.pop_back();
        const auto at = std::find_if(next.begin(), next.end(),
                                     [&](const TokenAlternative& other) { return other.logProbability < logits[i]; });
        next.insert(at, {static_cast<TokenId>(i), logits[i]});
        if (std::ssize(next) == kNextTokens) least = next.back().logProbability;
    }
    for (TokenAlternative& a : next) a.logProbability = static_cast<float>(double{a.logProbability} - top - logSum);
}

}  // namespace pal
