// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// What the chunks are made of: rows that the op's caller has normed and gated ...
struct ReadyRows {
    HeadRows<const Bf16> q, k;
    HeadRows<const float> logDecay;
    Rows<const float> beta;
};
// ... or rows as the short convolution left them, normed and gated on the way (l2Norm and kdaGate of kernels/api/kda_args.h).
struct RawRows {
    HeadRows<const Bf16> q, k, z;
    Rows<const Bf16> betaLogits;
    const float* aLog;    // [h]
    const float* dtBias;  // [h, K]
    bool bounded;
    float lowerBound;
    float normEps, queryScale;
    HeadRows<float> decayTap;  // what the gate gave, or null
    Rows<float> betaTap;
};

// Bytes of one chunk of one head. keyDim is 64 or 128, here and below.
[[nodiscard]] size_t chunkBytes(int64_t keyDim);

// Fills chunks[head][chunk].
void prepareChunks(const Launch& launch, const ReadyRows& in, int64_t tokens, int64_t heads, int64_t keyDim,
                   char* chunks);
void prepareChunks(const Launch& launch, const RawRows& in, int64_t tokens, int64_t heads, int64_t keyDim,
                   char* chunks);

struct ScanArgs {
    HeadRows<const Bf16> v;
    HeadRows<Bf16> out;
    float* state;  // [h, V, K]
    const char* chunks;
    int64_t tokens;
    int64_t heads;
    int64_t valueDim;  // a multiple of 64
};
void scanChunks(const Launch& launch, const ScanArgs& args, int64_t keyDim);
// The same with what capability 9.0 has. False when the driver cannot describe v; nothing was launched.
[[nodiscard]] bool scanChunksHopper(const Launch& launch, const ScanArgs& args, int64_t keyDim);

}  // namespace pal::cuda
