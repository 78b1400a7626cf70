// SPDX-License-Identifier: Apache-2.0
// The gated delta rule token by token. A warp holds kRows rows of one head's state [V, K] in registers, so that every state element is read and
// written once per call; the lanes share the key channels.
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/kda_forms.h"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kRows = 4;   // value rows of a warp
constexpr int kWarps = 4;  // of a block
constexpr unsigned kAll = 0xFFFFFFFFU;

template <typename T>
struct KdaTensors {
    HeadRows<const T> q, k, v;
    HeadRows<const float> logDecay;
    Rows<const float> beta;
    float* state;  // [h, V, K]
    HeadRows<T> out;
    int64_t tokens;
    int64_t keyDim;
    int64_t valueDim;
};

// Sums kRows = 4 values over the warp with 6 exchanges instead of 20. Lane l gets the sum of row l / 8.
__device__ float sumRows(const float (&x)[kRows], int lane) {
    const bool upper = (lane & 16) != 0;
    const float send0 = upper ? x[0] : x[2];
    const float send1 = upper ? x[1] : x[3];
    const float a = (upper ? x[2] : x[0]) + __shfl_xor_sync(kAll, send0, 16);
    const float b = (upper ? x[3] : x[1]) + __shfl_xor_sync(kAll, send1, 16);
    const bool odd = (lane & 8) != 0;
    float sum = (odd ? b : a) + __shfl_xor_sync(kAll, odd ? a : b, 8);
#pragma unroll
    for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(kAll, sum, step);
    return sum;
}

// One token's inputs of a lane.
template <int PerLane>
struct TokenInputs {
    float q[PerLane], k[PerLane], loss[PerLane];  // loss: exp(log decay) - 1
    float v;                                      // of row lane / 8
    float beta;
};

template <int PerLane, typename T>
__device__ TokenInputs<PerLane> loadToken(const KdaTensors<T>& a, int64_t t, int64_t head, int64_t row, int lane) {
    TokenInputs<PerLane> in;
    const T* q = a.q.at(t, head);
    const T* k = a.k.at(t, head);
    const float* g = a.logDecay.at(t, head);
#pragma unroll
    for (int i = 0; i < PerLane; ++i) {
        const int64_t c = lane + kWarp * i;
        const bool inside = c < a.keyDim;
        in.q[i] = inside ? toFloat(q[c]) : 0.0F;
        in.k[i] = inside ? toFloat(k[c]) : 0.0F;
        in.loss[i] = inside ? expm1f(g[c]) : 0.0F;
    }
    in.v = row < a.valueDim ? toFloat(a.v.at(t, head)[row]) : 0.0F;
    in.beta = a.beta[t][head];
    return in;
}

template <int PerLane, typename T>
__global__ void __launch_bounds__(kWarps* kWarp) recurrentKernel(KdaTensors<T> a) {
    const int lane = threadIdx.x % kWarp;
    const int64_t head = blockIdx.x;
    const int64_t firstRow = (static_cast<int64_t>(blockIdx.y) * kWarps + threadIdx.x / kWarp) * kRows;
    if (firstRow >= a.valueDim) return;
    const int64_t laneRow = firstRow + lane / 8;
    float* state = a.state + (head * a.valueDim + firstRow) * a.keyDim;

    float s[kRows][PerLane];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int i = 0; i < PerLane; ++i) {
            const int64_t c = lane + kWarp * i;
            s[r][i] = c < a.keyDim && firstRow + r < a.valueDim ? state[r * a.keyDim + c] : 0.0F;
        }
    }
    TokenInputs<PerLane> next = loadToken<PerLane>(a, 0, head, laneRow, lane);
    for (int64_t t = 0; t < a.tokens; ++t) {
        const TokenInputs<PerLane> in = next;
        if (t + 1 < a.tokens) next = loadToken<PerLane>(a, t + 1, head, laneRow, lane);
        float part[kRows];
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            part[r] = 0;
#pragma unroll
            for (int i = 0; i < PerLane; ++i) {
                s[r][i] =
                    fmaf(s[r][i], in.loss[i], s[r][i]);  // a factor near 1 would lose its last bits, always to one side
                part[r] += s[r][i] * in.k[i];
            }
        }
        const float recalled = sumRows(part, lane);
        const float u = in.beta * (in.v - recalled);  // of row lane / 8
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const float ur = __shfl_sync(kAll, u, r * 8);
            part[r] = 0;
#pragma unroll
            for (int i = 0; i < PerLane; ++i) {
                s[r][i] += ur * in.k[i];
                part[r] += s[r][i] * in.q[i];
            }
        }
        const float read = sumRows(part, lane);
        if (lane % 8 == 0 && laneRow < a.valueDim) a.out.at(t, head)[laneRow] = fromFloat<T>(read);
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int i = 0; i < PerLane; ++i) {
            const int64_t c = lane + kWarp * i;
            if (c < a.keyDim && firstRow + r < a.valueDim) state[r * a.keyDim + c] = s[r][i];
        }
    }
}

template <int PerLane>
void launchRecurrent(const Launch& launch, const KdaArgs& args) {
    withElement(args.out.dtype, [&](auto act) {
        using T = decltype(act);
        const KdaTensors<T> tensors{headRowsOf<T>(args.q),
                                    headRowsOf<T>(args.k),
                                    headRowsOf<T>(args.v),
                                    headRowsOf<float>(args.logDecay),
                                    rowsOf<float>(args.beta),
                                    static_cast<float*>(args.state.data),
                                    headRowsOf<T>(args.out),
                                    args.q.dim(0),
                                    args.q.dim(2),
                                    args.v.dim(2)};
        const dim3 grid{static_cast<unsigned>(args.q.dim(1)),
                        static_cast<unsigned>(ceilDiv(tensors.valueDim, kRows * kWarps))};
        recurrentKernel<PerLane, T><<<grid, kWarps * kWarp, 0, launch.stream>>>(tensors);
    });
}

}  // namespace

bool kdaRecurrent(const Launch& launch, const KdaArgs& args) {
    const int64_t perLane = ceilDiv(args.q.dim(2), kWarp);
    if (perLane <= 1) {
        launchRecurrent<1>(launch, args);
    } else if (perLane <= 2) {
        launchRecurrent<2>(launch, args);
    } else if (perLane <= 4) {
        launchRecurrent<4>(launch, args);
    } else if (perLane <= 8) {
        launchRecurrent<8>(launch, args);
    } else {
        return false;
    }
    return true;
}

}  // namespace pal::cuda
