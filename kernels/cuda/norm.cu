// SPDX-License-Identifier: Apache-2.0
// rmsNorm and depthMix: one block per token. The wide forms read a row once, 16 bytes or more per thread, with as many threads as that takes: a step over
// one token waits for its norms, so what counts is the way through a block and not its traffic.
#include "kernels/cuda/dense.h"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/gemv.cuh"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/reduce.cuh"
#include "kernels/cuda/tensor_core.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kMaxSources = 128;  // what fits a launch's 4 KiB of parameters

// The published path rounds the normed value before it multiplies by the weight.
template <typename T>
__device__ T normed(float x, float inverse, float weight) {
    return fromFloat<T>(rounded<T>(x * inverse) * weight);
}

template <typename T>
__global__ void rmsNormKernel(Rows<const T> x, const float* weight, float eps, int64_t width, Rows<T> out) {
    __shared__ float partial[kThreads / kWarp];
    const int64_t t = blockIdx.x;
    letNextStart();
    awaitPrevious();
    float squares = 0;
    for (int64_t c = threadIdx.x; c < width; c += kThreads) {
        const float v = toFloat(x[t][c]);
        squares += v * v;
    }
    const float inverse = rsqrtf(blockSum(squares, partial) / static_cast<float>(width) + eps);
    for (int64_t c = threadIdx.x; c < width; c += kThreads) out[t][c] = normed<T>(toFloat(x[t][c]), inverse, weight[c]);
}

template <typename T>
struct Sources {
    Rows<const T> rows[kMaxSources];
    int count;
};

// probs[j] <- softmax over the sources of (v_j . query) * rsqrt(mean(v_j^2) + eps), in the block's shared memory.
template <typename T>
__device__ void depthProbabilities(const Sources<T>& sources, int64_t t, const float* query, float eps, int64_t width,
                                   float* probs, float* partial) {
    for (int j = 0; j < sources.count; ++j) {
        const T* v = sources.rows[j][t];
        float squares = 0;
        float dot = 0;
        for (int64_t c = threadIdx.x; c < width; c += kThreads) {
            const float value = toFloat(v[c]);
            squares += value * value;
            dot += value * query[c];
        }
        squares = blockSum(squares, partial);
        dot = blockSum(dot, partial);
        if (threadIdx.x == 0) probs[j] = dot * rsqrtf(squares / static_cast<float>(width) + eps);
    }
    __syncthreads();
    float top = probs[0];
    for (int j = 1; j < sources.count; ++j) top = fmaxf(top, probs[j]);
    float sum = 0;
    for (int j = 0; j < sources.count; ++j) sum += expf(probs[j] - top);
    __syncthreads();
    if (threadIdx.x < sources.count) probs[threadIdx.x] = expf(probs[threadIdx.x] - top) / sum;
    __syncthreads();
}

template <typename T>
__global__ void depthMixKernel(Sources<T> sources, const float* query, float eps, const float* normWeight,
                               float normEps, int64_t width, Rows<T> out, Rows<float> tap) {
    extern __shared__ float mixed[];  // [width]
    __shared__ float partial[kThreads / kWarp];
    __shared__ float probs[kMaxSources];
    const int64_t t = blockIdx.x;
    letNextStart();
    awaitPrevious();
    depthProbabilities(sources, t, query, eps, width, probs, partial);
    if (tap.data != nullptr && threadIdx.x < sources.count) tap[t][threadIdx.x] = probs[threadIdx.x];
    float squares = 0;
    for (int64_t c = threadIdx.x; c < width; c += kThreads) {
        float sum = 0;
        for (int j = 0; j < sources.count; ++j) sum += probs[j] * toFloat(sources.rows[j][t][c]);
        mixed[c] = sum;
        squares += sum * sum;
    }
    float inverse = 0;
    if (normWeight != nullptr) inverse = rsqrtf(blockSum(squares, partial) / static_cast<float>(width) + normEps);
    for (int64_t c = threadIdx.x; c < width; c += kThreads) {
        out[t][c] = normWeight == nullptr ? fromFloat<T>(mixed[c]) : fromFloat<T>(mixed[c] * inverse * normWeight[c]);
    }
}

