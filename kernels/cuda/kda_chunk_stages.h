// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

struct ChunkInputs {
    HeadRows<const Bf16> q, k;
    HeadRows<const float> logDecay;
    Rows<const float> beta;
    int64_t tokens;
};

// Bytes of one chunk of one head. keyDim is 64 or 128, here and below.
[[nodiscard]] size_t chunkBytes(int64_t keyDim);

// Fills chunks[head][chunk].
void prepareChunks(const Launch& launch, const ChunkInputs& in, int64_t heads, int64_t keyDim, char* chunks);

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

}  // namespace pal::cuda
