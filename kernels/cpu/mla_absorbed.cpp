// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/cpu/mla_absorbed.h"
#include "kernels/cpu/mla_forms.h"
#include "kernels/cpu/mla_probe.h"
#include "kernels/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/mla_absorbed.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/mla-inl.h"
#include "kernels/cpu/tile-inl.h"

// All T * h pairs of a query and a head are lanes, lane = query * h + head, and lanes are grouped into panels. Scores are held with rows of the cache
// as rows and lanes as columns, so that the softmax needs no sum across a vector.

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

constexpr int kWeightRows = 8;  // of kv_b that are worked on at a time

// out[lane] = scale * [q_n Uk | q_r] for all queries of one head; out is [T h, R + rope].
void absorbHead(const MlaAttentionArgs& args, int64_t head, float* out, Arena& arena) {
    const int64_t tokens = args.q.dim(0);
    const int64_t rank = args.cache.rank;
    const int64_t stride = (rank + args.cache.rope) * args.q.dim(1);
    out += head * (rank + args.cache.rope);
    ArenaScope scope(arena);
    auto* widened = scope.array<float>(static_cast<size_t>(kWeightRows * rank));
    auto* query = scope.array<float>(static_cast<size_t>(tokens * (args.nope + args.cache.rope)));
    for (int64_t t = 0; t < tokens; ++t) {
        float* scaled = query + t * (args.nope + args.cache.rope);
        const auto* q = args.q.row<const float>(t, head);
        for (int64_t i = 0; i < args.nope + args.cache.rope; ++i) scaled[i] = args.scale * q[i];
        std::fill(out + t * stride, out + t * stride + rank, 0.0F);
        std::copy(scaled + args.nope, scaled + args.nope + args.cache.rope, out + t * stride + rank);
    }
    const int64_t first = head * (args.nope + args.valueDim);
    forWeightRows(args.kvB, first, first + args.nope, kWeightRows, tokens, widened,
                  [&](const auto& rows, int64_t row, int64_t some) HWY_ATTR {
                      for (int64_t t = 0; t < tokens; ++t) {
                          const float* factor = query + t * (args.nope + args.cache.rope) + row - first;
                          if (some == kWeightRows) {
                              addWeightedRows<kWeightRows>(factor, rows, rank, out + t * stride);
                              continue;
                          }
                          auto one = rows;
                          for (int64_t j = 0; j < some; ++j, one.data += rank) {
                              addWeightedRows<1>(factor + j, one, rank, out + t * stride);
                          }
                      }
                  });
}

// Lanes of one panel [lane][width] -> [width][panel], zero beyond the last lane.
void packLanes(const float* queries, int64_t lanes, int64_t width, int64_t panel, float* out) {
    const int64_t first = panel * panelWidth();
    const int64_t some = std::min(panelWidth(), lanes - first);
    if (some < panelWidth()) std::fill(out, out + width * panelWidth(), 0.0F);
    transpose(queries + first * width, width, some, width, out, panelWidth());
}

