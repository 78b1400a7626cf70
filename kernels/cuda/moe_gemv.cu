// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/gemv.cuh"
#include "kernels/cuda/glu.cuh"
#include "kernels/cuda/moe_stages.h"

namespace pal::cuda {
namespace {

constexpr int kWarps = 8;

// A warp per inner row: the gate's and the up matrix's row share one read of x.
template <WeightFormat F, typename T>
__global__ void __launch_bounds__(kWarps* kWarp)
    gateUpKernel(Rows<const T> x, Rows<const int32_t> index, int64_t picks, const ExpertWeights* experts,
                 GluParams params, int64_t width, int64_t inner, T* out) {
    const int64_t pick = blockIdx.x;
    const int64_t row = static_cast<int64_t>(blockIdx.y) * kWarps + threadIdx.x / kWarp;
    if (row >= inner) return;
    const ExpertWeights& expert = experts[index[pick / picks][pick % picks]];
    const WeightRow<F> rows[2] = {rowOf<F>(expert.gate.data, expert.gate.scale, row, width),
                                  rowOf<F>(expert.up.data, expert.up.scale, row, width)};
    float sum[2][1] = {};
    dotRows<F, 2, 1, 4, T>(rows, {x[pick / picks], 0}, 1, width, 0, 1, sum, [] {});
    if (threadIdx.x % kWarp == 0) {
        out[pick * inner + row] = fromFloat<T>(gatedUnit(params, rounded<T>(sum[0][0]), rounded<T>(sum[1][0])));
    }
}

constexpr int kDownRows = 2;  // of a warp

template <WeightFormat F, typename T>
__global__ void __launch_bounds__(kWarps* kWarp)
    downKernel(const T* inner, Rows<const int32_t> index, int64_t picks, const ExpertWeights* experts, int64_t width,
               int64_t innerWidth, T* out) {
    const int64_t pick = blockIdx.x;
    const int64_t first = (static_cast<int64_t>(blockIdx.y) * kWarps + threadIdx.x / kWarp) * kDownRows;
    if (first >= width) return;
    const WeightView down = experts[index[pick / picks][pick % picks]].down;
    WeightRow<F> rows[kDownRows];
#pragma unroll
    for (int r = 0; r < kDownRows; ++r)
        rows[r] = rowOf<F>(down.data, down.scale, min(first + r, width - 1), innerWidth);
    float sum[kDownRows][1] = {};
    dotRows<F, kDownRows, 1, 4, T>(rows, {inner + pick * innerWidth, 0}, 1, innerWidth, 0, 1, sum, [] {});
    if (threadIdx.x % kWarp != 0) return;
#pragma unroll
    for (int r = 0; r < kDownRows; ++r) {
        if (first + r < width) out[pick * width + first + r] = fromFloat<T>(sum[r][0]);
    }
}

template <typename F>
void withFormat(WeightFormat format, const F& f) {
    switch (format) {
        case WeightFormat::kF32:
            return f(std::integral_constant<WeightFormat, WeightFormat::kF32>{});
        case WeightFormat::kBF16:
            return f(std::integral_constant<WeightFormat, WeightFormat::kBF16>{});
        case WeightFormat::kMxfp4:
            return f(std::integral_constant<WeightFormat, WeightFormat::kMxfp4>{});
    }
}

}  // namespace

void expertsGemv(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const MoeRows& out) {
    const int64_t picks = args.index.dim(1);
    const auto all = static_cast<unsigned>(args.x.dim(0) * picks);
    withElement(args.x.dtype, [&](auto act) {
        using T = decltype(act);
        withFormat(table.inFormat, [&](auto format) {
            const dim3 grid{all, static_cast<unsigned>(ceilDiv(table.inner, kWarps))};
            gateUpKernel<decltype(format)::value, T><<<grid, kWarps * kWarp, 0, launch.stream>>>(
                rowsOf<T>(args.x), rowsOf<int32_t>(args.index), picks, table.experts, args.glu, table.width,
                table.inner, static_cast<T*>(out.inner));
        });
        withFormat(table.outFormat, [&](auto format) {
            const dim3 grid{all, static_cast<unsigned>(ceilDiv(table.width, kWarps * kDownRows))};
            downKernel<decltype(format)::value, T><<<grid, kWarps * kWarp, 0, launch.stream>>>(
                static_cast<const T*>(out.inner), rowsOf<int32_t>(args.index), picks, table.experts, table.width,
                table.inner, static_cast<T*>(out.rows));
        });
    });
}

}  // namespace pal::cuda
