// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kda_step.h"

#include "kernels/cuda/kda_gate.cuh"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kDim = 128;
constexpr int kTaps = 4;
constexpr int kWarps = 16;
constexpr int kThreads = kWarps * kWarp;
constexpr int kRows = kDim / kWarps;  // value rows of a warp; its lanes take four key channels each
constexpr unsigned kAll = 0xFFFFFFFFU;

struct StepMemory {
    alignas(16) float qkv[3][kDim];  // after the convolution
    alignas(16) float loss[kDim];    // exp(log decay) - 1: a factor near 1 would lose its last bits
    alignas(16) float read[kDim];
    float beta;
};

// What one thread makes of the inputs: the first 384 a channel of q, k or v after the convolution, the last 128 a channel of the gate. Loaded before the
// state is asked for, because it is needed first.
struct ChannelInputs {
    Bf16 now, before[kTaps - 1];
    float4 conv;
    float z, bias, aLog, betaLogit;
};

__device__ bool convolves() {
    return threadIdx.x < 3 * kDim;
}
__device__ int64_t convChannel(const KdaStep& a, int64_t head) {
    return static_cast<int64_t>(threadIdx.x / kDim * a.heads + head) * kDim + threadIdx.x % kDim;
}

__device__ ChannelInputs loadChannel(const KdaStep& a, int64_t head, int64_t s) {
    ChannelInputs in{};
    if (convolves()) {
        const int64_t c = convChannel(a, head);
        const int64_t width = static_cast<int64_t>(3) * a.heads * kDim;
        in.now = a.qkv[s][c];
#pragma unroll
        for (int j = 0; j < kTaps - 1; ++j) in.before[j] = a.tail[s][j * width + c];
        in.conv = reinterpret_cast<const float4*>(a.conv)[c];
    } else {
        const int i = static_cast<int>(threadIdx.x) - 3 * kDim;
        in.z = toFloat(a.z.at(s, head)[i]);
        in.bias = a.dtBias[head * kDim + i];
        in.aLog = a.aLog[head];
        in.betaLogit = toFloat(a.betaLogits[s][head]);
    }
    return in;
}

// The channel's result into shared memory; the convolution's tail moves on.
__device__ void makeChannel(const KdaStep& a, int64_t head, int64_t s, const ChannelInputs& in, StepMemory& m) {
    const int i = static_cast<int>(threadIdx.x) % kDim;
    if (convolves()) {
        const float sum = in.conv.x * toFloat(in.before[0]) + in.conv.y * toFloat(in.before[1]) +
                          in.conv.z * toFloat(in.before[2]) + in.conv.w * toFloat(in.now);
        m.qkv[threadIdx.x / kDim][i] = rounded<Bf16>(sum * sigmoid(sum));
        const int64_t width = static_cast<int64_t>(3) * a.heads * kDim;
        Bf16* tail = a.tail[s] + convChannel(a, head);
        tail[0] = in.before[1];
        tail[width] = in.before[2];
        tail[2 * width] = in.now;
        return;
    }
    const float g = logDecayOf(in.z + in.bias, expf(in.aLog), a.bounded, a.lowerBound);
    m.loss[i] = expm1f(g);
    if (a.decayTap.data != nullptr) a.decayTap.at(s, head)[i] = g;
    if (i != 0) return;
    m.beta = sigmoid(in.betaLogit);
    if (a.betaTap.data != nullptr) a.betaTap[s][head] = m.beta;
}

// A lane's four channels, normed over the warp and rounded as the norm's own op rounds.
__device__ float4 normed(const float (&x)[kDim], int lane, float eps, float scale) {
    const float4 v = *reinterpret_cast<const float4*>(&x[lane * 4]);
    const float factor = rsqrtf(warpSum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w) + eps) * scale;
    return make_float4(rounded<Bf16>(v.x * factor), rounded<Bf16>(v.y * factor), rounded<Bf16>(v.z * factor),
                       rounded<Bf16>(v.w * factor));
}

__device__ float dot(const float4& a, const float4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// Sums eight values over the warp; lane l gets value l / 4. Halves of the values change places with halves of the lanes.
__device__ float sumRows(const float (&x)[kRows], int lane) {
    float half[4];
    float quarter[2];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const bool upper = (lane & 16) != 0;
        half[i] = (upper ? x[i + 4] : x[i]) + __shfl_xor_sync(kAll, upper ? x[i] : x[i + 4], 16);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const bool upper = (lane & 8) != 0;
        quarter[i] = (upper ? half[i + 2] : half[i]) + __shfl_xor_sync(kAll, upper ? half[i] : half[i + 2], 8);
    }
    const bool upper = (lane & 4) != 0;
    float sum = (upper ? quarter[1] : quarter[0]) + __shfl_xor_sync(kAll, upper ? quarter[0] : quarter[1], 4);
    sum += __shfl_xor_sync(kAll, sum, 2);
    return sum + __shfl_xor_sync(kAll, sum, 1);
}