// Per lane: softmax of scores [count][panel] over the rows that the lane sees (its first limit[lane]), relative to the new top; shrink[lane]
// is the factor for what the lane had before. Of the panel, only vectors that hold any of `lanes` lanes are touched. kept: the sums of a page
// for the probe, or null.
void lanesSoftmax(int64_t count, int64_t lanes, const float* limit, float* scores, float* top, float* sum,
                  float* shrink, float* kept) {
    const F32 d;
    const int64_t width = panelWidth();
    for (int64_t part = 0; part < lanes; part += lanesF32()) {
        const VecF32 visible = hn::LoadU(d, limit + part);
        const VecF32 before = hn::LoadU(d, top + part);
        VecF32 most = before;
        for (int64_t s = 0; s < count; ++s) {
            const auto seen = hn::Lt(hn::Set(d, static_cast<float>(s)), visible);
            const VecF32 score = hn::IfThenElse(seen, hn::LoadU(d, scores + s * width + part), hn::Set(d, kNothing));
            hn::StoreU(score, d, scores + s * width + part);
            most = hn::Max(most, score);
        }
        // A lane that has seen nothing yet has no top; any finite one does, since all its scores are -inf.
        const VecF32 base = hn::IfThenElse(hn::Eq(most, hn::Set(d, kNothing)), hn::Zero(d), most);
        VecF32 total = hn::Zero(d);
        VecF32 weighted = total;
        for (int64_t s = 0; s < count; ++s) {
            const VecF32 relative = hn::Sub(hn::LoadU(d, scores + s * width + part), base);
            const VecF32 p = Exp(d, relative);
            hn::StoreU(p, d, scores + s * width + part);
            total = hn::Add(total, p);
            // The bound matters where p is 0 only.
            if (kept != nullptr) weighted = hn::MulAdd(p, hn::Max(relative, hn::Set(d, -1e3F)), weighted);
        }
        const VecF32 factor = Exp(d, hn::Sub(before, base));
        hn::StoreU(factor, d, shrink + part);
        hn::StoreU(hn::MulAdd(hn::LoadU(d, sum + part), factor, total), d, sum + part);
        hn::StoreU(most, d, top + part);
        if (kept == nullptr) continue;
        hn::StoreU(base, d, kept + kPageBase * width + part);
        hn::StoreU(total, d, kept + kPageTotal * width + part);
        hn::StoreU(weighted, d, kept + kPageWeighted * width + part);
    }
}

// The groups of a panel's lanes that hold any, out of values [count][panel].
void keepGroups(int64_t count, int64_t groups, const float* values, float* kept) {
    constexpr int64_t kUnrolled = 16;
    const hn::FixedTag<float, kKeptLanes> d;
    for (int64_t group = 0; group < groups; ++group) {
        const float* from = values + group * kKeptLanes;
        float* to = kept + group * kLatentPageTokens * kKeptLanes;
        const auto keep = [&](int64_t s) HWY_ATTR {
            hn::StoreU(hn::LoadU(d, from + s * panelWidth()), d, to + keptSlot(s) * kKeptLanes);
        };
        int64_t s = 0;
        for (; s + kUnrolled <= count; s += kUnrolled) {
            PAL_UNROLL
            for (int64_t i = 0; i < kUnrolled; ++i) keep(s + i);
        }
        for (; s < count; ++s) keep(s);
    }
}

// Copies the scores of the last query's heads into the tap [h, past + T] at column `row`.
void tapScores(const MlaAttentionArgs& args, int64_t firstLane, int64_t row, int64_t count, const float* scores) {
    const int64_t heads = args.q.dim(1);
    const int64_t tapped = (args.q.dim(0) - 1) * heads;
    for (int64_t i = 0; i < panelWidth(); ++i) {
        const int64_t head = firstLane + i - tapped;
        if (head < 0 || head >= heads) continue;
        float* tap = args.probTap.row<float>(head) + row;
        for (int64_t s = 0; s < count; ++s) tap[s] = scores[s * panelWidth() + i];
    }
}

// Rows of a page that may be read up to a panel beyond the last latent: what lies there reaches unused columns only.
const float* paddedRows(const LatentPages& cache, int64_t page, int64_t count, float* scratch) {
    const float* rows = pageRows(cache, page, count, scratch);
    if (rows == scratch || cache.rank % panelWidth() == 0) return rows;
    std::copy(rows, rows + count * (cache.rank + cache.rope), scratch);
    return scratch;
}

