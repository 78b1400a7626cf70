// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cpu/mla_forms.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/mla_expanded.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/flash-inl.h"
#include "kernels/cpu/mla-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

static_assert(kFlashKeys == kLatentPageTokens, "a block of keys is a latent page");

struct ExpandScratch {
    float* rows;     // [64, R + rope] a widened page
    float* latents;  // [panels of rows][R + rope][panel]: the page transposed
    float* weights;  // [kTileRows, R] rows of kv_b
    float* keys;     // [panels of rows][nope + rope][panel]
    float* columns;  // [panels of rows][V][panel]: values, still transposed
    float* values;   // [panels of V][64][panel]
};

// Keys and values of one head for the first `count` rows of a page.
void expandPage(const MlaAttentionArgs& args, int64_t head, int64_t page, int64_t count, const ExpandScratch& s) {
    const int64_t rank = args.cache.rank;
    const int64_t rope = args.cache.rope;
    const int64_t nope = args.nope;
    const int64_t width = panelWidth();
    const int64_t rowPanels = kFlashKeys / width;
    const float* rows = pageRows(args.cache, page, count, s.rows);
    for (int64_t p = 0; p < rowPanels; ++p) {
        float* latents = s.latents + p * (rank + rope) * width;
        const int64_t some = std::clamp<int64_t>(count - p * width, 0, width);
        if (some < width) std::fill(latents, latents + (rank + rope) * width, 0.0F);
        transpose(rows + p * width * (rank + rope), rank + rope, some, rank + rope, latents, width);
        std::copy(latents + rank * width, latents + (rank + rope) * width, s.keys + (p * (nope + rope) + nope) * width);
    }
    const int64_t firstWeight = head * (nope + args.valueDim);
    const auto project = [&](int64_t begin, int64_t outputs, float* out, int64_t outStride) HWY_ATTR {
        for (int64_t i = 0; i < outputs; i += kTileRows) {
            const int64_t some = std::min<int64_t>(kTileRows, outputs - i);
            weightRows(args.kvB, firstWeight + begin + i, some, s.weights);
            for (int64_t p = 0; p < rowPanels; ++p) {
                multiplyPanel<Left::kRowMajor, Base::kZero>(some, s.weights, rank,
                                                            s.latents + p * (rank + rope) * width, width, rank,
                                                            out + (p * outStride + i) * width);
            }
        }
    };
    project(0, nope, s.keys, nope + rope);
    project(nope, args.valueDim, s.columns, args.valueDim);
    for (int64_t p = 0; p < rowPanels; ++p) {
        for (int64_t v = 0; v < args.valueDim; v += width) {
            transpose(s.columns + (p * args.valueDim + v) * width, width, std::min(width, args.valueDim - v), width,
                      s.values + (v / width * kFlashKeys + p * width) * width, width);
        }
    }
}

// Scores of the tile's last query, kept until its softmax is known.
void tapScores(const FlashTile& tile, int64_t count, const FlashScratch& scratch, float* tap) {
    const int64_t width = panelWidth();
    for (int64_t key = 0; key < count; ++key) {
        tap[key] = scratch.scores[(key / width * tile.count + tile.count - 1) * width + key % width];
    }
}

// Scores of the last query -> probabilities.
void finishTap(const FlashQueries& queries, int64_t count, float* tap) {
    const float top = queries.top[queries.count - 1];
    const float share = 1.0F / queries.sum[queries.count - 1];
    mapFloats(
        count, tap,
        [=](auto d, auto x) HWY_ATTR { return hn::Mul(Exp(d, hn::Sub(x, hn::Set(d, top))), hn::Set(d, share)); }, tap);
}

// Queries [begin, end) of one head.
void expandedHead(const MlaAttentionArgs& args, int64_t head, int64_t begin, int64_t end, Arena& arena) {
    const int64_t keyWidth = args.nope + args.cache.rope;
    const int64_t latentWidth = args.cache.rank + args.cache.rope;
    const int64_t valuePanels = panelsFor(args.valueDim);
    ArenaScope scope(arena);
    const auto floats = [&](int64_t count) { return scope.array<float>(static_cast<size_t>(count)); };
    const ExpandScratch expand{floats(kFlashKeys * latentWidth),    floats(kFlashKeys * latentWidth),
                               floats(kTileRows * args.cache.rank), floats(kFlashKeys * keyWidth),
                               floats(kFlashKeys * args.valueDim),  floats(valuePanels * kFlashKeys * panelWidth())};
    std::fill(expand.values, expand.values + valuePanels * kFlashKeys * panelWidth(), 0.0F);
    const FlashQueries queries = flashBegin(args.q.rows(begin, end - begin), head, args.scale, args.valueDim, scope);
    const bool tapped = args.probTap.present() && end == args.q.dim(0);
    float* tap = tapped ? args.probTap.row<float>(head) : nullptr;
    const int64_t total = args.past + end;
    for (int64_t row = 0; row < total; row += kFlashKeys) {
        const int64_t count = std::min(kFlashKeys, total - row);
        expandPage(args, head, row / kFlashKeys, count, expand);
        for (int64_t first = 0; first < queries.count; first += kFlashQueries) {
            const FlashTile tile = queries.tile(first);
            const int64_t visible = args.past + begin + first + 1 - row;  // to the tile's first query
            if (visible + tile.count - 1 <= 0) continue;
            flashStep(tile, {count, expand.keys, expand.values}, keyWidth, valuePanels, visible, 1, queries.scratch);
            if (tapped && first + tile.count == queries.count) tapScores(tile, count, queries.scratch, tap + row);
        }
    }
    flashFinish(queries, head, args.out.rows(begin, end - begin));
    if (tapped) finishTap(queries, total, tap);
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(expandedHead);

void mlaExpanded(const MlaAttentionArgs& args, ThreadPool& pool) {
    // Each task expands all rows that its queries see, so queries are split only when there are many.
    constexpr int64_t kQueriesPerTask = 1024;
    const int64_t heads = args.q.dim(1);
    const int64_t tokens = args.q.dim(0);
    const int64_t parts = (tokens + kQueriesPerTask - 1) / kQueriesPerTask;
    pool.parallelFor(heads * parts, [&](int64_t task, int thread) {
        const int64_t begin = task / heads * kQueriesPerTask;
        HWY_DYNAMIC_DISPATCH(expandedHead)
        (args, task % heads, begin, std::min(tokens, begin + kQueriesPerTask), pool.arena(thread));
    });
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
