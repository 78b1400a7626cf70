// SPDX-License-Identifier: Apache-2.0
// Products of any shape, type and alignment: 64 x 64 tiles in shared memory, 4 x 4 results per thread, float32.
#include "kernels/cuda/gemv.cuh"
#include "kernels/cuda/linear.h"
#include "kernels/cuda/linear_store.cuh"

namespace pal::cuda {
namespace {

constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kSide = 16;             // threads along a side
constexpr int kEach = kTile / kSide;  // results of a thread along a side

template <WeightFormat F>
__device__ float weightAt(const WeightView& w, int64_t row, int64_t col) {
    if constexpr (F == WeightFormat::kF32) return static_cast<const float*>(w.data)[row * w.cols + col];
    if constexpr (F == WeightFormat::kBF16) return toFloat(static_cast<const Bf16*>(w.data)[row * w.cols + col]);
    const uint8_t pair = static_cast<const uint8_t*>(w.data)[(row * w.cols + col) / 2];
    const uint32_t code = col % 2 == 0 ? pair & 15U : pair >> 4;
    return decodePair(code, 0).x * kDecodeGain * e8m0(w.scale[(row * w.cols + col) / kMxfp4Group]);
}

template <WeightFormat F, typename X, typename Out>
__global__ void plainKernel(Rows<const X> x, int64_t tokens, WeightView weight, Rows<Out> out,
                            LinearPart::Write write) {
    __shared__ float xs[kDepth][kTile + 1];
    __shared__ float ws[kDepth][kTile + 1];
    const int64_t t0 = static_cast<int64_t>(blockIdx.x) * kTile;
    const int64_t n0 = static_cast<int64_t>(blockIdx.y) * kTile;
    const int tx = threadIdx.x % kSide;
    const int ty = threadIdx.x / kSide;
    float sum[kEach][kEach] = {};
    for (int64_t k0 = 0; k0 < weight.cols; k0 += kDepth) {
        for (int i = threadIdx.x; i < kTile * kDepth; i += kSide * kSide) {
            const int r = i / kDepth;
            const int c = i % kDepth;
            const bool inside = k0 + c < weight.cols;
            xs[c][r] = inside && t0 + r < tokens ? toFloat(x[t0 + r][k0 + c]) : 0.0F;
            ws[c][r] = inside && n0 + r < weight.rows ? weightAt<F>(weight, n0 + r, k0 + c) : 0.0F;
        }
        __syncthreads();
#pragma unroll
        for (int c = 0; c < kDepth; ++c) {
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
#pragma unroll
                for (int j = 0; j < kEach; ++j) sum[i][j] += xs[c][ty + i * kSide] * ws[c][tx + j * kSide];
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j) {
            const int64_t t = t0 + ty + i * kSide;
            const int64_t n = n0 + tx + j * kSide;
            if (t < tokens && n < weight.rows) storeProduct(out[t] + n, sum[i][j], write);
        }
    }
}

template <WeightFormat F>
void launchFormat(const Launch& launch, const ConstTensorView& x, const LinearPart& part) {
    const dim3 grid{static_cast<unsigned>(ceilDiv(x.dim(0), kTile)),
                    static_cast<unsigned>(ceilDiv(part.weight.rows, kTile))};
    withElement(x.dtype, [&](auto act) {
        withElement(part.out.dtype, [&](auto result) {
            using X = decltype(act);
            using Out = decltype(result);
            plainKernel<F, X, Out><<<grid, kSide * kSide, 0, launch.stream>>>(rowsOf<X>(x), x.dim(0), part.weight,
                                                                              rowsOf<Out>(part.out), part.write);
        });
    });
}

}  // namespace

void linearPlain(const Launch& launch, const ConstTensorView& x, const LinearPart& part) {
    switch (part.weight.format) {
        case WeightFormat::kF32:
            return launchFormat<WeightFormat::kF32>(launch, x, part);
        case WeightFormat::kBF16:
            return launchFormat<WeightFormat::kBF16>(launch, x, part);
        case WeightFormat::kMxfp4:
            return launchFormat<WeightFormat::kMxfp4>(launch, x, part);
    }
}

}  // namespace pal::cuda