// Panels of lanes against a chunk of pages.
void attendChunk(const MlaAttentionArgs& args, const AbsorbedTask& task, Arena& arena) {
    const int64_t width = args.cache.rank + args.cache.rope;
    const int64_t panel = panelWidth();
    const int64_t rankPanels = panelsFor(args.cache.rank);
    const int64_t heads = args.q.dim(1);
    const int64_t panels = task.endPanel - task.beginPanel;
    ArenaScope scope(arena);
    const auto floats = [&](int64_t count) { return scope.array<float>(static_cast<size_t>(count)); };
    float* widened = floats(kLatentPageTokens * width + panel);
    float* scores = floats(kLatentPageTokens * panel);
    float* limit = floats(panel);
    float* shrink = floats(panel);
    std::fill(shrink, shrink + panel, 1.0F);
    std::fill(task.partial.top, task.partial.top + panels * panel, kNothing);
    std::fill(task.partial.sum, task.partial.sum + panels * panel, 0.0F);
    std::fill(task.partial.latent, task.partial.latent + panels * rankPanels * panel * panel, 0.0F);
    const int64_t lastQuery = std::min(args.q.dim(0) - 1, (task.endPanel * panel - 1) / heads);
    for (int64_t page = task.beginPage; page < task.endPage; ++page) {
        const int64_t row = page * kLatentPageTokens;
        const int64_t count = std::min(kLatentPageTokens, args.past + lastQuery + 1 - row);
        if (count <= 0) break;
        const float* rows = paddedRows(args.cache, page, count, widened);
        for (int64_t p = 0; p < panels; ++p) {
            const int64_t firstLane = (task.beginPanel + p) * panel;
            for (int64_t i = 0; i < panel; ++i) {
                limit[i] =
                    static_cast<float>(std::clamp<int64_t>(args.past + (firstLane + i) / heads + 1 - row, 0, count));
            }
            multiplyPanel<Left::kRowMajor, Base::kZero>(
                count, rows, width, task.queries + (task.beginPanel + p) * width * panel, panel, width, scores);
            if (args.probTap.present()) tapScores(args, firstLane, row, count, scores);
            lanesSoftmax(count, std::min(panel, task.lanes - firstLane), limit, scores, task.partial.top + p * panel,
                         task.partial.sum + p * panel, shrink,
                         task.kept != nullptr ? task.kept->sumsAt(page, task.beginPanel + p) : nullptr);
            if (task.kept != nullptr) {
                keepGroups(count, task.kept->groups, scores, task.kept->valuesAt(page, task.beginPanel + p));
            }
            for (int64_t c = 0; c < rankPanels; ++c) {
                multiplyPanel<Left::kDepthMajor, Base::kScaledResult>(
                    panel, scores, panel, rows + c * panel, width, count,
                    task.partial.latent + (p * rankPanels + c) * panel * panel, shrink);
            }
        }
    }
}

// latent[rank] of one lane from its chunks, and its overall top and 1 / sum for the tap.
void mergeLane(const AbsorbedPartial* chunks, int64_t count, int64_t lane, int64_t rank, float* latent, float* top,
               float* share) {
    const int64_t panel = panelWidth();
    float most = kNothing;
    for (int64_t i = 0; i < count; ++i) most = std::max(most, chunks[i].top[lane]);
    const F32 d;
    float total = 0;
    std::fill(latent, latent + rank, 0.0F);
    for (int64_t i = 0; i < count; ++i) {
        if (chunks[i].top[lane] == kNothing) continue;
        const float factor = hn::GetLane(Exp(d, hn::Set(d, chunks[i].top[lane] - most)));
        total += factor * chunks[i].sum[lane];
        const float* from = chunks[i].latent + lane / panel * panelsFor(rank) * panel * panel + lane % panel * panel;
        for (int64_t c = 0; c < rank; c += panel, from += panel * panel) {
            mapFloats(
                std::min(panel, rank - c), latent + c,
                [factor](auto tag, auto x, auto sum) HWY_ATTR { return hn::MulAdd(hn::Set(tag, factor), x, sum); },
                from, latent + c);
        }
    }
    *top = most;
    *share = 1.0F / total;
    mapFloats(
        rank, latent, [share](auto tag, auto x) HWY_ATTR { return hn::Mul(x, hn::Set(tag, *share)); }, latent);
}