constexpr int kColumns = 8;  // of a thread of the wide forms
constexpr int kMostThreads = 1024;

__device__ void storeColumns(const float (&values)[kColumns], Bf16* to) {
    *reinterpret_cast<uint4*>(to) = {packBf16(values[0], values[1]), packBf16(values[2], values[3]),
                                     packBf16(values[4], values[5]), packBf16(values[6], values[7])};
}
__device__ void storeColumns(const float (&values)[kColumns], float* to) {
    reinterpret_cast<float4*>(to)[0] = {values[0], values[1], values[2], values[3]};
    reinterpret_cast<float4*>(to)[1] = {values[4], values[5], values[6], values[7]};
}

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    rmsNormWideKernel(Rows<const T> x, const float* weight, float eps, int width, Rows<T> out) {
    __shared__ float partial[kMostThreads / kWarp];
    const int64_t t = blockIdx.x;
    const int c = static_cast<int>(threadIdx.x) * kColumns;
    const bool inside = c < width;
    float scale[kColumns] = {};
    if (inside) loadTokens<kColumns>(weight + c, scale);
    letNextStart();
    awaitPrevious();
    float values[kColumns] = {};
    if (inside) loadTokens<kColumns>(x[t] + c, values);
    float squares = 0;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) squares += values[i] * values[i];
    const float inverse = rsqrtf(blockSum(squares, partial) / static_cast<float>(width) + eps);
    if (!inside) return;
#pragma unroll
    for (int i = 0; i < kColumns; ++i) values[i] = toFloat(normed<T>(values[i], inverse, scale[i]));
    storeColumns(values, out[t] + c);
}

// partial[j][warp] holds a warp's sums of source j; probs[j] <- its score.
__device__ void scoreSources(int count, float2 (&partial)[kMaxSources][kMostThreads / kWarp], float eps, int width,
                             float* probs) {
    const int lane = threadIdx.x % kWarp;
    const int warps = static_cast<int>(blockDim.x) / kWarp;
    for (int j = static_cast<int>(threadIdx.x) / kWarp; j < count; j += warps) {
        const float2 mine = lane < warps ? partial[j][lane] : float2{};
        const float squares = warpSum(mine.x);
        const float dot = warpSum(mine.y);
        if (lane == 0) probs[j] = dot * rsqrtf(squares / static_cast<float>(width) + eps);
    }
}

template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    depthMixWideKernel(Sources<T> sources, const float* query, float eps, const float* normWeight, float normEps,
                       int width, Rows<T> out, Rows<float> tap) {
    __shared__ float2 partial[kMaxSources][kMostThreads / kWarp];
    __shared__ float sums[kMostThreads / kWarp];
    __shared__ float probs[kMaxSources];
    const int64_t t = blockIdx.x;
    const int c = static_cast<int>(threadIdx.x) * kColumns;
    const bool inside = c < width;
    float asked[kColumns] = {};
    float scale[kColumns] = {};
    if (inside) loadTokens<kColumns>(query + c, asked);
    if (inside && normWeight != nullptr) loadTokens<kColumns>(normWeight + c, scale);
    letNextStart();
    awaitPrevious();
#pragma unroll 4
    for (int j = 0; j < sources.count; ++j) {
        float v[kColumns] = {};
        if (inside) loadTokens<kColumns>(sources.rows[j][t] + c, v);
        float2 mine{};
#pragma unroll
        for (int i = 0; i < kColumns; ++i) {
            mine.x += v[i] * v[i];
            mine.y += v[i] * asked[i];
        }
        mine = {warpSum(mine.x), warpSum(mine.y)};
        if (threadIdx.x % kWarp == 0) partial[j][threadIdx.x / kWarp] = mine;
    }
    __syncthreads();
    scoreSources(sources.count, partial, eps, width, probs);
    __syncthreads();
    float top = probs[0];
    for (int j = 1; j < sources.count; ++j) top = fmaxf(top, probs[j]);
    float all = 0;
    for (int j = 0; j < sources.count; ++j) all += expf(probs[j] - top);
    float mixed[kColumns] = {};
#pragma unroll 4
    for (int j = 0; j < sources.count; ++j) {
        const float p = expf(probs[j] - top) / all;
        float v[kColumns] = {};
        if (inside) loadTokens<kColumns>(sources.rows[j][t] + c, v);
#pragma unroll
        for (int i = 0; i < kColumns; ++i) mixed[i] += p * v[i];
    }
    if (normWeight != nullptr) {
        float squares = 0;
#pragma unroll
        for (int i = 0; i < kColumns; ++i) squares += mixed[i] * mixed[i];
        const float inverse = rsqrtf(blockSum(squares, sums) / static_cast<float>(width) + normEps);
#pragma unroll
        for (int i = 0; i < kColumns; ++i) mixed[i] *= inverse * scale[i];
    }
    if (inside) storeColumns(mixed, out[t] + c);
    if (tap.data == nullptr) return;  // last, while the result is on its way
    for (int j = static_cast<int>(threadIdx.x); j < sources.count; j += static_cast<int>(blockDim.x)) {
        tap[t][j] = expf(probs[j] - top) / all;
    }
}

