// SPDX-License-Identifier: Apache-2.0
// What surrounds the delta rule: shortConv, l2Norm, kdaGate, gatedRmsNorm.
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/kda.h"
#include "kernels/cuda/kda_gate.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kConvTokens = 16;  // of one thread

// Input of token t, which may lie before the step.
template <typename T>
__device__ float convInput(const Rows<const T>& x, const Rows<T>& tail, int64_t taps, int64_t t, int64_t c) {
    return t >= 0 ? toFloat(x[t][c]) : toFloat(tail[taps - 1 + t][c]);
}

template <typename T>
__global__ void convKernel(Rows<const T> x, const float* weight, int64_t taps, Rows<T> tail, int64_t tokens,
                           int64_t channels, Rows<T> out) {
    const int64_t c = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (c >= channels) return;
    const float* w = weight + c * taps;
    const int64_t first = static_cast<int64_t>(blockIdx.y) * kConvTokens;
    const int64_t end = min(first + kConvTokens, tokens);
    for (int64_t t = first; t < end; ++t) {
        float sum = 0;
        for (int64_t j = 0; j < taps; ++j) sum += w[j] * convInput(x, tail, taps, t - (taps - 1) + j, c);
        out[t][c] = fromFloat<T>(sum * sigmoid(sum));
    }
}

// The last taps-1 inputs, after every thread of convKernel has read the old ones.
template <typename T>
__global__ void tailKernel(Rows<const T> x, int64_t taps, Rows<T> tail, int64_t tokens, int64_t channels) {
    const int64_t c = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (c >= channels) return;
    for (int64_t j = 0; j < taps - 1; ++j) {
        const int64_t t = tokens - (taps - 1) + j;
        tail[j][c] = t >= 0 ? x[t][c] : tail[taps - 1 + t][c];  // reads a later row than it writes
    }
}

// One warp per (token, head).
template <typename T>
__global__ void l2NormKernel(HeadRows<const T> x, int64_t tokens, int64_t heads, int64_t dim, float eps, float scale,
                             HeadRows<T> out) {
    const int64_t pair = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
    if (pair >= tokens * heads) return;
    const T* from = x.at(pair / heads, pair % heads);
    T* to = out.at(pair / heads, pair % heads);
    const int lane = threadIdx.x % kWarp;
    float squares = 0;
    for (int64_t c = lane; c < dim; c += kWarp) {
        const float v = toFloat(from[c]);
        squares += v * v;
    }
    const float factor = rsqrtf(warpSum(squares) + eps) * scale;
    for (int64_t c = lane; c < dim; c += kWarp) to[c] = fromFloat<T>(toFloat(from[c]) * factor);
}

struct GateShape {
    int64_t heads;
    int64_t dim;
    bool bounded;
    float lowerBound;
};

template <typename T>
__global__ void gateKernel(HeadRows<const T> z, Rows<const T> betaLogits, const float* aLog, const float* dtBias,
                           GateShape shape, HeadRows<float> logDecay, Rows<float> beta) {
    const int64_t i = static_cast<int64_t>(blockIdx.y) * kThreads + threadIdx.x;
    if (i >= shape.heads * shape.dim) return;
    const int64_t t = blockIdx.x;
    const int64_t head = i / shape.dim;
    const int64_t c = i % shape.dim;
    const float a = expf(aLog[head]);
    const float v = toFloat(z.at(t, head)[c]) + dtBias[i];
    logDecay.at(t, head)[c] = logDecayOf(v, a, shape.bounded, shape.lowerBound);
    if (c == 0) beta[t][head] = sigmoid(toFloat(betaLogits[t][head]));
}

template <typename T>
__global__ void gatedRmsNormKernel(HeadRows<const T> x, const float* weight, float eps, HeadRows<const T> gate,
                                   int64_t tokens, int64_t heads, int64_t dim, HeadRows<T> out, HeadRows<float> tap) {
    const int64_t pair = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
    if (pair >= tokens * heads) return;
    const int64_t t = pair / heads;
    const int64_t head = pair % heads;
    const int lane = threadIdx.x % kWarp;
    const T* from = x.at(t, head);
    float squares = 0;
    for (int64_t c = lane; c < dim; c += kWarp) {
        const float v = toFloat(from[c]);
        squares += v * v;
    }
    const float inverse = rsqrtf(warpSum(squares) / static_cast<float>(dim) + eps);
    for (int64_t c = lane; c < dim; c += kWarp) {
        const float open = sigmoid(toFloat(gate.at(t, head)[c]));
        if (tap.data != nullptr) tap.at(t, head)[c] = open;
        out.at(t, head)[c] = fromFloat<T>(toFloat(from[c]) * inverse * weight[c] * open);
    }
}

unsigned warpsOver(int64_t pairs) {
    return static_cast<unsigned>(ceilDiv(pairs * kWarp, kThreads));
}

}  // namespace

void shortConv(const Launch& launch, const ShortConvArgs& args) {
    const int64_t tokens = args.x.dim(0);
    const int64_t channels = args.x.dim(1);
    const auto columns = static_cast<unsigned>(ceilDiv(channels, kThreads));
    const dim3 grid{columns, static_cast<unsigned>(ceilDiv(tokens, kConvTokens))};
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        convKernel<T><<<grid, kThreads, 0, launch.stream>>>(
            rowsOf<T>(args.x), args.weight, args.taps, rowsOf<T>(args.tail), tokens, channels, rowsOf<T>(args.out));
        tailKernel<T><<<columns, kThreads, 0, launch.stream>>>(rowsOf<T>(args.x), args.taps, rowsOf<T>(args.tail),
                                                               tokens, channels);
    });
}

void l2Norm(const Launch& launch, const L2NormArgs& args) {
    const int64_t tokens = args.x.dim(0);
    const int64_t heads = args.x.dim(1);
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        l2NormKernel<T><<<warpsOver(tokens * heads), kThreads, 0, launch.stream>>>(
            headRowsOf<T>(args.x), tokens, heads, args.x.dim(2), args.eps, args.scale, headRowsOf<T>(args.out));
    });
}

void kdaGate(const Launch& launch, const KdaGateArgs& args) {
    const GateShape shape{args.z.dim(1), args.z.dim(2), args.lowerBound.has_value(), args.lowerBound.value_or(0)};
    const dim3 grid{static_cast<unsigned>(args.z.dim(0)),
                    static_cast<unsigned>(ceilDiv(shape.heads * shape.dim, kThreads))};
    withElement(args.z.dtype, [&](auto act) {
        using T = decltype(act);
        gateKernel<T><<<grid, kThreads, 0, launch.stream>>>(headRowsOf<T>(args.z), rowsOf<T>(args.betaLogits),
                                                            args.aLog, args.dtBias, shape,
                                                            headRowsOf<float>(args.logDecay), rowsOf<float>(args.beta));
    });
}

void gatedRmsNorm(const Launch& launch, const GatedRmsNormArgs& args) {
    const int64_t tokens = args.x.dim(0);
    const int64_t heads = args.x.dim(1);
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        gatedRmsNormKernel<T><<<warpsOver(tokens * heads), kThreads, 0, launch.stream>>>(
            headRowsOf<T>(args.x), args.weight, args.eps, headRowsOf<T>(args.gate), tokens, heads, args.x.dim(2),
            headRowsOf<T>(args.out), headRowsOf<float>(args.gateTap));
    });
}

}  // namespace pal::cuda
