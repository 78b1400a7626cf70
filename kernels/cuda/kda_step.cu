// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kda_step.h"

#include <type_traits>

#include "kernels/cuda/kda_gate.cuh"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/probes.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kTaps = 4;
constexpr int kRows = 8;  // value rows of a warp
constexpr unsigned kAll = 0xFFFFFFFFU;

// A block of one head: a thread for each channel of q, k, v and the gate. A warp's lanes take kLane neighbouring key channels each.
template <int kDim>
struct Shape {
    static constexpr int kThreads = 4 * kDim;
    static constexpr int kWarps = kThreads / kWarp;
    static constexpr int kLane = kDim / kWarp;
    static_assert(kWarps * kRows == kDim);
};

// Neighbouring floats that are loaded and stored at once.
template <int kCount>
struct Floats {
    using Vector = std::conditional_t<kCount == 4, float4, float2>;
    alignas(Vector) float v[kCount];
};
template <int kCount>
__device__ Floats<kCount> loadStreamed(const float* from) {
    using Vector = typename Floats<kCount>::Vector;
    const Vector loaded = __ldcs(reinterpret_cast<const Vector*>(from));
    return *reinterpret_cast<const Floats<kCount>*>(&loaded);
}
template <int kCount>
__device__ void storeStreamed(float* to, const Floats<kCount>& values) {
    using Vector = typename Floats<kCount>::Vector;
    __stcs(reinterpret_cast<Vector*>(to), *reinterpret_cast<const Vector*>(values.v));
}
template <int kCount>
__device__ float dot(const Floats<kCount>& a, const Floats<kCount>& b) {
    float sum = a.v[0] * b.v[0];
#pragma unroll
    for (int i = 1; i < kCount; ++i) sum += a.v[i] * b.v[i];
    return sum;
}

template <int kDim>
struct StepMemory {
    alignas(16) float qkv[3][kDim];  // after the convolution
    alignas(16) float decay[kDim];   // its logarithm
    alignas(16) float loss[kDim];    // exp(log decay) - 1: a factor near 1 would lose its last bits
    alignas(16) float read[kDim];
    float beta;
    float2
        sums[Shape<kDim>::kWarps];  // for who looks: of squares of what a warp's rows get written, and of their state
};

// The lane's channels of a row of shared memory.
template <int kDim>
__device__ Floats<Shape<kDim>::kLane> ofLane(const float (&row)[kDim], int lane) {
    return *reinterpret_cast<const Floats<Shape<kDim>::kLane>*>(&row[lane * Shape<kDim>::kLane]);
}

// What one thread makes of the inputs: the first 3 K a channel of q, k or v after the convolution, the last K a channel of the gate. Loaded before the
// state is asked for, because it is needed first.
struct ChannelInputs {
    Bf16 now, before[kTaps - 1];
    float4 conv;
    float z, bias, aLog, betaLogit;
};

template <int kDim>
__device__ bool convolves() {
    return threadIdx.x < 3 * kDim;
}
template <int kDim>
__device__ int64_t convChannel(const KdaStep& a, int64_t head) {
    return static_cast<int64_t>(threadIdx.x / kDim * a.heads + head) * kDim + threadIdx.x % kDim;
}

