// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/sublayers.h"
#include "engine/exec/workspace.h"

namespace pal {

// The temporary tensors of each sublayer for one step of T tokens, placed by its constructor. "act" is the activation type.

struct KdaMemory {
    KdaMemory(const StepContext& step, Carver& memory);
    TensorView qkv;         // [T, 3P] act, projected
    TensorView convolved;   // [T, 3P] act
    TensorView decayDown;   // [T, d] act
    TensorView decay;       // [T, P] act, before the gate's activation
    TensorView betaLogits;  // [T, h] act
    TensorView gateDown;    // [T, d] act, with a low-rank output gate
    TensorView gate;        // [T, P] act, before the sigmoid
    TensorView logDecay;    // [T, h, K] f32
    TensorView beta;        // [T, h] f32
    TensorView read;        // [T, P] act, after the gated norm
    TensorView readTap;     // [T, P] act before it, with a tap
    TensorView gateTap;     // [T, h, V] f32, with a tap
    TensorView inputTap;    // [T, 3P] act, with a tap
};

struct MlaMemory {
    MlaMemory(const StepContext& step, int64_t past, Carver& memory);
    TensorView queryDown;  // [T, r] act, with a query rank
    TensorView query;      // [T, h D] act
    TensorView latent;     // [T, R + rope] act
    TensorView gate;       // [T, h V] act, with an output gate
    TensorView out;        // [T, h V] act
    TensorView gateTap;    // [T, h V] f32, with a tap
    TensorView probTap;    // [h, past + T] f32, with a tap
};

struct MlpMemory {
    MlpMemory(const StepContext& step, int64_t width, Carver& memory);
    TensorView gate, up;  // [T, width] act
};

struct MixtureMemory {
    MixtureMemory(const StepContext& step, Carver& memory);
    TensorView logits;  // [T, E] f32
    TensorView index;   // [T, k] i32
    TensorView weight;  // [T, k] f32
    TensorView latent;  // [T, L] act, with a latent width
    TensorView out;     // [T, L or H] act
};

}  // namespace pal
