// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/element.cuh"

namespace pal::cuda {

__device__ inline float softplus(float x) {
    return fmaxf(x, 0.0F) + log1pf(expf(-fabsf(x)));
}

// Log decay of one channel from x = z + dtBias and a = exp(aLog): the two forms of KdaGateArgs.
__device__ inline float logDecayOf(float x, float a, bool bounded, float lowerBound) {
    return bounded ? lowerBound * sigmoid(a * x) : -a * softplus(x);
}

}  // namespace pal::cuda
