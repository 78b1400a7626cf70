// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// One token of each of several sequences through a KDA layer between its projections and its output projection, in one kernel: short convolution of four
// taps, norms, gate, delta rule and gated norm, with K = V = 128 and the roundings of the single ops. Row i of the tensors belongs to sequence i.
struct KdaStep {
    static constexpr int kMostSequences = 64;  // of one launch
    Rows<const Bf16> qkv;                      // [B, 3 h 128], projected
    const float* conv;                         // [3 h 128, 4]
    HeadRows<const Bf16> z;                    // [B, h, 128]
    Rows<const Bf16> betaLogits;               // [B, h]
    const float* aLog;                         // [h]
    const float* dtBias;                       // [h, 128]
    bool bounded;
    float lowerBound;
    float normEps;           // of q and k
    const float* outWeight;  // [128]
    float outEps;
    HeadRows<const Bf16> gate;  // [B, h, 128]
    HeadRows<Bf16> out;         // [B, h, 128]
    int heads;
    int sequences;
    float* state[kMostSequences];  // of each sequence: [h, V, K], in and out
    Bf16* tail[kMostSequences];    // of each sequence: [3, 3 h 128] dense, in and out
    // Of what the single ops would have given; null when nobody looks.
    HeadRows<float> decayTap, gateTap;
    Rows<float> betaTap;
    HeadRows<Bf16> readTap;
};

void kdaStep(const Launch& launch, const KdaStep& args);

}  // namespace pal::cuda
