// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/dense_args.h"
#include "kernels/cuda/element.cuh"

namespace pal::cuda {

// GluParams' formula.
__device__ inline float gatedUnit(const GluParams& p, float gate, float up) {
    if (p.kind == GluKind::kSwiGlu) return gate * sigmoid(gate) * up;
    if (p.linearBeta != 0) up = p.linearBeta * tanhf(up / p.linearBeta);
    return p.beta * tanhf(gate / p.beta) * sigmoid(gate) * up;
}

}  // namespace pal::cuda
