// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/gemv.cuh"
#include "kernels/cuda/linear.h"
#include "kernels/cuda/linear_store.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = 8;     // of a block
constexpr int kRows = 2;      // of a group of warps at once
constexpr int kMaxParts = 8;  // of one launch

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

// Groups of `split` warps take kRows rows each; `split` divides kWarps.
template <WeightFormat F, int Tokens, typename X>
__global__ void __launch_bounds__(kWarps* kWarp)
    gemvKernel(Rows<const X> x, int tokens, int64_t cols, GemvParts parts, int split) {
    __shared__ float partial[kWarps][kRows][Tokens];
    const int warp = threadIdx.x / kWarp;
    const int64_t group = static_cast<int64_t>(blockIdx.x) * (kWarps / split) + warp / split;
    int p = 0;
    while (p + 1 < parts.count && group >= parts.part[p + 1].firstGroup) ++p;
    const GemvPart& part = parts.part[p];
    const int64_t first = (group - part.firstGroup) * kRows;

    float sum[kRows][Tokens] = {};
    if (first < part.rows) {
        WeightRow<F> rows[kRows];
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            rows[r] = rowOf<F>(part.data, part.scale, min(first + r, part.rows - 1), cols);
        }
        dotRows<F, kRows, Tokens, X>(rows, x, tokens, cols, warp % split, split, sum);
    }
    if (split > 1) {
        if (threadIdx.x % kWarp == 0) {
            for (int r = 0; r < kRows; ++r) {
                for (int t = 0; t < Tokens; ++t) partial[warp][r][t] = sum[r][t];
            }
        }
        __syncthreads();
    }
    const int lane = threadIdx.x % kWarp;
    if (warp % split != 0 || lane >= kRows * Tokens) return;
    const int r = lane / Tokens;
    const int t = lane % Tokens;
    if (first + r >= part.rows || t >= tokens) return;
    float total = 0;
    if (split > 1) {
        for (int w = 0; w < split; ++w) total += partial[warp + w][r][t];
    } else {
#pragma unroll
        for (int i = 0; i < kRows * Tokens; ++i) {
            if (i == lane) total = sum[i / Tokens][i % Tokens];
        }
    }
    store(part, t, first + r, total);
}

// Warps per group, so that even a small matrix occupies the device.
int splitFor(const Launch& launch, int64_t groups, int64_t cols, int laneColumns) {
    const int64_t wanted = static_cast<int64_t>(launch.multiprocessors) * 4 * kWarps;
    int split = 1;
    while (split < kWarps && groups * split * 2 <= wanted &&
           cols >= static_cast<int64_t>(kWarp) * laneColumns * split * 2) {
        split *= 2;
    }
    return split;
}

template <WeightFormat F>
void launchFormat(const Launch& launch, const ConstTensorView& x, const GemvParts& parts, int64_t groups) {
    const int tokens = static_cast<int>(x.dim(0));
    const int64_t cols = x.dim(1);
    const int split = splitFor(launch, groups, cols, kLaneColumns<F>);
    const auto blocks = static_cast<unsigned>(ceilDiv(groups * split, kWarps));
    withElement(x.dtype, [&](auto act) {
        using X = decltype(act);
        const Rows<const X> rows = rowsOf<X>(x);
        if (tokens == 1) {
            gemvKernel<F, 1, X><<<blocks, kWarps * kWarp, 0, launch.stream>>>(rows, tokens, cols, parts, split);
        } else if (tokens == 2) {
            gemvKernel<F, 2, X><<<blocks, kWarps * kWarp, 0, launch.stream>>>(rows, tokens, cols, parts, split);
        } else {
            gemvKernel<F, kGemvTokens, X>
                <<<blocks, kWarps * kWarp, 0, launch.stream>>>(rows, tokens, cols, parts, split);
        }
    });
}

}  // namespace

void linearGemv(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts) {
    while (!parts.empty()) {
        const auto now = parts.first(std::min<size_t>(parts.size(), kMaxParts));
        parts = parts.subspan(now.size());
        GemvParts table{};
        int64_t groups = 0;
        for (const LinearPart& part : now) {
            table.part[table.count++] = {part.weight.data,   part.weight.scale, part.out.data,
                                         part.out.stride[0], part.weight.rows,  groups,
                                         part.out.dtype,     part.write};
            groups += ceilDiv(part.weight.rows, kRows);
        }
        switch (now[0].weight.format) {
            case WeightFormat::kF32:
                launchFormat<WeightFormat::kF32>(launch, x, table, groups);
                break;
            case WeightFormat::kBF16:
                launchFormat<WeightFormat::kBF16>(launch, x, table, groups);
                break;
            case WeightFormat::kMxfp4:
                launchFormat<WeightFormat::kMxfp4>(launch, x, table, groups);
                break;
        }
    }
}

}  // namespace pal::cuda
