// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// One token of each of several sequences through a KDA layer between its projections and its output projection, in one kernel: short convolution of four
// taps, norms, gate, delta rule and gated norm, with K = V = dim and the roundings of the single ops. Row i of the tensors belongs to sequence i.
struct KdaStep {
    static constexpr int kMostSequences = 64;  // of one launch
    int dim;                                   // 64 or 128
    Rows<const Bf16> qkv;                      // [B, 3 h dim], projected
    const float* conv;                         // [3 h dim, 4]
    HeadRows<const Bf16> z;                    // [B, h, dim]
    Rows<const Bf16> betaLogits;               // [B, h]
    const float* aLog;                         // [h]
    const float* dtBias;                       // [h, dim]
    bool bounded;
    float lowerBound;
    float normEps;           // of q and k
    const float* outWeight;  // [dim]
    float outEps;
    HeadRows<const Bf16> gate;  // [B, h, dim]
    HeadRows<Bf16> out;         // [B, h, dim]
    int heads;
    int sequences;
    float* state[kMostSequences];  // of each sequence: [h, V, K], in and out
    Bf16* tail[kMostSequences];    // of each sequence: [3, 3 h dim] dense, in and out
    // Of what the single ops would have given; null when nobody looks.
    HeadRows<float> decayTap, gateTap;
    Rows<float> betaTap;
    HeadRows<Bf16> readTap;
    // Reduced, of KdaMixerArgs; null likewise.
    struct Look {
        HeadRows<float> halfLife;  // [B, h, 5]
        HeadRows<float> openness;  // [B, h, 3]
        Rows<float> write;         // [B, h]
        Rows<float> stateNorm;     // [B, h], there when `write` is
    } look;
};

[[nodiscard]] bool kdaStepFits(int64_t keys, int64_t values, int64_t taps);
void kdaStep(const Launch& launch, const KdaStep& args);

}  // namespace pal::cuda
