// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/state/sequence_state.h"

namespace pal::bench {

// What a session of Kimi-Linear-48B-A3B keeps, with bf16 latents. Convolution tails have the type of the device's activations.
inline StateLayout kimiLinearLayout(DType tail) {
    StateLayout layout;
    layout.kdaLayers = 20;
    layout.heads = 32;
    layout.valueDim = 128;
    layout.keyDim = 128;
    layout.tailRows = 3;
    layout.tail = tail;
    layout.mlaLayers = 7;
    layout.latentRank = 512;
    layout.latentRope = 64;
    layout.latent = DType::kBF16;
    return layout;
}

}  // namespace pal::bench
