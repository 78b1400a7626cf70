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
    int32_t* widthFirst;  // [kTileWidths + 1] tiles stand by width; the last one is their number
    int64_t maxTiles;
};

// Products are as wide as a tile needs.
inline constexpr int kTileWidths = 4;
[[nodiscard]] __host__ __device__ constexpr int tileWidth(int index) {
    constexpr int kWidths[kTileWidths] = {64, 128, 160, 192};
    return kWidths[index];
}
// An expert's tokens are spread evenly over the fewest tiles of at most `tileTokens`.
void sortPicks(const Launch& launch, const MoeArgs& args, int64_t experts, int tileTokens, const SortedPicks& out);
inline constexpr int kMoeTokens = 64;  // of a tile of expertsGrouped()
void expertsGrouped(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const SortedPicks& sorted,
                    const MoeRows& out);

// Both formats MXFP4, bfloat16 activations, few tokens: everything in two launches over the weights. tokenExpertBytes() of scratch for `picks` = T k.
[[nodiscard]] bool suitsToken(const ExpertTable& table, int64_t picksOfToken);
[[nodiscard]] size_t tokenExpertBytes(int64_t picks, int64_t inner);
void expertsToken(const Launch& launch, const MoeArgs& args, const ExpertTable& table);

// Both formats MXFP4, L and M multiples of kMoeHopperDepth, on sm_90a: sorted picks in tiles of up to kMoeHopperTokens. False when the driver refuses.
inline constexpr int kMoeHopperTokens = 192;
inline constexpr int kMoeHopperDepth = 128;
[[nodiscard]] bool expertsHopper(const Launch& launch, const MoeArgs& args, const ExpertTable& table,
                                 const SortedPicks& sorted, const MoeRows& out);

void combine(const Launch& launch, const MoeArgs& args, const void* rows);

}  // namespace pal::cuda
