// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/cuda/linear.h"
#include "kernels/cuda/linear_store.cuh"

// Products of a few tokens with several weights in one launch: groups of warps take some rows each, of whichever weight they fall into.

namespace pal::cuda {

inline constexpr int kGemvWarps = 8;  // of a block
inline constexpr int kMaxParts = 8;   // of one launch

struct GemvPart {
    const void* data;
    const uint8_t* scale;
    void* out;
    int64_t outStride;
    int64_t rows;
    int64_t firstGroup;  // of the launch
    DType outType;
    LinearPart::Write write;
};

struct GemvParts {
    GemvPart part[kMaxParts];
    int count;
    [[nodiscard]] __device__ const GemvPart& of(int64_t group) const {
        int p = 0;
        while (p + 1 < count && group >= part[p + 1].firstGroup) ++p;
        return part[p];
    }
};

__device__ inline void storeOf(const GemvPart& part, int64_t t, int64_t row, float value) {
    const int64_t at = t * part.outStride + row;
    if (part.outType == DType::kF32) {
        storeProduct(static_cast<float*>(part.out) + at, value, part.write);
    } else {
        storeProduct(static_cast<Bf16*>(part.out) + at, value, part.write);
    }
}

inline int64_t gemvGroups(std::span<const LinearPart> parts, int rowCount) {
    int64_t groups = 0;
    for (const LinearPart& part : parts) groups += ceilDiv(part.weight.rows, rowCount);
    return groups;
}

inline GemvParts gemvParts(std::span<const LinearPart> parts, int rowCount) {
    GemvParts out{};
    int64_t groups = 0;
    for (const LinearPart& part : parts) {
        out.part[out.count++] = {part.weight.data,   part.weight.scale, part.out.data,
                                 part.out.stride[0], part.weight.rows,  groups,
                                 part.out.dtype,     part.write};
        groups += ceilDiv(part.weight.rows, rowCount);
    }
    return out;
}

struct GemvPlan {
    int split;    // warps per group
    double busy;  // share of the time in which the device is busy
};

// The fewest warps per group with which the device is nearly always busy, else those with which it is busiest. All blocks take the same time, so what
// counts is how full the last round of blocks is, and how evenly a group's warps share its columns, of which one takes `stretch` at a time.
inline GemvPlan gemvPlan(const Launch& launch, int residentBlocks, int64_t groups, int64_t cols, int stretch) {
    constexpr double kBusyEnough = 0.84;
    const double slots = static_cast<double>(launch.multiprocessors) * residentBlocks;
    const double stretches = std::ceil(static_cast<double>(cols) / stretch);
    GemvPlan best{1, 0};
    for (int split = 1; split <= kGemvWarps && (split == 1 || split <= stretches) && best.busy < kBusyEnough;
         split *= 2) {
        const double rounds = std::ceil(static_cast<double>(groups * split) / kGemvWarps) / slots;
        const double share = stretches / split;
        const double busy = rounds / std::ceil(rounds) * share / std::ceil(share);
        if (busy > best.busy) best = {split, busy};
    }
    return best;
}

}  // namespace pal::cuda
