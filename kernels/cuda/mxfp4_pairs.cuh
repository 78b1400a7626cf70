// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/cuda/gemv.cuh"

// MXFP4 as operands of tensor cores. A word of eight E2M1 codes gives four pairs: pair n holds the codes of columns n and n + 4. Which columns share
// a product's depth does not matter as long as both operands agree, so the other operand is laid out in this order instead of moving nibbles about.

namespace pal::cuda {

// Place of column c (of 8) within its word's order: pairs one after the other.
__host__ __device__ constexpr int pairedPlace(int c) {
    return c % 4 * 2 + c / 4;
}

// Moves bits up, or down for a negative count.
__device__ inline uint32_t moved(uint32_t word, int up) {
    return up < 0 ? word >> -up : word << up;
}

// Pair n of a word as two halves, 2^-14 times the values (see decodePair). Exact.
__device__ inline uint32_t halfPair(uint32_t word, int n) {
    return (moved(word, 12 - 4 * n) & 0x80008000U) | (moved(word, 9 - 4 * n) & 0x0E000E00U);
}

// Pair n of a word as two bfloat16, 2^-126 times the values: sign, and the other three bits at the border of exponent and fraction. Exact.
__device__ inline uint32_t bf16Pair(uint32_t word, int n) {
    return (moved(word, 12 - 4 * n) & 0x80008000U) | (moved(word, 6 - 4 * n) & 0x01C001C0U);
}

// c [16 x 8] += a [16 x 16] b [16 x 8], halves in, float32 sums; places as in multiply().
__device__ inline void multiplyHalves(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// How a group of activations becomes halves: times `gain`, so that the largest lies in [2^14, 2^15); `unit` undoes it. What is lost lies 2^38 below the
// largest, far below the error of float32 sums.
struct HalfScale {
    float gain;
    float unit;
};
__device__ inline HalfScale halfScale(float largest) {
    const uint32_t exponent = max(__float_as_uint(largest) >> 23, 28U);
    return {__uint_as_float((268U - exponent) << 23), __uint_as_float((exponent - 14U) << 23)};
}

}  // namespace pal::cuda
