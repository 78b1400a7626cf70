// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/moe_stages.h"

namespace pal::cuda {
namespace {

constexpr int kThreads = 256;

template <typename T>
__global__ void combineKernel(const T* rows, Rows<const float> weight, int64_t picks, int64_t width, Rows<T> out) {
    const int64_t t = blockIdx.x;
    const int64_t c = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (c >= width) return;
    float sum = 0;
    for (int64_t i = 0; i < picks; ++i) sum += weight[t][i] * toFloat(rows[(t * picks + i) * width + c]);
    out[t][c] = fromFloat<T>(sum);
}

// Tiles hold tokens of one expert; an expert with few tokens wastes the rest of its tile, so reading weights per pick stays ahead a while.
bool worthSorting(const MoeArgs& args, const ExpertTable& table) {
    const bool tensorCores =
        args.x.dtype == DType::kBF16 && table.inFormat != WeightFormat::kF32 && table.outFormat != WeightFormat::kF32;
    return tensorCores && args.x.dim(0) > 8;
}

}  // namespace

void combine(const Launch& launch, const MoeArgs& args, const void* rows) {
    const int64_t width = args.out.dim(1);
    const dim3 grid{static_cast<unsigned>(args.out.dim(0)), static_cast<unsigned>(ceilDiv(width, kThreads))};
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        combineKernel<T><<<grid, kThreads, 0, launch.stream>>>(static_cast<const T*>(rows), rowsOf<float>(args.weight),
                                                               args.index.dim(1), width, rowsOf<T>(args.out));
    });
}

bool moe(const Launch& launch, const MoeArgs& args, const ExpertTable& table) {
    const int64_t picks = args.x.dim(0) * args.index.dim(1);
    const auto act = static_cast<int64_t>(dtypeBytes(args.x.dtype));
    const int64_t innerBytes = picks * table.inner * act;
    const int64_t rowBytes = picks * table.width * act;
    const bool sort = worthSorting(args, table);
    const int64_t maxTiles = ceilDiv(picks, kMoeTokens) + std::min(picks, table.count);
    size_t bytes = Scratch::bytesFor<char>(innerBytes) + Scratch::bytesFor<char>(rowBytes);
    if (sort) {
        bytes += Scratch::bytesFor<int32_t>(picks) + 3 * Scratch::bytesFor<int32_t>(maxTiles) +
                 Scratch::bytesFor<int32_t>(1);
    }
    Scratch& scratch = launch.scratch;
    if (!scratch.begin(bytes)) return false;
    const MoeRows rows{scratch.take<char>(innerBytes), scratch.take<char>(rowBytes)};
    if (sort) {
        SortedPicks sorted{};
        sorted.maxTiles = maxTiles;
        sorted.pick = scratch.take<int32_t>(picks);
        sorted.tileExpert = scratch.take<int32_t>(maxTiles);
        sorted.tileFirst = scratch.take<int32_t>(maxTiles);
        sorted.tileRows = scratch.take<int32_t>(maxTiles);
        sorted.tiles = scratch.take<int32_t>(1);
        expertsGrouped(launch, args, table, sorted, rows);
    } else {
        expertsGemv(launch, args, table, rows);
    }
    combine(launch, args, rows.rows);
    return true;
}

}  // namespace pal::cuda
