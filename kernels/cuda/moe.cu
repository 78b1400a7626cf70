// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

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
constexpr int64_t kTokensWithoutSorting = 8;

struct Shape {
    bool packed;  // all weights MXFP4
    bool tensor;  // tensor cores take the operands
    bool large;   // worth sorting
    bool wgmma;   // and in the shapes of expertsHopper()
};

Shape shapeOf(const Launch& launch, const MoeArgs& args, const ExpertTable& table) {
    Shape shape{};
    const bool bf16 = args.x.dtype == DType::kBF16;
    shape.packed = bf16 && table.inFormat == WeightFormat::kMxfp4 && table.outFormat == WeightFormat::kMxfp4;
    shape.tensor = bf16 && table.inFormat != WeightFormat::kF32 && table.outFormat != WeightFormat::kF32;
    shape.large = args.x.dim(0) > kTokensWithoutSorting;
    const bool whole = table.width % kMoeHopperDepth == 0 && table.inner % kMoeHopperDepth == 0;
    shape.wgmma = launch.hopper() && shape.packed && shape.large && whole;
    return shape;
}

// All of it by expertsGrouped() or expertsHopper(). False when the device has no room.
bool sortedExperts(const Launch& launch, const MoeArgs& args, const ExpertTable& table, bool wgmma) {
    const int64_t picks = args.x.dim(0) * args.index.dim(1);
    const int tileTokens = wgmma ? kMoeHopperTokens : kMoeTokens;
    SortedPicks sorted{};
    sorted.maxTiles = ceilDiv(picks, tileTokens) + std::min(picks, table.count);
    Scratch& scratch = launch.scratch;
    if (!scratch.begin(Scratch::bytesFor<Bf16>(picks * table.inner) + Scratch::bytesFor<Bf16>(picks * table.width) +
                       Scratch::bytesFor<int32_t>(picks) + 3 * Scratch::bytesFor<int32_t>(sorted.maxTiles) +
                       Scratch::bytesFor<int32_t>(kTileWidths + 1))) {
        return false;
    }
    const MoeRows rows{scratch.take<Bf16>(picks * table.inner), scratch.take<Bf16>(picks * table.width)};
    sorted.pick = scratch.take<int32_t>(picks);
    sorted.tileExpert = scratch.take<int32_t>(sorted.maxTiles);
    sorted.tileFirst = scratch.take<int32_t>(sorted.maxTiles);
    sorted.tileRows = scratch.take<int32_t>(sorted.maxTiles);
    sorted.widthFirst = scratch.take<int32_t>(kTileWidths + 1);
    sortPicks(launch, args, table.count, tileTokens, sorted);
    if (!wgmma) {
        expertsGrouped(launch, args, table, sorted, rows);
    } else if (!expertsHopper(launch, args, table, sorted, rows)) {
        return sortedExperts(launch, args, table, false);
    }
    combine(launch, args, rows.rows);
    return true;
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
    const Shape shape = shapeOf(launch, args, table);
    if (shape.tensor && shape.large) return sortedExperts(launch, args, table, shape.wgmma);
    Scratch& scratch = launch.scratch;
    if (shape.packed && suitsToken(table, args.index.dim(1))) {
        if (!scratch.begin(tokenExpertBytes(picks, table.inner))) return false;
        expertsToken(launch, args, table);
        return true;
    }
    const auto act = static_cast<int64_t>(dtypeBytes(args.x.dtype));
    const int64_t innerBytes = picks * table.inner * act;
    const int64_t rowBytes = picks * table.width * act;
    if (!scratch.begin(Scratch::bytesFor<char>(innerBytes) + Scratch::bytesFor<char>(rowBytes))) return false;
    const MoeRows rows{scratch.take<char>(innerBytes), scratch.take<char>(rowBytes)};
    expertsGemv(launch, args, table, rows);
    combine(launch, args, rows.rows);
    return true;
}

}  // namespace pal::cuda
