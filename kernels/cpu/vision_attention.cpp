// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cpu/vision.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/vision_attention.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/flash-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

// Keys [first, first + count) of one head transposed into panels, values copied into panels; both zero beyond `count`.
void packBlock(const VisionAttentionArgs& args, int64_t head, int64_t first, int64_t count, float* keys,
               float* values) {
    const int64_t dim = args.k.dim(2);
    const int64_t width = panelWidth();
    if (count < kFlashKeys) {
        std::fill(keys, keys + kFlashKeys * dim, 0.0F);
        std::fill(values, values + panelsFor(dim) * kFlashKeys * width, 0.0F);
    }
    for (int64_t i = 0; i < count; i += width) {
        transpose(args.k.row<const float>(first + i, head), args.k.stride[0], std::min(width, count - i), dim,
                  keys + i * dim, width);
    }
    for (int64_t i = 0; i < count; ++i) {
        const auto* v = args.v.row<const float>(first + i, head);
        for (int64_t c = 0; c < dim; c += width) {
            std::copy(v + c, v + std::min(dim, c + width), values + (c / width * kFlashKeys + i) * width);
        }
    }
}

// Queries [begin, end) of one head over all patches.
void attendQueries(const VisionAttentionArgs& args, int64_t head, int64_t begin, int64_t end, Arena& arena) {
    const int64_t patches = args.k.dim(0);
    const int64_t dim = args.k.dim(2);
    const int64_t panels = panelsFor(dim);
    ArenaScope scope(arena);
    auto* keys = scope.array<float>(static_cast<size_t>(kFlashKeys * dim));
    auto* values = scope.array<float>(static_cast<size_t>(panels * kFlashKeys * panelWidth()));
    std::fill(values, values + panels * kFlashKeys * panelWidth(), 0.0F);
    const FlashQueries queries = flashBegin(args.q.rows(begin, end - begin), head, args.scale, dim, scope);
    for (int64_t key = 0; key < patches; key += kFlashKeys) {
        const int64_t count = std::min(kFlashKeys, patches - key);
        packBlock(args, head, key, count, keys, values);
        for (int64_t first = 0; first < queries.count; first += kFlashQueries) {
            flashStep(queries.tile(first), {count, keys, values}, dim, panels, count, 0, queries.scratch);
        }
    }
    flashFinish(queries, head, args.out.rows(begin, end - begin));
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(attendQueries);

void visionAttention(const VisionAttentionArgs& args, ThreadPool& pool) {
    // Keys and values are packed once per task: enough queries to make that cheap, few enough to stay in the second-level cache.
    constexpr int64_t kQueriesPerTask = 288;
    const int64_t heads = args.q.dim(1);
    const int64_t queries = args.q.dim(0);
    const int64_t parts = (queries + kQueriesPerTask - 1) / kQueriesPerTask;
    pool.parallelFor(heads * parts, [&](int64_t task, int thread) {
        const int64_t begin = task % parts * kQueriesPerTask;
        HWY_DYNAMIC_DISPATCH(attendQueries)
        (args, task / parts, begin, std::min(queries, begin + kQueriesPerTask), pool.arena(thread));
    });
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
