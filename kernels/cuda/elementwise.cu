// SPDX-License-Identifier: Apache-2.0
// embed, glu, sigmoidGate, add: one thread per element.
#include <algorithm>
#include <type_traits>

#include "kernels/cuda/dense.h"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/glu.cuh"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/probes.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = kElementThreads;

template <typename Weight, typename T>
__global__ void embedKernel(const int32_t* ids, const Weight* table, int64_t width, Rows<T> out) {
    letNextStart();
    awaitPrevious();
    const int64_t c = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (c >= width) return;
    const int64_t t = blockIdx.x;
    out[t][c] = fromFloat<T>(toFloat(table[ids[t] * width + c]));
}

template <typename T>
__global__ void gluKernel(Rows<const T> gate, Rows<const T> up, GluParams params, int64_t width, Rows<T> out) {
    letNextStart();
    awaitPrevious();
    const int64_t c = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (c >= width) return;
    const int64_t t = blockIdx.x;
    out[t][c] = fromFloat<T>(gatedUnit(params, toFloat(gate[t][c]), toFloat(up[t][c])));
}

template <typename T>
__global__ void sigmoidGateKernel(Rows<const T> x, Rows<const T> gate, int64_t width, Rows<T> out, Rows<float> tap) {
    letNextStart();
    awaitPrevious();
    const int64_t c = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (c >= width) return;
    const int64_t t = blockIdx.x;
    const float open = sigmoid(toFloat(gate[t][c]));
    if (tap.data != nullptr) tap[t][c] = open;
    out[t][c] = fromFloat<T>(toFloat(x[t][c]) * open);
}

// The same by heads, a block for each of a token, which tells of the last tokens' heads how open they are.
template <typename T>
__global__ void lookedGateKernel(Rows<const T> x, Rows<const T> gate, int64_t width, int64_t unseen, Rows<T> out,
                                 Rows<float> tap, HeadRows<float> openness) {
    __shared__ float3 partial[kThreads / kWarp];
    letNextStart();
    awaitPrevious();
    const int64_t t = blockIdx.x;
    const int64_t first = blockIdx.y * width;
    Openness seen;
    for (int64_t c = first + threadIdx.x; c < first + width; c += blockDim.x) {
        const float open = sigmoid(toFloat(gate[t][c]));
        if (tap.data != nullptr) tap[t][c] = open;
        out[t][c] = fromFloat<T>(toFloat(x[t][c]) * open);
        seen.add(open);
    }
    if (t < unseen) return;
    seen = seen.ofBlock(partial);
    if (threadIdx.x == 0) seen.store(width, openness.at(t - unseen, blockIdx.y));
}

template <typename T>
__global__ void addKernel(Rows<const T> x, int64_t width, Rows<T> out) {
    letNextStart();
    awaitPrevious();
    const int64_t c = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (c >= width) return;
    const int64_t t = blockIdx.x;
    out[t][c] = fromFloat<T>(toFloat(out[t][c]) + toFloat(x[t][c]));
}

}  // namespace

void embed(const Launch& launch, const EmbedArgs& args, const int32_t* ids) {
    const dim3 grid = gridOver(args.out.dim(0), args.out.dim(1));
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        if (args.table.format == WeightFormat::kBF16) {
            launchOverlapped(launch, embedKernel<Bf16, T>, grid, kThreads, 0, ids,
                             static_cast<const Bf16*>(args.table.data), args.table.cols, rowsOf<T>(args.out));
        } else {
            launchOverlapped(launch, embedKernel<float, T>, grid, kThreads, 0, ids,
                             static_cast<const float*>(args.table.data), args.table.cols, rowsOf<T>(args.out));
        }
    });
}

void glu(const Launch& launch, const GluArgs& args) {
    const dim3 grid = gridOver(args.out.dim(0), args.out.dim(1));
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        launchOverlapped(launch, gluKernel<T>, grid, kThreads, 0, rowsOf<T>(args.gate), rowsOf<T>(args.up), args.params,
                         args.out.dim(1), rowsOf<T>(args.out));
    });
}

void sigmoidGate(const Launch& launch, const SigmoidGateArgs& args) {
    const int64_t tokens = args.out.dim(0);
    const int64_t width = args.out.dim(1);
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        const Rows<const T> x = rowsOf<T>(args.x);
        const Rows<const T> gate = rowsOf<T>(args.gate);
        const Rows<T> out = rowsOf<T>(args.out);
        const Rows<float> tap = rowsOf<float>(args.gateTap);
        if (!args.openness.present()) {
            launchOverlapped(launch, sigmoidGateKernel<T>, gridOver(tokens, width), kThreads, 0, x, gate, width, out,
                             tap);
            return;
        }
        const int64_t heads = args.openness.dim(1);
        const dim3 grid{static_cast<unsigned>(tokens), static_cast<unsigned>(heads)};
        const auto threads = static_cast<unsigned>(std::min<int64_t>(kThreads, ceilDiv(width / heads, kWarp) * kWarp));
        launchOverlapped(launch, lookedGateKernel<T>, grid, threads, 0, x, gate, width / heads,
                         tokens - args.openness.dim(0), out, tap, headRowsOf<float>(args.openness));
    });
}

void add(const Launch& launch, const AddArgs& args) {
    const dim3 grid = gridOver(args.out.dim(0), args.out.dim(1));
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        launchOverlapped(launch, addKernel<T>, grid, kThreads, 0, rowsOf<T>(args.x), args.out.dim(1),
                         rowsOf<T>(args.out));
    });
}

}  // namespace pal::cuda
