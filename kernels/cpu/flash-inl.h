// SPDX-License-Identifier: Apache-2.0
// Attention of a tile of queries over one block of keys after another with a running softmax (Dao et al., FlashAttention, arXiv 2205.14135),
// compiled once per instruction set. Scores never leave the caches. A query's result depends on the keys and the block borders only.

#if defined(PAL_KERNELS_CPU_FLASH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_FLASH_INL_H_
#undef PAL_KERNELS_CPU_FLASH_INL_H_
#else
#define PAL_KERNELS_CPU_FLASH_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "kernels/api/tensor_view.h"
#include "kernels/cpu/arena.h"
#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// Queries of a tile (a multiple of kTileRows) and keys of a block (a multiple of the panel width for every instruction set).
inline constexpr int64_t kFlashQueries = 48;
inline constexpr int64_t kFlashKeys = 64;

// Up to kFlashKeys keys and values of one head; what lies beyond `count` is zero.
struct FlashBlock {
    int64_t count;
    const float* keys;    // [kFlashKeys / panel][key width][panel], keys side by side
    const float* values;  // [value panels][kFlashKeys][panel]
};

// Up to kFlashQueries queries with what they have gathered so far: the largest score, the sum of e^(score - top) and the weighted values.
struct FlashTile {
    int64_t count;
    const float* queries;  // [count][key width], scaled
    float* top;            // [count]
    float* sum;            // [count]
    float* out;            // [value panels][count][panel]
};

struct FlashScratch {
    float* scores;  // [kFlashKeys / panel][kFlashQueries][panel]
    float* probs;   // [kFlashQueries][kFlashKeys]
    float* decay;   // [kFlashQueries]
};

// Softmax of query i over the first `visible` keys of the block: probabilities relative to the new top, and by how much the old sums shrink.
HWY_INLINE void flashSoftmax(const FlashTile& tile, int64_t i, int64_t visible, const FlashScratch& scratch) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t width = panelWidth();
    // The scores lie panel by panel; the first pass brings them side by side, where the second replaces them.
    float* probs = scratch.probs + i * kFlashKeys;
    VecF32 most = hn::Set(d, tile.top[i]);
    for (int64_t key = 0; key < visible; key += lanes) {
        VecF32 score = hn::LoadU(d, scratch.scores + (key / width * tile.count + i) * width + key % width);
        if (key + lanes > visible)
            score = hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(visible - key)), score,
                                   hn::Set(d, -std::numeric_limits<float>::infinity()));
        hn::StoreU(score, d, probs + key);
        most = hn::Max(most, score);
    }
    const float top = hn::GetLane(hn::MaxOfLanes(d, most));
    const VecF32 base = hn::Set(d, top);
    VecF32 sum = hn::Zero(d);
    for (int64_t key = 0; key < kFlashKeys; key += lanes) {
        const VecF32 p = key < visible ? Exp(d, hn::Sub(hn::LoadU(d, probs + key), base)) : hn::Zero(d);
        sum = hn::Add(sum, p);
        hn::StoreU(p, d, probs + key);
    }
    const float decay = hn::GetLane(Exp(d, hn::Set(d, tile.top[i] - top)));
    tile.sum[i] = tile.sum[i] * decay + sumLanes(sum);
    tile.top[i] = top;
    scratch.decay[i] = decay;
}

// Adds a block to a tile. Query i sees the first `visible + i * visibleStep` keys of the block (cut to [0, count]); the first block that a tile
// meets must show every query a key.
HWY_INLINE void flashStep(const FlashTile& tile, const FlashBlock& block, int64_t keyWidth, int64_t valuePanels,
                          int64_t visible, int64_t visibleStep, const FlashScratch& scratch) {
    const int64_t width = panelWidth();
    for (int64_t panel = 0; panel * width < block.count; ++panel) {
        multiplyPanel<Left::kRowMajor, Base::kZero>(tile.count, tile.queries, keyWidth,
                                                    block.keys + panel * keyWidth * width, width, keyWidth,
                                                    scratch.scores + panel * tile.count * width);
    }
    for (int64_t i = 0; i < tile.count; ++i) {
        flashSoftmax(tile, i, std::clamp<int64_t>(visible + i * visibleStep, 0, block.count), scratch);
    }
    for (int64_t panel = 0; panel < valuePanels; ++panel) {
        multiplyPanel<Left::kRowMajor, Base::kScaledResult>(
            tile.count, scratch.probs, kFlashKeys, block.values + panel * kFlashKeys * width, width, block.count,
            tile.out + panel * tile.count * width, scratch.decay);
    }
}

// All queries of one task: some rows of a [T, h, key width] tensor for one head.
struct FlashQueries {
    int64_t count;
    int64_t keyWidth;
    int64_t valueDim;
    float* scaled;  // [count][key width]
    float* top;     // [count]
    float* sum;     // [count]
    float* out;     // per tile [value panels][tile count][panel]
    FlashScratch scratch;

    // The tile that begins at query `first`, a multiple of kFlashQueries.
    [[nodiscard]] FlashTile tile(int64_t first) const {
        return {std::min(kFlashQueries, count - first), scaled + first * keyWidth, top + first, sum + first,
                out + first * panelsFor(valueDim) * panelWidth()};
    }
};

// Rows of q (their head's part begins at q.row(t, head)), scaled, with empty sums. Memory comes from `scope`.
HWY_INLINE FlashQueries flashBegin(const ConstTensorView& q, int64_t head, float scale, int64_t valueDim,
                                   ArenaScope& scope) {
    const auto floats = [&](int64_t size) { return scope.array<float>(static_cast<size_t>(size)); };
    const int64_t count = q.dim(0);
    const int64_t keyWidth = q.dim(2);
    const int64_t outFloats = count * panelsFor(valueDim) * panelWidth();
    const FlashQueries queries{
        count,
        keyWidth,
        valueDim,
        floats(count * keyWidth),
        floats(count),
        floats(count),
        floats(outFloats),
        {floats(kFlashKeys * kFlashQueries), floats(kFlashKeys * kFlashQueries), floats(kFlashQueries)}};
    for (int64_t i = 0; i < count; ++i) {
        mapFloats(
            keyWidth, queries.scaled + i * keyWidth,
            [scale](auto d, auto x) HWY_ATTR { return hn::Mul(x, hn::Set(d, scale)); }, q.row<const float>(i, head));
    }
    std::fill(queries.top, queries.top + count, -std::numeric_limits<float>::infinity());
    std::fill(queries.sum, queries.sum + count, 0.0F);
    std::fill(queries.out, queries.out + outFloats, 0.0F);
    return queries;
}

// Divides by the sums and writes row(i, head) of `out`.
HWY_INLINE void flashFinish(const FlashQueries& queries, int64_t head, const TensorView& out) {
    const int64_t width = panelWidth();
    for (int64_t i = 0; i < queries.count; ++i) {
        const int64_t first = i / kFlashQueries * kFlashQueries;
        const FlashTile tile = queries.tile(first);
        const float share = 1.0F / queries.sum[i];
        for (int64_t c = 0; c < queries.valueDim; c += width) {
            mapFloats(
                std::min(width, queries.valueDim - c), out.row<float>(i, head) + c,
                [share](auto d, auto x) HWY_ATTR { return hn::Mul(x, hn::Set(d, share)); },
                tile.out + (c / width * tile.count + i - first) * width);
        }
    }
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
