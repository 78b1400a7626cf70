// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/linear.h"
#include "kernels/cuda/linear_store.cuh"
#include "kernels/cuda/tensor_tile.cuh"

namespace pal::cuda {
namespace {

template <WeightFormat F, int Tokens, typename Out>
__global__ void __launch_bounds__(kTileThreads)
    linearKernel(Rows<const Bf16> x, int64_t tokens, WeightView weight, Rows<Out> out, LinearPart::Write write) {
    extern __shared__ char shared[];
    const int64_t t0 = static_cast<int64_t>(blockIdx.x) * Tokens;
    const int64_t n0 = static_cast<int64_t>(blockIdx.y) * kOutputs;
    const auto tokenRow = [=](int row) { return t0 + row < tokens ? x[t0 + row] : nullptr; };
    const auto outputRow = [=](int row) {
        return n0 + row < weight.rows ? rowOf<F>(weight.data, weight.scale, n0 + row, weight.cols)
                                      : WeightRow<F>{nullptr, nullptr};
    };
    TileSums<Tokens> sums = {};
    TensorTile<F, Tokens, decltype(tokenRow), decltype(outputRow)>(tokenRow, outputRow, weight.cols, weight.data,
                                                                   shared)
        .run(sums);
    forEachPair<Tokens>(sums, [&](int token, int output, float first, float second) {
        if (t0 + token >= tokens) return;
        Out* row = out[t0 + token];
        if (n0 + output < weight.rows) storeProduct(row + n0 + output, first, write);
        if (n0 + output + 1 < weight.rows) storeProduct(row + n0 + output + 1, second, write);
    });
}

template <WeightFormat F, int Tokens, typename Out>
void launchTile(const Launch& launch, const ConstTensorView& x, const LinearPart& part) {
    const dim3 grid{static_cast<unsigned>(ceilDiv(x.dim(0), Tokens)),
                    static_cast<unsigned>(ceilDiv(part.weight.rows, kOutputs))};
    constexpr int kShared = TileShape<Tokens>::kSharedBytes;
    cudaFuncSetAttribute(linearKernel<F, Tokens, Out>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    linearKernel<F, Tokens, Out><<<grid, kTileThreads, kShared, launch.stream>>>(rowsOf<Bf16>(x), x.dim(0), part.weight,
                                                                                 rowsOf<Out>(part.out), part.write);
}

template <WeightFormat F>
void launchFormat(const Launch& launch, const ConstTensorView& x, const LinearPart& part) {
    withElement(part.out.dtype, [&](auto result) {
        using Out = decltype(result);
        if (x.dim(0) <= 16) {
            launchTile<F, 16, Out>(launch, x, part);
        } else if (x.dim(0) <= 64) {
            launchTile<F, 64, Out>(launch, x, part);
        } else {
            launchTile<F, 128, Out>(launch, x, part);
        }
    });
}

}  // namespace

void linearTensor(const Launch& launch, const ConstTensorView& x, const LinearPart& part) {
    if (part.weight.format == WeightFormat::kBF16) {
        launchFormat<WeightFormat::kBF16>(launch, x, part);
    } else {
        launchFormat<WeightFormat::kMxfp4>(launch, x, part);
    }
}

}  // namespace pal::cuda
