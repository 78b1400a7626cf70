// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Sums and maxima over a warp or a block; every thread gets the result, always added in the same order.

namespace pal::cuda {

inline constexpr int kWarp = 32;

template <int Width = kWarp>
__device__ float warpSum(float x) {
#pragma unroll
    for (int step = Width / 2; step > 0; step /= 2) x += __shfl_xor_sync(0xFFFFFFFFU, x, step);
    return x;
}

__device__ inline float warpMax(float x) {
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, step));
    return x;
}

// Of lanes 4 i .. 4 i + 3.
__device__ inline float quadMax(float x) {
    x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xFFFFFFFFU, x, 2));
}

// `shared` holds one float per warp; all threads of the block call it, and may call it again at once.
__device__ inline float blockSum(float x, float* shared) {
    const int warps = static_cast<int>(blockDim.x) / kWarp;
    x = warpSum(x);
    __syncthreads();
    if (threadIdx.x % kWarp == 0) shared[threadIdx.x / kWarp] = x;
    __syncthreads();
    float sum = 0;
    for (int w = 0; w < warps; ++w) sum += shared[w];
    return sum;
}

}  // namespace pal::cuda
