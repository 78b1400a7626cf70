// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/mla.h"

#include <algorithm>

#include "kernels/cpu/mla_forms.h"
#include "kernels/cpu/mla_probe.h"
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

void appendRows(const MlaAppendArgs& args, int64_t begin, int64_t end, Arena& arena) {
    const int64_t rank = args.cache.rank;
    const int64_t width = rank + args.cache.rope;
    ArenaScope scope(arena);
    auto* row = scope.array<float>(static_cast<size_t>(width));
    for (int64_t t = begin; t < end; ++t) {
        const auto* kv = args.kv.row<const float>(t);
        const float factor = reciprocalRoot(sumOfSquares(kv, rank) / static_cast<float>(rank) + args.eps);
        mapFloats(
            rank, row, [factor](auto d, auto x, auto w) HWY_ATTR { return hn::Mul(hn::Mul(x, hn::Set(d, factor)), w); },
            kv, args.weight);
        std::copy(kv + rank, kv + width, row + rank);
        const int64_t at = args.past + t;
        void* page = args.cache.pages[static_cast<size_t>(at / kLatentPageTokens)];
        const int64_t offset = at % kLatentPageTokens * width;
        if (args.cache.dtype == DType::kBF16) {
            narrowToBf16(row, static_cast<uint16_t*>(page) + offset, width);
        } else {
            std::copy(row, row + width, static_cast<float*>(page) + offset);
        }
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(appendRows);

namespace {

// Whether expanding keys and values once for all queries costs fewer multiply-adds than attending in the latent space.
bool expandedIsCheaper(const MlaAttentionArgs& args) {
    const auto tokens = static_cast<double>(args.q.dim(0));
    const double pairs = tokens * (static_cast<double>(args.past) + (tokens + 1) / 2);
    const auto latent = static_cast<double>(2 * args.cache.rank + args.cache.rope);
    const auto plain = static_cast<double>(args.nope + args.cache.rope + args.valueDim);
    const auto projection = static_cast<double>((args.nope + args.valueDim) * args.cache.rank);
    return (static_cast<double>(args.past) + tokens) * projection + pairs * plain <
           tokens * projection + pairs * latent;
}

// Scores of so many floats are kept at a time, but of one query at least.
constexpr int64_t kScoreFloats = int64_t{16} << 20;

// What the attention does not say of its queries, by the absorbed form over some of them at a time.
void probeBeside(const MlaAttentionArgs& args, ThreadPool& pool) {
    const int64_t tokens = args.q.dim(0);
    const int64_t heads = args.q.dim(1);
    const int64_t probed = args.probe.mass.dim(0);
    const int64_t most = std::max<int64_t>(1, kScoreFloats / absorbedScoreFloats(1, heads, args.past + tokens));
    ArenaScope scope(pool.arena(0));
    auto* out = scope.array<float>(static_cast<size_t>(std::min(most, probed) * heads * args.valueDim));
    for (int64_t first = 0; first < probed; first += most) {
        const int64_t some = std::min(most, probed - first);
        const int64_t query = tokens - probed + first;
        MlaAttentionArgs part = args;
        part.q = args.q.rows(query, some);
        part.past = args.past + query;
        part.out = {out, DType::kF32, {some, heads, args.valueDim}};
        part.probTap = {};
        part.probe = args.probe.part(first, some);
        mlaAbsorbed(part, pool);
    }
}

}  // namespace

void mlaAppend(const MlaAppendArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.kv.dim(0), rowsPerBlock(args.kv.dim(1)), [&](int64_t begin, int64_t end, int thread) {
        HWY_DYNAMIC_DISPATCH(appendRows)(args, begin, end, pool.arena(thread));
    });
}

void mlaAttention(const MlaAttentionArgs& args, ThreadPool& pool) {
    using Form = MlaAttentionArgs::Form;
    const bool expanded = args.form == Form::kExpanded || (args.form == Form::kAuto && expandedIsCheaper(args));
    if (!expanded && (!args.probe.present() || args.q.dim(0) == 1)) return mlaAbsorbed(args, pool);
    MlaAttentionArgs plain = args;
    plain.probe = {};
    if (expanded) {
        mlaExpanded(plain, pool);
    } else {
        mlaAbsorbed(plain, pool);
    }
    if (args.probe.present()) probeBeside(args, pool);
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