// Threads of the wide form for rows of this width, 0 where it does not suit.
unsigned wideThreads(int64_t width) {
    if (width % kColumns != 0 || width > int64_t{kColumns} * kMostThreads) return 0;
    return static_cast<unsigned>(ceilDiv(width / kColumns, kWarp) * kWarp);
}

template <typename T>
bool alignedRows(Rows<T> rows) {
    constexpr uintptr_t kBorder = 16;
    return reinterpret_cast<uintptr_t>(rows.data) % kBorder == 0 && rows.stride * sizeof(T) % kBorder == 0;
}

}  // namespace

void rmsNorm(const Launch& launch, const RmsNormArgs& args) {
    const int64_t width = args.out.dim(1);
    const auto tokens = static_cast<unsigned>(args.out.dim(0));
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        const Rows<const T> x = rowsOf<T>(args.x);
        const Rows<T> out = rowsOf<T>(args.out);
        const unsigned wide = wideThreads(width);
        if (wide > 0 && alignedRows(x) && alignedRows(out) && alignedRows(Rows<const float>{args.weight, 0})) {
            launchOverlapped(launch, rmsNormWideKernel<T>, tokens, wide, 0, x, args.weight, args.eps,
                             static_cast<int>(width), out);
        } else {
            launchOverlapped(launch, rmsNormKernel<T>, tokens, kThreads, 0, x, args.weight, args.eps, width, out);
        }
    });
}

bool depthMix(const Launch& launch, const DepthMixArgs& args) {
    if (args.sources.size() > kMaxSources) return false;
    const int64_t width = args.out.dim(1);
    const auto tokens = static_cast<unsigned>(args.out.dim(0));
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        const Rows<T> out = rowsOf<T>(args.out);
        const Rows<float> tap = rowsOf<float>(args.probTap);
        Sources<T> sources{};
        bool aligned = alignedRows(out) && alignedRows(Rows<const float>{args.query, 0}) &&
                       alignedRows(Rows<const float>{args.normWeight, 0});
        for (const ConstTensorView& source : args.sources) {
            const Rows<const T> rows = rowsOf<T>(source);
            sources.rows[sources.count++] = rows;
            aligned = aligned && alignedRows(rows);
        }
        const unsigned wide = wideThreads(width);
        if (wide > 0 && aligned) {
            launchOverlapped(launch, depthMixWideKernel<T>, tokens, wide, 0, sources, args.query, args.eps,
                             args.normWeight, args.normEps, static_cast<int>(width), out, tap);
            return;
        }
        const size_t shared = sizeof(float) * static_cast<size_t>(width);
        cudaFuncSetAttribute(depthMixKernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
        launchOverlapped(launch, depthMixKernel<T>, tokens, kThreads, shared, sources, args.query, args.eps,
                         args.normWeight, args.normEps, width, out, tap);
    });
    return true;
}

}  // namespace pal::cuda