template <int kDim>
__device__ ChannelInputs loadChannel(const KdaStep& a, int64_t head, int64_t s) {
    ChannelInputs in{};
    if (convolves<kDim>()) {
        const int64_t c = convChannel<kDim>(a, head);
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
template <int kDim>
__device__ void makeChannel(const KdaStep& a, int64_t head, int64_t s, const ChannelInputs& in, StepMemory<kDim>& m) {
    const int i = static_cast<int>(threadIdx.x) % kDim;
    if (convolves<kDim>()) {
        const float sum = in.conv.x * toFloat(in.before[0]) + in.conv.y * toFloat(in.before[1]) +
                          in.conv.z * toFloat(in.before[2]) + in.conv.w * toFloat(in.now);
        m.qkv[threadIdx.x / kDim][i] = rounded<Bf16>(sum * sigmoid(sum));
        const int64_t width = static_cast<int64_t>(3) * a.heads * kDim;
        Bf16* tail = a.tail[s] + convChannel<kDim>(a, head);
        tail[0] = in.before[1];
        tail[width] = in.before[2];
        tail[2 * width] = in.now;
        return;
    }
    const float g = logDecayOf(in.z + in.bias, expf(in.aLog), a.bounded, a.lowerBound);
    m.decay[i] = g;
    m.loss[i] = expm1f(g);
    if (a.decayTap.data != nullptr) a.decayTap.at(s, head)[i] = g;
    if (i != 0) return;
    m.beta = sigmoid(in.betaLogit);
    if (a.betaTap.data != nullptr) a.betaTap[s][head] = m.beta;
}

// A lane's channels, normed over the warp and rounded as the norm's own op rounds.
template <int kDim>
__device__ Floats<Shape<kDim>::kLane> normed(const float (&x)[kDim], int lane, float eps, float scale) {
    Floats<Shape<kDim>::kLane> v = ofLane(x, lane);
    const float factor = rsqrtf(warpSum(dot(v, v)) + eps) * scale;
    for (float& value : v.v) value = rounded<Bf16>(value * factor);
    return v;
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

// With S decayed: u = beta (v - S k), S <- S + u k^T, and S q after that is S q before it + u (k . q). Returns u of the warp's row lane / 4.
template <int kDim>
__device__ float deltaRule(const KdaStep& a, Floats<Shape<kDim>::kLane> (&state)[kRows], int warp, int lane,
                           StepMemory<kDim>& m) {
    constexpr int kLane = Shape<kDim>::kLane;
    const Floats<kLane> q = normed(m.qkv[0], lane, a.normEps, rsqrtf(static_cast<float>(kDim)));
    const Floats<kLane> k = normed(m.qkv[1], lane, a.normEps, 1);
    const Floats<kLane> loss = ofLane(m.loss, lane);
    const float keyOnQuery = warpSum(dot(k, q));
    float recalled[kRows];
    float read[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int i = 0; i < kLane; ++i) state[r].v[i] = fmaf(state[r].v[i], loss.v[i], state[r].v[i]);
        recalled[r] = dot(state[r], k);
        read[r] = dot(state[r], q);
    }
    const int row = warp * kRows + lane / 4;
    const float u = m.beta * (m.qkv[2][row] - sumRows(recalled, lane));
    const float out = sumRows(read, lane) + u * keyOnQuery;
    if (lane % 4 == 0) m.read[row] = rounded<Bf16>(out);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const float ur = __shfl_sync(kAll, u, r * 4);
#pragma unroll
        for (int i = 0; i < kLane; ++i) state[r].v[i] = fmaf(ur, k.v[i], state[r].v[i]);
    }
    return u;
}

// What the output norm needs of the inputs, a lane's channels.
template <int kDim>
struct OutInputs {
    Floats<Shape<kDim>::kLane> weight;
    float gate[Shape<kDim>::kLane];
};

template <int kDim>
__device__ OutInputs<kDim> loadOutInputs(const KdaStep& a, int64_t head, int64_t s, int lane) {
    constexpr int kLane = Shape<kDim>::kLane;
    OutInputs<kDim> in;
    in.weight = reinterpret_cast<const Floats<kLane>*>(a.outWeight)[lane];
#pragma unroll
    for (int i = 0; i < kLane; ++i) in.gate[i] = toFloat(a.gate.at(s, head)[lane * kLane + i]);
    return in;
}

// One warp.
template <int kDim>
__device__ void normOut(const KdaStep& a, int64_t head, int64_t s, int lane, const OutInputs<kDim>& in,
                        const StepMemory<kDim>& m) {
    constexpr int kLane = Shape<kDim>::kLane;
    const Floats<kLane> x = ofLane(m.read, lane);
    const float inverse = rsqrtf(warpSum(dot(x, x)) / static_cast<float>(kDim) + a.outEps);
    Openness openness;
#pragma unroll
    for (int i = 0; i < kLane; ++i) {
        const int c = lane * kLane + i;
        const float open = sigmoid(in.gate[i]);
        a.out.at(s, head)[c] = fromFloat<Bf16>(x.v[i] * inverse * in.weight.v[i] * open);
        if (a.gateTap.data != nullptr) a.gateTap.at(s, head)[c] = open;
        if (a.readTap.data != nullptr) a.readTap.at(s, head)[c] = fromFloat<Bf16>(x.v[i]);
        openness.add(open);
    }
    if (a.look.openness.data == nullptr) return;
    openness = openness.ofWarp();
    if (lane == 0) openness.store(kDim, a.look.openness.at(s, head));
}

// The warp's part of what its rows got written and hold now. u: of row lane / 4.
template <int kLane>
__device__ float2 sumsOfRows(const Floats<kLane> (&state)[kRows], float u, int lane) {
    float squares = 0;
#pragma unroll
    for (int r = 0; r < kRows; ++r) squares += dot(state[r], state[r]);
    return {warpSum(lane % 4 == 0 ? u * u : 0.0F), warpSum(squares)};
}

// By the second warp, beside the output norm.
template <int kDim>
__device__ void storeNorms(const KdaStep& a, int64_t head, int64_t s, int lane, const StepMemory<kDim>& m) {
    const float2 mine = lane < Shape<kDim>::kWarps ? m.sums[lane] : float2{};
    const float written = warpSum(mine.x);
    const float held = warpSum(mine.y);
    if (lane != 0) return;
    a.look.write[s][head] = sqrtf(written);
    a.look.stateNorm[s][head] = sqrtf(held);
}

// A block takes one head of one sequence. Its state arrives while the inputs are made.
template <int kDim>
__global__ void __launch_bounds__(Shape<kDim>::kThreads, 1024 / Shape<kDim>::kThreads)
    stepKernel(const __grid_constant__ KdaStep a) {
    constexpr int kLane = Shape<kDim>::kLane;
    __shared__ StepMemory<kDim> m;
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int64_t head = blockIdx.x;
    const int64_t s = blockIdx.y;
    awaitPrevious();
    letNextStart();
    const ChannelInputs channel = loadChannel<kDim>(a, head, s);
    OutInputs<kDim> outInputs;
    if (warp == 0) outInputs = loadOutInputs<kDim>(a, head, s, lane);
    float* rows = a.state[s] + (head * kDim + warp * kRows) * kDim + lane * kLane;
    Floats<kLane> state[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) state[r] = loadStreamed<kLane>(rows + r * kDim);
    makeChannel(a, head, s, channel, m);
    __syncthreads();
    const float u = deltaRule(a, state, warp, lane, m);
#pragma unroll
    for (int r = 0; r < kRows; ++r) storeStreamed(rows + r * kDim, state[r]);
    if (a.look.write.data != nullptr) {
        const float2 sums = sumsOfRows(state, u, lane);
        if (lane == 0) m.sums[warp] = sums;
    }
    __syncthreads();
    if (warp == 0) normOut(a, head, s, lane, outInputs, m);
    if (warp == 1 && a.look.write.data != nullptr) storeNorms(a, head, s, lane, m);
    if (!convolves<kDim>() && a.look.halfLife.data != nullptr) {
        storeHalfLives(m.decay, kDim, static_cast<int>(threadIdx.x) - 3 * kDim, a.look.halfLife.at(s, head));
    }
}

template <int kDim>
void launchStep(const Launch& launch, const KdaStep& args) {
    const dim3 grid{static_cast<unsigned>(args.heads), static_cast<unsigned>(args.sequences)};
    launchOverlapped(launch, stepKernel<kDim>, grid, Shape<kDim>::kThreads, 0, args);
}

}  // namespace

bool kdaStepFits(int64_t keys, int64_t values, int64_t taps) {
    return (keys == 64 || keys == 128) && values == keys && taps == kTaps;
}

void kdaStep(const Launch& launch, const KdaStep& args) {
    args.dim == 64 ? launchStep<64>(launch, args) : launchStep<128>(launch, args);
}

}  // namespace pal::cuda
