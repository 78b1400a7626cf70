// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace pal {

// What a draw needs to know of many logits without looking at each: of blocks of 64, the largest one and how much the block weighs.
//
// A logit x weighs e^((x - top) / temperature), top being the largest of all, as a whole number of 2^-44 (2^44 for the largest): the exponential in
// float32, rounded down. Float32 operations in a fixed order and sums of whole numbers: every backend gives the same bits, so a draw does not depend on
// where the logits were looked at.
inline constexpr int64_t kLogitBlock = 64;
inline constexpr int kLogitMassBits = 44;

struct LogitBlock {
    uint64_t mass = 0;    // sum of the weights
    uint64_t plain = 0;   // the same at temperature 1
    float largest = 0;    // of the finite ones
    uint32_t broken = 0;  // how many are infinite or NaN; with one in any block, no block's sums mean anything
};

struct LogitDigestArgs {
    const float* logits = nullptr;  // [count]
    int64_t count = 0;              // 1 .. 2^19
    float temperature = 1;          // above 0
    LogitBlock* blocks = nullptr;   // [ceil(count / 64)]
    // Of each block the sum of (x - top) e^(x - top), in float32, for who looks; or absent. With `plain` it gives the distribution's entropy: ln of the sum
    // of weights minus the sum of moments over it. What weighs below e^-87 may count as 0.
    float* moments = nullptr;  // [ceil(count / 64)]
};

// Of logits in host memory, and the weight of each of some of them. Defined by the CPU kernels.
void digestLogits(const LogitDigestArgs& args);
void weighLogits(std::span<const float> logits, float top, float temperature, std::span<uint64_t> weights);

[[nodiscard]] constexpr int64_t logitBlocks(int64_t count) {
    return (count + kLogitBlock - 1) / kLogitBlock;
}

}  // namespace pal