// With S decayed: u = beta (v - S k), S <- S + u k^T, and S q after that is S q before it + u (k . q).
__device__ void deltaRule(const KdaStep& a, float4 (&state)[kRows], int warp, int lane, StepMemory& m) {
    const float4 q = normed(m.qkv[0], lane, a.normEps, rsqrtf(static_cast<float>(kDim)));
    const float4 k = normed(m.qkv[1], lane, a.normEps, 1);
    const float4 loss = *reinterpret_cast<const float4*>(&m.loss[lane * 4]);
    const float keyOnQuery = warpSum(dot(k, q));
    float recalled[kRows];
    float read[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        float4& s = state[r];
        s = make_float4(fmaf(s.x, loss.x, s.x), fmaf(s.y, loss.y, s.y), fmaf(s.z, loss.z, s.z), fmaf(s.w, loss.w, s.w));
        recalled[r] = dot(s, k);
        read[r] = dot(s, q);
    }
    const int row = warp * kRows + lane / 4;
    const float u = m.beta * (m.qkv[2][row] - sumRows(recalled, lane));
    const float out = sumRows(read, lane) + u * keyOnQuery;
    if (lane % 4 == 0) m.read[row] = rounded<Bf16>(out);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const float ur = __shfl_sync(kAll, u, r * 4);
        float4& s = state[r];
        s = make_float4(fmaf(ur, k.x, s.x), fmaf(ur, k.y, s.y), fmaf(ur, k.z, s.z), fmaf(ur, k.w, s.w));
    }
}

// What the output norm needs of the inputs, a lane's four channels.
struct OutInputs {
    float4 weight;
    float gate[4];
};

__device__ OutInputs loadOutInputs(const KdaStep& a, int64_t head, int64_t s, int lane) {
    OutInputs in;
    in.weight = reinterpret_cast<const float4*>(a.outWeight)[lane];
#pragma unroll
    for (int i = 0; i < 4; ++i) in.gate[i] = toFloat(a.gate.at(s, head)[lane * 4 + i]);
    return in;
}

// One warp.
__device__ void normOut(const KdaStep& a, int64_t head, int64_t s, int lane, const OutInputs& in, const StepMemory& m) {
    const float4 x = *reinterpret_cast<const float4*>(&m.read[lane * 4]);
    const float inverse = rsqrtf(warpSum(dot(x, x)) / static_cast<float>(kDim) + a.outEps);
    const float values[4] = {x.x, x.y, x.z, x.w};
    const float weight[4] = {in.weight.x, in.weight.y, in.weight.z, in.weight.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int c = lane * 4 + i;
        const float open = sigmoid(in.gate[i]);
        a.out.at(s, head)[c] = fromFloat<Bf16>(values[i] * inverse * weight[i] * open);
        if (a.gateTap.data != nullptr) a.gateTap.at(s, head)[c] = open;
        if (a.readTap.data != nullptr) a.readTap.at(s, head)[c] = fromFloat<Bf16>(values[i]);
    }
}

// A block takes one head of one sequence. Its state arrives while the inputs are made.
__global__ void __launch_bounds__(kThreads, 2) stepKernel(const __grid_constant__ KdaStep a) {
    __shared__ StepMemory m;
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int64_t head = blockIdx.x;
    const int64_t s = blockIdx.y;
    awaitPrevious();
    letNextStart();
    const ChannelInputs channel = loadChannel(a, head, s);
    OutInputs outInputs;
    if (warp == 0) outInputs = loadOutInputs(a, head, s, lane);
    float4* rows = reinterpret_cast<float4*>(a.state[s] + (head * kDim + warp * kRows) * kDim) + lane;
    float4 state[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) state[r] = __ldcs(rows + r * (kDim / 4));
    makeChannel(a, head, s, channel, m);
    __syncthreads();
    deltaRule(a, state, warp, lane, m);
#pragma unroll
    for (int r = 0; r < kRows; ++r) __stcs(rows + r * (kDim / 4), state[r]);
    __syncthreads();
    if (warp == 0) normOut(a, head, s, lane, outInputs, m);
}

}  // namespace

void kdaStep(const Launch& launch, const KdaStep& args) {
    const dim3 grid{static_cast<unsigned>(args.heads), static_cast<unsigned>(args.sequences)};
    launchOverlapped(launch, stepKernel, grid, kThreads, 0, args);
}

}  // namespace pal::cuda
