// SPDX-License-Identifier: Apache-2.0
// rmsNorm and depthMix: one block per token.
#include "kernels/cuda/dense.h"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/reduce.cuh"

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

}  // namespace

void rmsNorm(const Launch& launch, const RmsNormArgs& args) {
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        rmsNormKernel<T><<<static_cast<unsigned>(args.out.dim(0)), kThreads, 0, launch.stream>>>(
            rowsOf<T>(args.x), args.weight, args.eps, args.out.dim(1), rowsOf<T>(args.out));
    });
}

bool depthMix(const Launch& launch, const DepthMixArgs& args) {
    if (args.sources.size() > kMaxSources) return false;
    const size_t shared = sizeof(float) * static_cast<size_t>(args.out.dim(1));
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        Sources<T> sources{};
        for (const ConstTensorView& source : args.sources) sources.rows[sources.count++] = rowsOf<T>(source);
        cudaFuncSetAttribute(depthMixKernel<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
        depthMixKernel<T><<<static_cast<unsigned>(args.out.dim(0)), kThreads, shared, launch.stream>>>(
            sources, args.query, args.eps, args.normWeight, args.normEps, args.out.dim(1), rowsOf<T>(args.out),
            rowsOf<float>(args.probTap));
    });
    return true;
}

}  // namespace pal::cuda
