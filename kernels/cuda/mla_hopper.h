// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/mla.h"

namespace pal::cuda {

// The absorbed form on a GPU of capability 9.0, for the released models' sizes: bfloat16 activations, weights and pages, R = 512, rope = 64, nope = V = 128.
[[nodiscard]] bool fitsHopperAbsorbed(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table);
// False when the device has no room for the intermediates or the driver cannot describe the pages; what was launched then writes no result.
[[nodiscard]] bool mlaAbsorbedHopper(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table,
                                     const Past& past);

// Rows of the latent part, queries in the latent space, and what blocks hand to the join.
struct AbsorbedRows {
    const Bf16* queries;  // [rows, R + rope], times scale and log2(e)
    int64_t rows;         // T * h, row t * h + head
    int64_t tokens, heads;
    Past past;
    PageTable table;
    int splits;
    float* part;   // [rows, splits, R] weighted sums of latents
    float* stats;  // [rows, splits, 2] largest score (base 2), sum of exponentials
};

// Fills part and stats.
[[nodiscard]] bool mlaSplitsHopper(const Launch& launch, const AbsorbedRows& a);
// Blocks that share the pages of a tile of rows.
[[nodiscard]] int hopperSplits(const Launch& launch, int64_t rows);

}  // namespace pal::cuda
