// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/glu.cuh"
#include "kernels/cuda/moe_stages.h"
#include "kernels/cuda/tensor_tile.cuh"

namespace pal::cuda {
namespace {

constexpr int kSortThreads = 1024;

__device__ int widthOf(int rows) {
    int width = 0;
    while (width + 1 < kTileWidths && rows > tileWidth(width)) ++width;
    return width;
}

// Calls f(rows done before, rows) for each tile of an expert.
template <typename F>
__device__ void forTiles(int32_t count, int tileTokens, const F& f) {
    const int32_t of = (count + tileTokens - 1) / tileTokens;
    const int32_t each = of == 0 ? 0 : (count + of - 1) / of;
    for (int32_t done = 0; done < count; done += each) f(done, min(each, count - done));
}

__device__ void makeTiles(const int32_t* count, int32_t* place, int64_t experts, int tileTokens,
                          const SortedPicks& out) {
    int32_t next[kTileWidths] = {};
    for (int64_t e = 0; e < experts; ++e) {
        forTiles(count[e], tileTokens, [&](int32_t, int32_t rows) { ++next[widthOf(rows)]; });
    }
    int32_t tiles = 0;
    for (int w = 0; w < kTileWidths; ++w) {
        out.widthFirst[w] = tiles;
        tiles += next[w];
        next[w] = out.widthFirst[w];
    }
    out.widthFirst[kTileWidths] = tiles;
    int32_t rows = 0;
    for (int64_t e = 0; e < experts; ++e) {
        place[e] = rows;
        forTiles(count[e], tileTokens, [&](int32_t done, int32_t of) {
            const int32_t tile = next[widthOf(of)]++;
            out.tileExpert[tile] = static_cast<int32_t>(e);
            out.tileFirst[tile] = rows + done;
            out.tileRows[tile] = of;
        });
        rows += count[e];
    }
}

// Counts, places and tiles of all experts, in one block. Which of an expert's tokens comes first changes no result: rows are independent.
__global__ void sortKernel(Rows<const int32_t> index, int64_t tokens, int64_t picks, int64_t experts, int tileTokens,
                           SortedPicks out) {
    extern __shared__ int32_t counters[];
    int32_t* count = counters;
    int32_t* place = counters + experts;
    for (int64_t e = threadIdx.x; e < experts; e += kSortThreads) count[e] = 0;
    __syncthreads();
    for (int64_t p = threadIdx.x; p < tokens * picks; p += kSortThreads)
        atomicAdd(&count[index[p / picks][p % picks]], 1);
    __syncthreads();
    if (threadIdx.x == 0) makeTiles(count, place, experts, tileTokens, out);
    __syncthreads();
    for (int64_t p = threadIdx.x; p < tokens * picks; p += kSortThreads) {
        out.pick[atomicAdd(&place[index[p / picks][p % picks]], 1)] = static_cast<int32_t>(p);
    }
}

// Row r of a tile: blocks of 8 rows of the gate and of the up matrix in turn, so that one lane holds both of an inner column.
template <WeightFormat F>
struct GateUpRows {
    WeightView gate;
    WeightView up;
    int64_t first;  // inner column of row 0
    __device__ WeightRow<F> operator()(int r) const {
        const int64_t row = first + r / 16 * 8 + r % 8;
        if (row >= gate.rows) return {nullptr, nullptr};
        const WeightView& from = r / 8 % 2 == 0 ? gate : up;
        return rowOf<F>(from.data, from.scale, row, from.cols);
    }
};

template <WeightFormat F>
__global__ void __launch_bounds__(kTileThreads)
    gateUpKernel(Rows<const Bf16> x, int64_t picks, const ExpertWeights* experts, SortedPicks sorted, GluParams params,
                 int64_t inner, Bf16* out) {
    extern __shared__ char shared[];
    const int tile = static_cast<int>(blockIdx.x);
    if (tile >= sorted.widthFirst[kTileWidths]) return;
    const ExpertWeights& expert = experts[sorted.tileExpert[tile]];
    const int32_t* pick = sorted.pick + sorted.tileFirst[tile];
    const int rows = sorted.tileRows[tile];
    const int64_t n0 = static_cast<int64_t>(blockIdx.y) * (kOutputs / 2);
    const auto tokenRow = [=](int row) { return row < rows ? x[pick[row] / picks] : nullptr; };
    const GateUpRows<F> outputRow{expert.gate, expert.up, n0};
    TileSums<kMoeTokens> sums = {};
    TensorTile<F, kMoeTokens, decltype(tokenRow), GateUpRows<F>>(tokenRow, outputRow, expert.gate.cols,
                                                                 expert.gate.data, shared)
        .run(sums);
    using Shape = TileShape<kMoeTokens>;
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int token = warp / Shape::kWarpsAcross * Shape::kWarpTokens + lane / 4;
    const int64_t column = n0 + warp % Shape::kWarpsAcross * (Shape::kWarpOutputs / 2) + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < Shape::kMmaDown; ++i) {
#pragma unroll
        for (int j = 0; j < Shape::kMmaAcross; j += 2) {
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const int row = token + i * 16 + r / 2 * 8;
                const int64_t c = column + j / 2 * 8 + r % 2;
                if (row >= rows || c >= inner) continue;
                out[pick[row] * inner + c] =
                    fromFloat<Bf16>(gatedUnit(params, rounded<Bf16>(sums[i][j][r]), rounded<Bf16>(sums[i][j + 1][r])));
            }
        }
    }
}

