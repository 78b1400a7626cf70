// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemv.cuh"
#include "kernels/cuda/gemv_parts.cuh"
#include "kernels/cuda/overlap.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = kGemvWarps;
constexpr int kFewRows = 2;         // of a group of warps at once, when there are few
constexpr int kManyRows = 4;        // and else
constexpr int kResidentBlocks = 4;  // of a multiprocessor, for one token

// Groups of `split` warps take RowCount rows each; `split` divides kWarps.
template <WeightFormat F, int RowCount, int Tokens, typename X>
__global__ void __launch_bounds__(kWarps* kWarp, F == WeightFormat::kBF16 && Tokens == 1 ? kResidentBlocks : 1)
    gemvKernel(Rows<const X> x, int tokens, int64_t cols, GemvParts parts, int split) {
    constexpr int kAhead = 8 / RowCount;
    __shared__ float partial[kWarps][RowCount][Tokens];
    const int warp = threadIdx.x / kWarp;
    const int64_t group = static_cast<int64_t>(blockIdx.x) * (kWarps / split) + warp / split;
    const GemvPart& part = parts.of(group);
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
    storeOf(part, t, first + r, total);
}

template <WeightFormat F, int RowCount, int Tokens, typename X>
void launchRows(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts, int split) {
    const auto blocks = static_cast<unsigned>(ceilDiv(gemvGroups(parts, RowCount) * split, kWarps));
    launchOverlapped(launch, gemvKernel<F, RowCount, Tokens, X>, blocks, kWarps * kWarp, 0, rowsOf<X>(x),
                     static_cast<int>(x.dim(0)), x.dim(1), gemvParts(parts, RowCount), split);
}

template <WeightFormat F>
void launchFormat(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts) {
    const auto plan = [&](int rowCount) {
        return gemvPlan(launch, kResidentBlocks, gemvGroups(parts, rowCount), x.dim(1), kWarp * kLaneColumns<F>);
    };
    const GemvPlan few = plan(kFewRows);
    const GemvPlan many = plan(kManyRows);
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
