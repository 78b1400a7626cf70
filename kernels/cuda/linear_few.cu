// SPDX-License-Identifier: Apache-2.0
// Products of 2 to 8 tokens with bf16 weights. Reading the weights is all the work, so they go from memory straight to the registers of mma.sync: which
// column is which of a product's 16 is free as long as both operands agree, so each lane takes 16 contiguous bytes of a weight row and of a token row.
#include "kernels/cuda/gemv_parts.cuh"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/reduce.cuh"
#include "kernels/cuda/tensor_core.cuh"

namespace pal::cuda {
namespace {

constexpr int kTileRows = 8;        // weight rows of a product
constexpr int kStretch = 64;        // columns that a warp takes at a time: 128 bytes of each row
constexpr int kResidentBlocks = 2;  // of a multiprocessor
constexpr int kLoads = 16;          // of a lane under way
constexpr int kLaneColumns = 8;     // of a load
constexpr int kPieces = 2;          // loads of a lane per row and stretch

// Zeros behind the end of the row.
__device__ uint4 loadWeights(const Bf16* row, int column, int cols) {
    return column < cols ? __ldcs(reinterpret_cast<const uint4*>(row + column)) : uint4{};
}
__device__ uint4 loadTokens(const Bf16* row, int column, int cols) {
    return column < cols ? *reinterpret_cast<const uint4*>(row + column) : uint4{};
}

// c [tokens x rows] += 32 columns.
__device__ void addPiece(float (&c)[4], const uint4& x, const uint4& w) {
    const uint32_t first[4] = {x.x, 0, x.y, 0};  // tokens 8 to 15 do not exist
    const uint32_t second[4] = {x.z, 0, x.w, 0};
    multiply(c, first, w.x, w.y);
    multiply(c, second, w.z, w.w);
}

// Groups of `split` warps take Tiles * kTileRows rows each; `split` divides kGemvWarps.
template <int Tiles>
__global__ void __launch_bounds__(kGemvWarps* kWarp, kResidentBlocks)
    fewTokensKernel(Rows<const Bf16> x, int tokens, int cols, GemvParts parts, int split) {
    constexpr int kRows = Tiles * kTileRows;
    constexpr int kAhead = kLoads / (kPieces * Tiles);
    __shared__ float partial[kGemvWarps][kRows][kFewTokens];
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int64_t group = static_cast<int64_t>(blockIdx.x) * (kGemvWarps / split) + warp / split;
    const GemvPart& part = parts.of(group);
    const int64_t firstRow = (group - part.firstGroup) * kRows;

    letNextStart();
    float sum[Tiles][4] = {};
    if (firstRow >= part.rows) {
        awaitPrevious();
    } else {
        const Bf16* rows[Tiles];
#pragma unroll
        for (int r = 0; r < Tiles; ++r) {
            rows[r] =
                static_cast<const Bf16*>(part.data) + min(firstRow + r * kTileRows + lane / 4, part.rows - 1) * cols;
        }
        const int step = kStretch * split;
        const int first = warp % split * kStretch + lane % 4 * kLaneColumns;
        uint4 weights[kAhead][Tiles][kPieces];
        const auto load = [&](uint4(&to)[Tiles][kPieces], int column) {
#pragma unroll
            for (int r = 0; r < Tiles; ++r) {
#pragma unroll
                for (int p = 0; p < kPieces; ++p) to[r][p] = loadWeights(rows[r], column + p * (kStretch / 2), cols);
            }
        };
#pragma unroll
        for (int a = 0; a < kAhead; ++a) load(weights[a], first + a * step);
        awaitPrevious();
        const Bf16* token = x[min(lane / 4, tokens - 1)];
        for (int c = first; c < cols + lane % 4 * kLaneColumns; c += kAhead * step) {
#pragma unroll
            for (int a = 0; a < kAhead; ++a) {
                const int now = c + a * step;
#pragma unroll
                for (int p = 0; p < kPieces; ++p) {
                    const uint4 values = loadTokens(token, now + p * (kStretch / 2), cols);
#pragma unroll
                    for (int r = 0; r < Tiles; ++r) addPiece(sum[r], values, weights[a][r][p]);
                }
                load(weights[a], now + kAhead * step);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < Tiles; ++r) {
#pragma unroll
        for (int i = 0; i < 2; ++i) partial[warp][r * kTileRows + lane % 4 * 2 + i][lane / 4] = sum[r][i];
    }
    __syncthreads();
    const int group0 = warp / split * split;  // first warp of the group
    for (int i = warp % split * kWarp + lane; i < kRows * kFewTokens; i += split * kWarp) {
        const int64_t t = i / kRows;
        const int r = i % kRows;
        if (t >= tokens || firstRow + r >= part.rows) continue;
        float total = 0;
        for (int w = 0; w < split; ++w) total += partial[group0 + w][r][t];
        storeOf(part, t, firstRow + r, total);
    }
}

template <int Tiles>
void launchTiles(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts, int split) {
    constexpr int kRows = Tiles * kTileRows;
    const auto blocks = static_cast<unsigned>(ceilDiv(gemvGroups(parts, kRows) * split, kGemvWarps));
    launchOverlapped(launch, fewTokensKernel<Tiles>, blocks, kGemvWarps * kWarp, 0, rowsOf<Bf16>(x),
                     static_cast<int>(x.dim(0)), static_cast<int>(x.dim(1)), gemvParts(parts, kRows), split);
}

}  // namespace

void linearFew(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts) {
    while (!parts.empty()) {
        const auto now = parts.first(std::min<size_t>(parts.size(), kMaxParts));
        parts = parts.subspan(now.size());
        const auto plan = [&](int tiles) {
            return gemvPlan(launch, kResidentBlocks, gemvGroups(now, tiles * kTileRows), x.dim(1), kStretch);
        };
        const GemvPlan one = plan(1);
        const GemvPlan two = plan(2);
        if (two.busy >= one.busy) {
            launchTiles<2>(launch, x, now, two.split);
        } else {
            launchTiles<1>(launch, x, now, one.split);
        }
    }
}

}  // namespace pal::cuda