template <WeightFormat F>
__global__ void __launch_bounds__(kTileThreads)
    downKernel(const Bf16* inner, const ExpertWeights* experts, SortedPicks sorted, int64_t width, Bf16* out) {
    extern __shared__ char shared[];
    const int tile = static_cast<int>(blockIdx.x);
    if (tile >= sorted.widthFirst[kTileWidths]) return;
    const WeightView down = experts[sorted.tileExpert[tile]].down;
    const int32_t* pick = sorted.pick + sorted.tileFirst[tile];
    const int rows = sorted.tileRows[tile];
    const int64_t n0 = static_cast<int64_t>(blockIdx.y) * kOutputs;
    const auto tokenRow = [=](int row) { return row < rows ? inner + pick[row] * down.cols : nullptr; };
    const auto outputRow = [=](int row) {
        return n0 + row < width ? rowOf<F>(down.data, down.scale, n0 + row, down.cols) : WeightRow<F>{nullptr, nullptr};
    };
    TileSums<kMoeTokens> sums = {};
    TensorTile<F, kMoeTokens, decltype(tokenRow), decltype(outputRow)>(tokenRow, outputRow, down.cols, down.data,
                                                                       shared)
        .run(sums);
    forEachPair<kMoeTokens>(sums, [&](int token, int output, float first, float second) {
        if (token >= rows) return;
        Bf16* row = out + pick[token] * width + n0 + output;
        if (n0 + output < width) row[0] = fromFloat<Bf16>(first);
        if (n0 + output + 1 < width) row[1] = fromFloat<Bf16>(second);
    });
}

template <WeightFormat F>
void launchGateUp(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const SortedPicks& sorted,
                  Bf16* inner) {
    constexpr int kShared = TileShape<kMoeTokens>::kSharedBytes;
    cudaFuncSetAttribute(gateUpKernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    const dim3 grid{static_cast<unsigned>(sorted.maxTiles), static_cast<unsigned>(ceilDiv(table.inner, kOutputs / 2))};
    gateUpKernel<F><<<grid, kTileThreads, kShared, launch.stream>>>(
        rowsOf<Bf16>(args.x), args.index.dim(1), table.experts, sorted, args.glu, table.inner, inner);
}

template <WeightFormat F>
void launchDown(const Launch& launch, const ExpertTable& table, const SortedPicks& sorted, const MoeRows& out) {
    constexpr int kShared = TileShape<kMoeTokens>::kSharedBytes;
    cudaFuncSetAttribute(downKernel<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    const dim3 grid{static_cast<unsigned>(sorted.maxTiles), static_cast<unsigned>(ceilDiv(table.width, kOutputs))};
    downKernel<F><<<grid, kTileThreads, kShared, launch.stream>>>(static_cast<const Bf16*>(out.inner), table.experts,
                                                                  sorted, table.width, static_cast<Bf16*>(out.rows));
}

}  // namespace

void sortPicks(const Launch& launch, const MoeArgs& args, int64_t experts, int tileTokens, const SortedPicks& out) {
    const size_t counts = sizeof(int32_t) * static_cast<size_t>(2 * experts);
    cudaFuncSetAttribute(sortKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(counts));
    sortKernel<<<1, kSortThreads, counts, launch.stream>>>(rowsOf<int32_t>(args.index), args.x.dim(0),
                                                           args.index.dim(1), experts, tileTokens, out);
}

void expertsGrouped(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const SortedPicks& sorted,
                    const MoeRows& out) {
    auto* inner = static_cast<Bf16*>(out.inner);
    if (table.inFormat == WeightFormat::kMxfp4) {
        launchGateUp<WeightFormat::kMxfp4>(launch, args, table, sorted, inner);
    } else {
        launchGateUp<WeightFormat::kBF16>(launch, args, table, sorted, inner);
    }
    if (table.outFormat == WeightFormat::kMxfp4) {
        launchDown<WeightFormat::kMxfp4>(launch, table, sorted, out);
    } else {
        launchDown<WeightFormat::kBF16>(launch, table, sorted, out);
    }
}

}  // namespace pal::cuda
