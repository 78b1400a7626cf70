// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/probes.h"

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/kda.h"
#include "kernels/cuda/probes.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kMostKeys = 1024;

// A block per token and head, a thread per channel.
__global__ void halfLifeKernel(HeadRows<const float> logDecay, int64_t firstToken, int keys, HeadRows<float> out) {
    __shared__ float values[kMostKeys];
    const int i = static_cast<int>(threadIdx.x);
    if (i < keys) values[i] = logDecay.at(firstToken + blockIdx.x, blockIdx.y)[i];
    __syncthreads();
    if (i < keys) storeHalfLives(values, keys, i, out.at(blockIdx.x, blockIdx.y));
}

template <typename T>
__global__ void opennessKernel(HeadRows<const T> gate, int64_t firstToken, int64_t channels, HeadRows<float> out) {
    __shared__ float3 partial[kWarps];
    const T* row = gate.at(firstToken + blockIdx.x, blockIdx.y);
    Openness openness;
    for (int64_t c = threadIdx.x; c < channels; c += kThreads) openness.add(sigmoid(toFloat(row[c])));
    openness = openness.ofBlock(partial);
    if (threadIdx.x == 0) openness.store(channels, out.at(blockIdx.x, blockIdx.y));
}

__global__ void stateNormKernel(const float* state, int64_t elements, float* out) {
    __shared__ float partial[kWarps];
    const float* head = state + blockIdx.x * elements;
    float sum = 0;
    for (int64_t i = threadIdx.x; i < elements; i += kThreads) sum += head[i] * head[i];
    sum = blockSum(sum, partial);
    if (threadIdx.x == 0) out[blockIdx.x] = sqrtf(sum);
}

struct WriteInputs {
    const float* conv;  // [C, W]
    int64_t taps, heads, keys, values;
    int64_t tailStride;
    float normEps;
    const float* logDecay;  // [h, K]
    const float* beta;      // [h]
    const float* state;     // [h, V, K]
};

// What the short convolution makes of a channel, as the mixer rounds it.
template <typename T>
__device__ float convolved(const WriteInputs& in, const T* tail, const T* now, int64_t channel) {
    float sum = in.conv[channel * in.taps + in.taps - 1] * toFloat(now[channel]);
    for (int64_t j = 0; j + 1 < in.taps; ++j) {
        sum += in.conv[channel * in.taps + j] * toFloat(tail[j * in.tailStride + channel]);
    }
    return rounded<T>(sum * sigmoid(sum));
}

// beta |v - S (a k)| of one head: a block.
template <typename T>
__global__ void writeKernel(const __grid_constant__ WriteInputs in, const T* tail, const T* now, float* out) {
    __shared__ float key[kMostKeys];
    __shared__ float partial[kWarps];
    const int64_t head = blockIdx.x;
    float squares = 0;
    for (int64_t c = threadIdx.x; c < in.keys; c += kThreads) {
        key[c] = convolved(in, tail, now, (in.heads + head) * in.keys + c);
        squares += key[c] * key[c];
    }
    const float inverse = rsqrtf(blockSum(squares, partial) + in.normEps);
    for (int64_t c = threadIdx.x; c < in.keys; c += kThreads) {
        key[c] *= inverse * expf(in.logDecay[head * in.keys + c]);
    }
    __syncthreads();
    const int lane = threadIdx.x % kWarp;
    float written = 0;
    for (int64_t v = threadIdx.x / kWarp; v < in.values; v += kWarps) {
        const float* row = in.state + (head * in.values + v) * in.keys;
        float recalled = 0;
        for (int64_t c = lane; c < in.keys; c += kWarp) recalled += row[c] * key[c];
        recalled = warpSum(recalled);
        const float value = convolved(in, tail, now, 2 * in.heads * in.keys + head * in.values + v);
        if (lane == 0) written += (value - recalled) * (value - recalled);
    }
    written = blockSum(written, partial);
    if (threadIdx.x == 0) out[head] = in.beta[head] * sqrtf(written);
}

}  // namespace

void halfLives(const Launch& launch, const ConstTensorView& logDecay, const TensorView& out) {
    const auto keys = static_cast<int>(logDecay.dim(2));
    const dim3 grid{static_cast<unsigned>(out.dim(0)), static_cast<unsigned>(out.dim(1))};
    halfLifeKernel<<<grid, static_cast<unsigned>(ceilDiv(keys, kWarp) * kWarp), 0, launch.stream>>>(
        headRowsOf<float>(logDecay), logDecay.dim(0) - out.dim(0), keys, headRowsOf<float>(out));
}

void openness(const Launch& launch, const ConstTensorView& gate, const TensorView& out) {
    const dim3 grid{static_cast<unsigned>(out.dim(0)), static_cast<unsigned>(out.dim(1))};
    withElement(gate.dtype, [&](auto act) {
        opennessKernel<<<grid, kThreads, 0, launch.stream>>>(headRowsOf<decltype(act)>(gate), gate.dim(0) - out.dim(0),
                                                             gate.dim(2), headRowsOf<float>(out));
    });
}

void stateNorms(const Launch& launch, const TensorView& state, const TensorView& out) {
    stateNormKernel<<<static_cast<unsigned>(state.dim(0)), kThreads, 0, launch.stream>>>(
        static_cast<const float*>(state.data), state.dim(1) * state.dim(2), static_cast<float*>(out.data));
}

void writesBefore(const Launch& launch, const KdaMixerArgs& args) {
    kdaGate(launch, {args.z, args.betaLogits, args.aLog, args.dtBias, args.lowerBound, args.logDecay, args.beta});
    WriteInputs in{};
    in.conv = args.conv;
    in.taps = args.taps;
    in.heads = args.z.dim(1);
    in.keys = args.z.dim(2);
    in.values = args.gate.dim(2);
    in.tailStride = args.tail.stride[0];
    in.normEps = args.normEps;
    in.logDecay = static_cast<const float*>(args.logDecay.data);
    in.beta = static_cast<const float*>(args.beta.data);
    in.state = static_cast<const float*>(args.state.data);
    withElement(args.qkv.dtype, [&](auto act) {
        using T = decltype(act);
        writeKernel<T><<<static_cast<unsigned>(in.heads), kThreads, 0, launch.stream>>>(
            in, static_cast<const T*>(args.tail.data), static_cast<const T*>(args.qkv.data),
            static_cast<float*>(args.probe.write.data));
    });
}

}  // namespace pal::cuda
