// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "kernels/api/probe_args.h"
#include "kernels/cuda/reduce.cuh"

// What kernels tell somebody who looks (kernels/api/probe_args.h), from values that they hold.

namespace pal::cuda {

// Of some of a head's gates, after the sigmoid.
struct Openness {
    float sum = 0;
    float closed = 0;  // how many
    float open = 0;

    __device__ void add(float gate) {
        sum += gate;
        closed += gate < kGateClosed ? 1.0F : 0.0F;
        open += gate > kGateOpen ? 1.0F : 0.0F;
    }
    // Of the lanes together, for all of them.
    [[nodiscard]] __device__ Openness ofWarp() const { return {warpSum(sum), warpSum(closed), warpSum(open)}; }
    // Of the block's threads together, for the first of them. `partial`: shared memory for each warp.
    [[nodiscard]] __device__ Openness ofBlock(float3* partial) const {
        Openness all = ofWarp();
        if (threadIdx.x % kWarp == 0) partial[threadIdx.x / kWarp] = {all.sum, all.closed, all.open};
        __syncthreads();
        for (unsigned w = 1; w < blockDim.x / kWarp && threadIdx.x == 0; ++w) {
            all.sum += partial[w].x;
            all.closed += partial[w].y;
            all.open += partial[w].z;
        }
        return all;
    }
    // One of the threads that have the sum writes the head's kOpennessValues.
    __device__ void store(int64_t channels, float* to) const {
        const float share = 1.0F / static_cast<float>(channels);
        to[0] = sum * share;
        to[1] = closed * share;
        to[2] = open * share;
    }
};

// Where channel i stands among the head's log decays in ascending order; of equal ones the first comes first. A warp's threads have neighbouring channels.
__device__ inline int placeAmong(const float* decays, int count, int i) {
    const float mine = decays[i];
    const int own = i - i % kWarp;  // channels of this warp
    const int behind = min(own + kWarp, count);
    int place = 0;
#pragma unroll 8
    for (int j = 0; j < own; ++j) place += decays[j] <= mine ? 1 : 0;
#pragma unroll 8
    for (int j = own; j < behind; ++j) place += decays[j] < mine || (decays[j] == mine && j < i) ? 1 : 0;
#pragma unroll 8
    for (int j = behind; j < count; ++j) place += decays[j] < mine ? 1 : 0;
    return place;
}

static_assert(kProbePercents == std::array<int64_t, 5>{10, 25, 50, 75, 90});  // device code cannot read it
// The threads of all channels: those that stand at a quantile's rank write it. decays: of shared memory.
__device__ inline void storeHalfLives(const float* decays, int count, int i, float* to) {
    constexpr int kPercents[] = {10, 25, 50, 75, 90};
    const int place = placeAmong(decays, count, i);
    const float life = fminf(kLongestProbeHalfLife, 0.693147181F / fabsf(decays[i]));
#pragma unroll
    for (int q = 0; q < 5; ++q) {
        if (place == (count * kPercents[q] + 99) / 100 - 1) to[q] = life;
    }
}

}  // namespace pal::cuda
