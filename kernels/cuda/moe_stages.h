// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/moe.h"

// The stages of a mixture: inner[p] = glu(gate x, up x) and rows[p] = down inner[p] for every pick p = t k + i, then out[t] = sum of weight * rows.

namespace pal::cuda {

struct MoeRows {
    void* inner;  // [T k, M] act
    void* rows;   // [T k, L] act
};

// One block of warps per pick: every pick reads its expert's weights. For few picks, and for float32.
void expertsGemv(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const MoeRows& out);

// Picks sorted by expert, so that each tile of tokens shares one read of the weights. bfloat16.
struct SortedPicks {
    int32_t* pick;        // [T k] picks, by expert
    int32_t* tileExpert;  // [maxTiles]
    int32_t* tileFirst;   // [maxTiles] first place in `pick`
    int32_t* tileRows;    // [maxTiles]
    int32_t* tiles;       // [1]
    int64_t maxTiles;
};
inline constexpr int kMoeTokens = 64;  // of a tile
void expertsGrouped(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const SortedPicks& sorted,
                    const MoeRows& out);

void combine(const Launch& launch, const MoeArgs& args, const void* rows);

}  // namespace pal::cuda
