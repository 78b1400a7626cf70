// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/mla.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/mla.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/bf16-inl.h"
#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

void appendRows(const MlaAppendArgs& args, int64_t begin, int64_t end) {
    const int64_t rank = args.cache.rank;
    const int64_t width = rank + args.cache.rope;
    std::vector<float> row(static_cast<size_t>(width));
    for (int64_t t = begin; t < end; ++t) {
        const auto* kv = args.kv.row<const float>(t);
        const float factor = reciprocalRoot(sumOfSquares(kv, rank) / static_cast<float>(rank) + args.eps);
        mapFloats(
            rank, row.data(),
            [factor](auto d, auto x, auto w) HWY_ATTR { return hn::Mul(hn::Mul(x, hn::Set(d, factor)), w); }, kv,
            args.weight);
        std::copy(kv + rank, kv + width, row.data() + rank);
        const int64_t at = args.past + t;
        void* page = args.cache.pages[static_cast<size_t>(at / kLatentPageTokens)];
        const int64_t offset = at % kLatentPageTokens * width;
        if (args.cache.dtype == DType::kBF16) {
            narrowToBf16(row.data(), static_cast<uint16_t*>(page) + offset, width);
        } else {
            std::copy(row.begin(), row.end(), static_cast<float*>(page) + offset);
        }
    }
}

// Cached row `at` as float32.
void loadLatent(const LatentPages& cache, int64_t at, float* out) {
    const int64_t width = cache.rank + cache.rope;
    const void* page = cache.pages[static_cast<size_t>(at / kLatentPageTokens)];
    const int64_t offset = at % kLatentPageTokens * width;
    if (cache.dtype == DType::kBF16) {
        widenBf16(static_cast<const uint16_t*>(page) + offset, out, width);
    } else {
        const float* row = static_cast<const float*>(page) + offset;
        std::copy(row, row + width, out);
    }
}

void loadWeightRow(const WeightView& weight, int64_t row, float* out) {
    if (weight.format == WeightFormat::kBF16) {
        widenBf16(static_cast<const uint16_t*>(weight.data) + row * weight.cols, out, weight.cols);
    } else {
        const float* from = static_cast<const float*>(weight.data) + row * weight.cols;
        std::copy(from, from + weight.cols, out);
    }
}

void addScaled(float factor, const float* x, float* sum, int64_t count) {
    mapFloats(
        count, sum, [factor](auto d, auto v, auto s) HWY_ATTR { return hn::MulAdd(hn::Set(d, factor), v, s); }, x, sum);
}

// One query of one head, absorbed: q~ = [q_n Uk | q_r], two passes over the cached rows, then Uv.
void attendAbsorbed(const MlaAttentionArgs& args, int64_t t, int64_t head) {
    const int64_t rank = args.cache.rank;
    const int64_t width = rank + args.cache.rope;
    const int64_t visible = args.past + t + 1;
    const int64_t weightRow = head * (args.nope + args.valueDim);
    const auto* q = args.q.row<const float>(t, head);
    std::vector<float> query(static_cast<size_t>(width));
    std::vector<float> row(static_cast<size_t>(width));
    std::vector<float> latent(static_cast<size_t>(rank));
    std::vector<float> probs(static_cast<size_t>(visible));
    for (int64_t i = 0; i < args.nope; ++i) {
        loadWeightRow(args.kvB, weightRow + i, row.data());
        addScaled(q[i], row.data(), query.data(), rank);
    }
    std::copy(q + args.nope, q + args.nope + args.cache.rope, query.data() + rank);
    for (int64_t s = 0; s < visible; ++s) {
        loadLatent(args.cache, s, row.data());
        probs[static_cast<size_t>(s)] = args.scale * dot(query.data(), row.data(), width);
    }
    const float top = *std::max_element(probs.begin(), probs.end());
    float sum = 0;
    for (float& p : probs) sum += p = std::exp(p - top);
    for (float& p : probs) p /= sum;
    for (int64_t s = 0; s < visible; ++s) {
        loadLatent(args.cache, s, row.data());
        addScaled(probs[static_cast<size_t>(s)], row.data(), latent.data(), rank);
    }
    float* out = args.out.row<float>(t, head);
    for (int64_t i = 0; i < args.valueDim; ++i) {
        loadWeightRow(args.kvB, weightRow + args.nope + i, row.data());
        out[i] = dot(row.data(), latent.data(), rank);
    }
    if (args.probTap.present() && t + 1 == args.q.dim(0)) {
        std::copy(probs.begin(), probs.end(), args.probTap.row<float>(head));
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(appendRows);
HWY_EXPORT(attendAbsorbed);

void mlaAppend(const MlaAppendArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.kv.dim(0), rowsPerBlock(args.kv.dim(1)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(appendRows)(args, begin, end);
    });
}

void mlaAttention(const MlaAttentionArgs& args, ThreadPool& pool) {
    const int64_t heads = args.q.dim(1);
    pool.parallelFor(args.q.dim(0) * heads, [&](int64_t task, int) {
        HWY_DYNAMIC_DISPATCH(attendAbsorbed)(args, task / heads, task % heads);
    });
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
