// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_fp16.h>

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/reduce.cuh"

// Dot products of weight rows with a few token rows, for steps so short that reading the weights is all the work: a warp takes some rows, its lanes
// read 8 or 16 bytes each of consecutive columns and keep the token rows' columns in registers.

namespace pal::cuda {

// Columns that one lane reads at once of a format: 16 bytes of f32 and bf16, 8 of MXFP4 (half a group, so that K = 2304 and 3584 waste few lanes).
template <WeightFormat F>
inline constexpr int kLaneColumns = F == WeightFormat::kF32    ? 4
                                    : F == WeightFormat::kBF16 ? 8
                                                               : 16;

// One weight row.
template <WeightFormat F>
struct WeightRow {
    const void* data;
    const uint8_t* scale;
};

template <WeightFormat F>
__device__ WeightRow<F> rowOf(const void* data, const uint8_t* scale, int64_t row, int64_t cols) {
    if constexpr (F == WeightFormat::kF32) return {static_cast<const float*>(data) + row * cols, nullptr};
    if constexpr (F == WeightFormat::kBF16) return {static_cast<const Bf16*>(data) + row * cols, nullptr};
    return {static_cast<const uint8_t*>(data) + row * (cols / 2), scale + row * (cols / kMxfp4Group)};
}

// What a lane has loaded and not yet unpacked, so that several loads are under way at once.
template <WeightFormat F>
struct LaneLoad {
    uint4 bits;
};
template <>
struct LaneLoad<WeightFormat::kMxfp4> {
    uint2 bits;
    uint8_t scale;
};

// Weights are read once: they need not stay in the cache.
template <WeightFormat F>
__device__ LaneLoad<F> loadLane(const WeightRow<F>& row, int64_t column) {
    if constexpr (F == WeightFormat::kMxfp4) {
        return {__ldcs(reinterpret_cast<const uint2*>(static_cast<const uint8_t*>(row.data) + column / 2)),
                row.scale[column / kMxfp4Group]};
    } else {
        constexpr int kBytes = F == WeightFormat::kF32 ? 4 : 2;
        return {__ldcs(reinterpret_cast<const uint4*>(static_cast<const char*>(row.data) + column * kBytes))};
    }
}

__device__ inline float lowBf16(uint32_t pair) {
    return __uint_as_float(pair << 16);
}
__device__ inline float highBf16(uint32_t pair) {
    return __uint_as_float(pair & 0xFFFF0000U);
}

// The E2M1 codes in nibbles n and n + 4 of `word` as halves: sign to bit 15, the other three bits to the top of the fraction and the bottom of the
// exponent, which is the value times 2^-14 (also the two values below 1, which become subnormal halves).
__device__ inline float2 decodePair(uint32_t word, int n) {
    const uint32_t t = word >> (4 * n);
    const uint32_t bits = ((t & 0x00070007U) << 9) | ((t & 0x00080008U) << 12);
    return __half22float2(*reinterpret_cast<const __half2*>(&bits));
}

// 2^(s - 127), which is a subnormal float for s = 0.
__device__ inline float e8m0(uint8_t s) {
    return s == 0 ? 0x1p-127F : __uint_as_float(static_cast<uint32_t>(s) << 23);
}

inline constexpr float kDecodeGain = 0x1p14F;  // undoes decodePair's 2^-14

// w[c] <- the weights, MXFP4 without its scale; returns the factor that is missing.
template <WeightFormat F>
__device__ float unpack(const LaneLoad<F>& load, float (&w)[kLaneColumns<F>]) {
    if constexpr (F == WeightFormat::kF32) {
        w[0] = __uint_as_float(load.bits.x);
        w[1] = __uint_as_float(load.bits.y);
        w[2] = __uint_as_float(load.bits.z);
        w[3] = __uint_as_float(load.bits.w);
        return 1;
    } else if constexpr (F == WeightFormat::kBF16) {
        const uint32_t words[4] = {load.bits.x, load.bits.y, load.bits.z, load.bits.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            w[2 * i] = lowBf16(words[i]);
            w[2 * i + 1] = highBf16(words[i]);
        }
        return 1;
    } else {
        const uint32_t words[2] = {load.bits.x, load.bits.y};
#pragma unroll
        for (int i = 0; i < 2; ++i) {
#pragma unroll
            for (int n = 0; n < 4; ++n) {
                const float2 pair = decodePair(words[i], n);
                w[8 * i + n] = pair.x;
                w[8 * i + n + 4] = pair.y;
            }
        }
        return e8m0(load.scale) * kDecodeGain;
    }
}

// `Count` consecutive values of an aligned token row.
template <int Count>
__device__ void loadTokens(const Bf16* x, float (&out)[Count]) {
    static_assert(Count % 4 == 0);
#pragma unroll
    for (int i = 0; i < Count; i += 4) {
        const uint2 bits = *reinterpret_cast<const uint2*>(x + i);
        out[i] = lowBf16(bits.x);
        out[i + 1] = highBf16(bits.x);
        out[i + 2] = lowBf16(bits.y);
        out[i + 3] = highBf16(bits.y);
    }
}
template <int Count>
__device__ void loadTokens(const float* x, float (&out)[Count]) {
#pragma unroll
    for (int i = 0; i < Count; i += 4) {
        const float4 v = *reinterpret_cast<const float4*>(x + i);
        out[i] = v.x;
        out[i + 1] = v.y;
        out[i + 2] = v.z;
        out[i + 3] = v.w;
    }
}

// sum[r][t] += what the loads say of columns [c, c + kLaneColumns).
template <WeightFormat F, int RowCount, int Tokens, typename X>
__device__ void dotLoads(const LaneLoad<F> (&loads)[RowCount], const Rows<const X>& x, int tokens, int64_t c,
                         float (&sum)[RowCount][Tokens]) {
    constexpr int kColumns = kLaneColumns<F>;
    float values[Tokens][kColumns];
#pragma unroll
    for (int t = 0; t < Tokens; ++t) {
        if (t < tokens) loadTokens<kColumns>(x[t] + c, values[t]);
    }
#pragma unroll
    for (int r = 0; r < RowCount; ++r) {
        float w[kColumns];
        const float factor = unpack<F>(loads[r], w);
#pragma unroll
        for (int t = 0; t < Tokens; ++t) {
            if (t >= tokens) continue;
            float dot = 0;
#pragma unroll
            for (int i = 0; i < kColumns; ++i) dot += w[i] * values[t][i];
            sum[r][t] += dot * factor;
        }
    }
}

// sum[r][t] += rows[r] . x[t] over the columns of this warp: of every `warps` stretches of 32 lanes it takes number `warp`. Tokens beyond
// `tokens` are left out. `cols` is a multiple of kLaneColumns. Weights are read Ahead stretches ahead; `ready` is called once the first are on
// their way and before x is read.
template <WeightFormat F, int RowCount, int Tokens, int Ahead, typename X, typename Ready>
__device__ void dotRows(const WeightRow<F> (&rows)[RowCount], const Rows<const X>& x, int tokens, int64_t cols,
                        int warp, int warps, float (&sum)[RowCount][Tokens], const Ready& ready) {
    const int64_t step = static_cast<int64_t>(kWarp) * kLaneColumns<F> * warps;
    const int64_t first = (static_cast<int64_t>(warp) * kWarp + threadIdx.x % kWarp) * kLaneColumns<F>;
    LaneLoad<F> loads[Ahead][RowCount];
#pragma unroll
    for (int a = 0; a < Ahead; ++a) {
        if (first + a * step >= cols) continue;
#pragma unroll
        for (int r = 0; r < RowCount; ++r) loads[a][r] = loadLane<F>(rows[r], first + a * step);
    }
    ready();
    for (int64_t c = first; c < cols; c += Ahead * step) {
#pragma unroll
        for (int a = 0; a < Ahead; ++a) {
            const int64_t now = c + a * step;
            if (now >= cols) continue;
            dotLoads<F, RowCount, Tokens, X>(loads[a], x, tokens, now, sum);
            if (now + Ahead * step >= cols) continue;
#pragma unroll
            for (int r = 0; r < RowCount; ++r) loads[a][r] = loadLane<F>(rows[r], now + Ahead * step);
        }
    }
#pragma unroll
    for (int r = 0; r < RowCount; ++r) {
#pragma unroll
        for (int t = 0; t < Tokens; ++t) sum[r][t] = warpSum(sum[r][t]);
    }
}

}  // namespace pal::cuda
