// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernels/cuda/gemv.cuh"
#include "kernels/cuda/linear.h"
#include "kernels/cuda/linear_store.cuh"
#include "kernels/cuda/overlap.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = 8;           // of a block
constexpr int kFewRows = 2;         // of a group of warps at once, when there are few
constexpr int kManyRows = 4;        // and else
constexpr int kResidentBlocks = 4;  // of a multiprocessor, for one token
constexpr int kMaxParts = 8;        // of one launch

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
};

__device__ void store(const GemvPart& part, int64_t t, int64_t row, float value) {
    const int64_t at = t * part.outStride + row;
    if (part.outType == DType::kF32) {
        storeProduct(static_cast<float*>(part.out) + at, value, part.write);
    } else {
        storeProduct(static_cast<Bf16*>(part.out) + at, value, part.write);
    }
}

// Groups of `split` warps take RowCount rows each; `split` divides kWarps.
template <WeightFormat F, int RowCount, int Tokens, typename X>
__global__ void __launch_bounds__(kWarps* kWarp, F == WeightFormat::kBF16 && Tokens == 1 ? kResidentBlocks : 1)
    gemvKernel(Rows<const X> x, int tokens, int64_t cols, GemvParts parts, int split) {
    constexpr int kAhead = 8 / RowCount;
    __shared__ float partial[kWarps][RowCount][Tokens];
    const int warp = threadIdx.x / kWarp;
    const int64_t group = static_cast<int64_t>(blockIdx.x) * (kWarps / split) + warp / split;
    int p = 0;
    while (p + 1 < parts.count && group >= parts.part[p + 1].firstGroup) ++p;
    const GemvPart& part = parts.part[p];
    const int64_t first = (group - part.firstGroup) * RowCount;

    letNextStart();
    float sum[RowCount][Tokens] = {};
    if (first >= part.rows) {
        awaitPrevious();
    } else {
        WeightRow<F> rows[RowCount];
#pragma unroll
        for (int r = 0; r < RowCount; ++r) {
            rows[r] = rowOf<F>(part.data, part.scale, min(first + r, part.rows - 1), cols);
        }
        dotRows<F, RowCount, Tokens, kAhead, X>(rows, x, tokens, cols, warp % split, split, sum,
                                                [] { awaitPrevious(); });
    }
    if (split > 1) {
        if (threadIdx.x % kWarp == 0) {
            for (int r = 0; r < RowCount; ++r) {
                for (int t = 0; t < Tokens; ++t) partial[warp][r][t] = sum[r][t];
            }
        }
        __syncthreads();
    }
    const int lane = threadIdx.x % kWarp;
    if (warp % split != 0 || lane >= RowCount * Tokens) return;
    const int r = lane / Tokens;
    const int t = lane % Tokens;
    if (first + r >= part.rows || t >= tokens) return;
    float total = 0;
    if (split > 1) {
        for (int w = 0; w < split; ++w) total += partial[warp + w][r][t];
    } else {
#pragma unroll
        for (int i = 0; i < RowCount * Tokens; ++i) {
            if (i == lane) total = sum[i / Tokens][i % Tokens];
        }
    }
    store(part, t, first + r, total);
}

struct Plan {
    int split;    // warps per group
    double busy;  // share of the time in which the device is busy
};

// The fewest warps per group with which the device is nearly always busy, else those with which it is busiest. All blocks take the same time, so what
// counts is how full the last round of blocks is, and how evenly a group's warps share its columns.
Plan planFor(const Launch& launch, int64_t groups, int64_t cols, int laneColumns) {
    constexpr double kBusyEnough = 0.84;
    const double slots = static_cast<double>(launch.multiprocessors) * kResidentBlocks;
    const double stretches = std::ceil(static_cast<double>(cols) / (kWarp * laneColumns));
    Plan best{1, 0};
    for (int split = 1; split <= kWarps && (split == 1 || split <= stretches) && best.busy < kBusyEnough; split *= 2) {
        const double rounds = std::ceil(static_cast<double>(groups * split) / kWarps) / slots;
        const double share = stretches / split;
        const double busy = rounds / std::ceil(rounds) * share / std::ceil(share);
        if (busy > best.busy) best = {split, busy};
    }
    return best;
}

GemvParts partsOf(std::span<const LinearPart> parts, int rowCount) {
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

int64_t groupsOf(std::span<const LinearPart> parts, int rowCount) {
    int64_t groups = 0;
    for (const LinearPart& part : parts) groups += ceilDiv(part.weight.rows, rowCount);
    return groups;
}

template <WeightFormat F, int RowCount, int Tokens, typename X>
void launchRows(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts, int split) {
    const auto blocks = static_cast<unsigned>(ceilDiv(groupsOf(parts, RowCount) * split, kWarps));
    launchOverlapped(launch, gemvKernel<F, RowCount, Tokens, X>, blocks, kWarps * kWarp, 0, rowsOf<X>(x),
                     static_cast<int>(x.dim(0)), x.dim(1), partsOf(parts, RowCount), split);
}

template <WeightFormat F>
void launchFormat(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts) {
    const auto plan = [&](int rowCount) {
        return planFor(launch, groupsOf(parts, rowCount), x.dim(1), kLaneColumns<F>);
    };
    const Plan few = plan(kFewRows);
    const Plan many = plan(kManyRows);
    withElement(x.dtype, [&](auto act) {
        using X = decltype(act);
        if (x.dim(0) > 2) {
            launchRows<F, kFewRows, kGemvTokens, X>(launch, x, parts, few.split);
        } else if (x.dim(0) == 2) {
            launchRows<F, kFewRows, 2, X>(launch, x, parts, few.split);
        } else if (F == WeightFormat::kBF16 && many.busy >= few.busy) {
            launchRows<F, kManyRows, 1, X>(launch, x, parts, many.split);
        } else {
            launchRows<F, kFewRows, 1, X>(launch, x, parts, few.split);
        }
    });
}

}  // namespace

void linearGemv(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts) {
    while (!parts.empty()) {
        const auto now = parts.first(std::min<size_t>(parts.size(), kMaxParts));
        parts = parts.subspan(now.size());
        switch (now[0].weight.format) {
            case WeightFormat::kF32:
                launchFormat<WeightFormat::kF32>(launch, x, now);
                break;
            case WeightFormat::kBF16:
                launchFormat<WeightFormat::kBF16>(launch, x, now);
                break;
            case WeightFormat::kMxfp4:
                launchFormat<WeightFormat::kMxfp4>(launch, x, now);
                break;
        }
    }
}

}  // namespace pal::cuda
