// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/mla_hopper.h"
#include "kernels/cuda/pages.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = 128;

template <typename T, typename C>
__global__ void appendKernel(Rows<const T> kv, const float* weight, float eps, PageTable table, Past past) {
    __shared__ float partial[kThreads / kWarp];
    const int64_t t = blockIdx.x;
    float squares = 0;
    for (int64_t c = threadIdx.x; c < table.rank; c += kThreads) {
        const float v = toFloat(kv[t][c]);
        squares += v * v;
    }
    const float inverse = rsqrtf(blockSum(squares, partial) / static_cast<float>(table.rank) + eps);
    C* row = cachedRow<C>(table, tokensBefore(past) + t);
    for (int64_t c = threadIdx.x; c < table.rank + table.rope; c += kThreads) {
        const float v = toFloat(kv[t][c]);
        // Rounded where the published path rounds: the normed value, then its product with the weight.
        row[c] = fromFloat<C>(c < table.rank ? rounded<T>(rounded<T>(v * inverse) * weight[c]) : v);
    }
}

}  // namespace

void mlaAppend(const Launch& launch, const MlaAppendArgs& args, const PageTable& table, const Past& past) {
    withElement(args.kv.dtype, [&](auto act) {
        withElement(table.dtype, [&](auto cache) {
            using T = decltype(act);
            using C = decltype(cache);
            appendKernel<T, C><<<static_cast<unsigned>(args.kv.dim(0)), kThreads, 0, launch.stream>>>(
                rowsOf<T>(args.kv), args.weight, args.eps, table, past);
        });
    });
}

bool mlaAttention(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table, const Past& past) {
    using Form = MlaAttentionArgs::Form;
    // Expanding costs 2 R (nope + V) per row and head once; absorbed scores cost (R - nope) + (R - V) more per row, head and query.
    constexpr int64_t kExpandFrom = 32;
    const bool expand = args.form == Form::kExpanded || (args.form == Form::kAuto && args.q.dim(0) >= kExpandFrom);
    if (expand) return mlaExpanded(launch, args, table);
    if (fitsHopperAbsorbed(launch, args, table) && mlaAbsorbedHopper(launch, args, table, past)) return true;
    return mlaAbsorbed(launch, args, table, past);
}

}  // namespace pal::cuda