// out = Uv latent for all queries of one head; latents [T h, R].
void projectHead(const MlaAttentionArgs& args, int64_t head, const float* latents, Arena& arena) {
    const int64_t tokens = args.q.dim(0);
    const int64_t rank = args.cache.rank;
    const int64_t heads = args.q.dim(1);
    ArenaScope scope(arena);
    auto* widened = scope.array<float>(static_cast<size_t>(kWeightRows * rank));
    const int64_t first = head * (args.nope + args.valueDim) + args.nope;
    forWeightRows(args.kvB, first, first + args.valueDim, kWeightRows, tokens, widened,
                  [&](const auto& rows, int64_t row, int64_t some) HWY_ATTR {
                      for (int64_t t = 0; t < tokens; ++t) {
                          const float* latent = latents + (t * heads + head) * rank;
                          float* out = args.out.row<float>(t, head) + row - first;
                          if (some == kWeightRows) {
                              dotRows<kWeightRows>(rows, latent, rank, out);
                              continue;
                          }
                          auto one = rows;
                          for (int64_t j = 0; j < some; ++j, one.data += rank) dotRows<1>(one, latent, rank, out + j);
                      }
                  });
}

// Scores of one head in the tap -> probabilities.
void finishTap(float* tap, int64_t count, float top, float share) {
    mapFloats(
        count, tap,
        [=](auto d, auto x) HWY_ATTR { return hn::Mul(Exp(d, hn::Sub(x, hn::Set(d, top))), hn::Set(d, share)); }, tap);
}

int64_t lanePanel() {
    return panelWidth();
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(absorbHead);
HWY_EXPORT(packLanes);
HWY_EXPORT(attendChunk);
HWY_EXPORT(mergeLane);
HWY_EXPORT(projectHead);
HWY_EXPORT(finishTap);
HWY_EXPORT(lanePanel);

namespace {

// Chunks of the sequence depend on the past only, so that a query's result does not depend on its company: at least four pages each, and at
// most about 64 of them.
int64_t pagesPerChunk(int64_t past) {
    constexpr int64_t kFewest = 4;
    constexpr int64_t kChunks = 64;
    int64_t pages = kFewest;
    while (past / kLatentPageTokens >= pages * kChunks) pages *= 2;
    return pages;
}

// What all steps of one call share.
struct Absorbed {
    const MlaAttentionArgs& args;
    ThreadPool& pool;
    int64_t lanes;           // T h
    int64_t panel;           // lanes side by side
    int64_t panels;          // of lanes
    int64_t rankPanels;      // of latent columns
    int64_t pages;           // that hold rows
    int64_t perChunk;        // pages of a chunk
    int64_t chunks;          // of the sequence
    const float* queries;    // packed
    float* latents;          // [lanes, R]
    float* top;              // [lanes]
    float* share;            // [lanes]
    const KeptScores* kept;  // of AbsorbedTask
};

constexpr int64_t kGroupPanels = 8;

AbsorbedPartial partialAt(const Absorbed& a, float* memory, int64_t index) {
    const int64_t lanes = kGroupPanels * a.panel;
    float* at = memory + index * lanes * (2 + a.rankPanels * a.panel);
    return {at, at + lanes, at + 2 * lanes};
}

// Attention and merge for groups [begin, end) of kGroupPanels panels of lanes; `memory` holds a partial per group and chunk.
void attendGroups(const Absorbed& a, int64_t begin, int64_t end, float* memory) {
    a.pool.parallelFor((end - begin) * a.chunks, [&](int64_t index, int thread) {
        const int64_t group = begin + index / a.chunks;
        const int64_t page = index % a.chunks * a.perChunk;
        const AbsorbedTask task{a.queries,
                                group * kGroupPanels,
                                std::min(a.panels, (group + 1) * kGroupPanels),
                                page,
                                std::min(a.pages, page + a.perChunk),
                                partialAt(a, memory, index),
                                a.kept,
                                a.lanes};
        HWY_DYNAMIC_DISPATCH(attendChunk)(a.args, task, a.pool.arena(thread));
    });
    const int64_t groupLanes = kGroupPanels * a.panel;
    const int64_t firstLane = begin * groupLanes;
    const int64_t rank = a.args.cache.rank;
    forBlocks(a.pool, std::min(a.lanes, end * groupLanes) - firstLane, 8, [&](int64_t from, int64_t to, int) {
        std::vector<AbsorbedPartial> parts(static_cast<size_t>(a.chunks));
        for (int64_t lane = from; lane < to; ++lane) {
            for (int64_t i = 0; i < a.chunks; ++i) {
                parts[static_cast<size_t>(i)] = partialAt(a, memory, lane / groupLanes * a.chunks + i);
            }
            const int64_t at = firstLane + lane;
            HWY_DYNAMIC_DISPATCH(mergeLane)
            (parts.data(), a.chunks, lane % groupLanes, rank, a.latents + at * rank, a.top + at, a.share + at);
        }
    });
}

void attendAll(const Absorbed& a, ArenaScope& scope) {
    constexpr int64_t kPartialFloats = int64_t{8} << 20;  // as many groups at a time as fit here, but at least one
    const int64_t groups = (a.panels + kGroupPanels - 1) / kGroupPanels;
    const int64_t groupFloats = a.chunks * kGroupPanels * a.panel * (2 + a.rankPanels * a.panel);
    const int64_t perPass = std::clamp<int64_t>(kPartialFloats / groupFloats, 1, groups);
    auto* memory = scope.array<float>(static_cast<size_t>(perPass * groupFloats));
    for (int64_t begin = 0; begin < groups; begin += perPass) {
        attendGroups(a, begin, std::min(groups, begin + perPass), memory);
    }
}

}  // namespace

void mlaAbsorbed(const MlaAttentionArgs& args, ThreadPool& pool) {
    const int64_t heads = args.q.dim(1);
    const int64_t lanes = args.q.dim(0) * heads;
    const int64_t width = args.cache.rank + args.cache.rope;
    const int64_t panel = HWY_DYNAMIC_DISPATCH(lanePanel)();
    const int64_t panels = (lanes + panel - 1) / panel;
    const int64_t pages = (args.past + args.q.dim(0) + kLatentPageTokens - 1) / kLatentPageTokens;
    const int64_t perChunk = pagesPerChunk(args.past);
    ArenaScope scope(pool.arena(0));
    const auto floats = [&](int64_t count) { return scope.array<float>(static_cast<size_t>(count)); };
    float* queries = floats(lanes * width);
    float* packed = floats(panels * panel * width);
    std::optional<KeptScores> kept;
    if (args.probe.present()) {
        const int64_t groups = (std::min(lanes, panel) + kKeptLanes - 1) / kKeptLanes;
        kept = {floats(pages * panels * groups * kLatentPageTokens * kKeptLanes),
                floats(pages * panels * kPageSums * panel), panels, groups, panel};
    }
    const Absorbed a{args,
                     pool,
                     lanes,
                     panel,
                     panels,
                     (args.cache.rank + panel - 1) / panel,
                     pages,
                     perChunk,
                     (pages + perChunk - 1) / perChunk,
                     packed,
                     floats(lanes * args.cache.rank),
                     floats(lanes),
                     floats(lanes),
                     kept ? &*kept : nullptr};
    pool.parallelFor(heads, [&](int64_t head, int thread) {
        HWY_DYNAMIC_DISPATCH(absorbHead)(args, head, queries, pool.arena(thread));
    });
    pool.parallelFor(panels, [&](int64_t p, int) {
        HWY_DYNAMIC_DISPATCH(packLanes)(queries, lanes, width, p, packed + p * panel * width);
    });
    attendAll(a, scope);
    std::optional<AbsorbedProbe> probe;
    if (kept) probe.emplace(args, AbsorbedScores{*kept, a.top, a.share, lanes, perChunk, a.chunks}, scope);
    const int64_t looks = probe ? a.chunks : 0;
    pool.parallelFor(looks + heads, [&](int64_t task, int thread) {
        if (task < looks) return probe->sumChunk(task, pool.arena(thread));
        const int64_t head = task - looks;
        HWY_DYNAMIC_DISPATCH(projectHead)(args, head, a.latents, pool.arena(thread));
        if (!args.probTap.present()) return;
        const int64_t lane = lanes - heads + head;
        HWY_DYNAMIC_DISPATCH(finishTap)
        (args.probTap.row<float>(head), args.past + args.q.dim(0), a.top[lane], a.share[lane]);
    });
    if (probe) probe->finish(pool);
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
