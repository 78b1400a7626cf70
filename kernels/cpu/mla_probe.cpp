// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/mla_probe.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/mla_probe.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/tile-inl.h"

// A second pass over the scores that attention has made: now that each lane's softmax is known they become probabilities, which are summed per
// region and lane and, over the heads, per row. A region's sum within a chunk of the sequence has a slot of its own: region r in chunk c has
// slot r + c, which no other pair has because both ascend together.

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

// Constants of the lanes of one panel; lanes beyond the last query have no share.
struct PanelLanes {
    HWY_ALIGN float top[2 * hn::MaxLanes(F32())];
    HWY_ALIGN float share[2 * hn::MaxLanes(F32())];
    HWY_ALIGN float logShare[2 * hn::MaxLanes(F32())];
    HWY_ALIGN float limit[2 * hn::MaxLanes(F32())];  // rows of the page that the lane sees
};

void setLanes(const MlaAttentionArgs& args, const AbsorbedScores& from, int64_t firstLane, int64_t firstRow,
              PanelLanes& lanes) {
    for (int64_t i = 0; i < panelWidth(); ++i) {
        const int64_t lane = firstLane + i;
        const bool used = lane < from.lanes;
        lanes.top[i] = used ? from.top[lane] : 0.0F;
        lanes.share[i] = used ? from.share[lane] : 0.0F;
        lanes.logShare[i] = used ? std::log(from.share[lane]) : 0.0F;
        const int64_t visible = args.past + lane / args.q.dim(1) + 1 - firstRow;
        lanes.limit[i] = static_cast<float>(used ? std::clamp<int64_t>(visible, 0, kLatentPageTokens) : 0);
    }
}

// Adds a row's probabilities of one panel to the sums over heads, and to the views that have them one by one.
void spreadRow(const MlaAttentionArgs& args, const AbsorbedScores& from, int64_t firstLane, int64_t row,
               const float* probs, const ProbeSums& sums) {
    const F32 d;
    const int64_t heads = args.q.dim(1);
    const int64_t total = args.past + args.q.dim(0);
    const int64_t lastLane = std::min(firstLane + panelWidth(), from.lanes) - 1;
    if (firstLane / heads == lastLane / heads) {
        sums.mean[firstLane / heads * total + row] +=
            sumLanes(hn::Add(hn::LoadU(d, probs), hn::LoadU(d, probs + lanesF32())));
    } else {
        for (int64_t lane = firstLane; lane <= lastLane; ++lane) {
            sums.mean[lane / heads * total + row] += probs[lane - firstLane];
        }
    }
    if (row > 0 && !args.probe.rows.present()) return;
    for (int64_t lane = firstLane; lane <= lastLane; ++lane) {
        const float p = probs[lane - firstLane];
        if (row == 0) args.probe.sink.row<float>(lane / heads)[lane % heads] = p;
        if (args.probe.rows.present()) args.probe.rows.row<float>(lane / heads, lane % heads)[row] = p;
    }
}

// One panel against one page, rows [firstRow, firstRow + count); `region` is that of the first row.
void probePanel(const MlaAttentionArgs& args, const AbsorbedScores& from, const ProbeSums& sums, int64_t chunk,
                int64_t panel, int64_t firstRow, int64_t count, int64_t region) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t width = panelWidth();
    const int64_t allLanes = from.panels * width;
    const int64_t halves = from.lanes - panel * width > lanes ? 2 : 1;  // the second one may be empty
    const float* scores =
        from.scores + (firstRow / kLatentPageTokens * from.panels + panel) * kLatentPageTokens * width;
    PanelLanes constants;
    setLanes(args, from, panel * width, firstRow, constants);
    HWY_ALIGN float probs[2 * hn::MaxLanes(F32())] = {};
    VecF32 mass[2] = {hn::Zero(d), hn::Zero(d)};
    VecF32 information[2] = {hn::Zero(d), hn::Zero(d)};
    const auto add = [&](float* to, VecF32* from2) HWY_ATTR {
        for (int64_t half = 0; half < 2; ++half) {
            float* at = to + panel * width + half * lanes;
            hn::StoreU(hn::Add(hn::LoadU(d, at), from2[half]), d, at);
            from2[half] = hn::Zero(d);
        }
    };
    for (int64_t s = 0; s < count; ++s) {
        for (; firstRow + s >= regionEnd(args.probe, region); ++region) {
            add(sums.slots + (region + chunk) * allLanes, mass);
        }
        const VecF32 at = hn::Set(d, static_cast<float>(s));
        for (int64_t half = 0; half < halves; ++half) {
            const int64_t o = half * lanes;
            const VecF32 relative = hn::Sub(hn::LoadU(d, scores + s * width + o), hn::LoadU(d, constants.top + o));
            const auto seen = hn::Lt(at, hn::LoadU(d, constants.limit + o));
            const VecF32 p = hn::IfThenElseZero(seen, hn::Mul(Exp(d, relative), hn::LoadU(d, constants.share + o)));
            const VecF32 logP = hn::IfThenElseZero(seen, hn::Add(relative, hn::LoadU(d, constants.logShare + o)));
            mass[half] = hn::Add(mass[half], p);
            information[half] = hn::NegMulAdd(p, logP, information[half]);
            hn::Store(p, d, probs + o);
        }
        spreadRow(args, from, panel * width, firstRow + s, probs, sums);
    }
    add(sums.slots + (region + chunk) * allLanes, mass);
    add(sums.entropy + chunk * allLanes, information);
}

void probeChunk(const MlaAttentionArgs& args, const AbsorbedScores& from, const ProbeSums& sums, int64_t chunk) {
    const int64_t allLanes = from.panels * panelWidth();
    const auto [begin, end] = rowsOfChunk(args, from, chunk);
    const int64_t total = args.past + args.q.dim(0);
    const int64_t firstRegion = regionOf(args.probe, begin);
    const int64_t lastRegion = regionOf(args.probe, end - 1);
    std::fill(sums.slots + (firstRegion + chunk) * allLanes, sums.slots + (lastRegion + chunk + 1) * allLanes, 0.0F);
    std::fill(sums.entropy + chunk * allLanes, sums.entropy + (chunk + 1) * allLanes, 0.0F);
    for (int64_t t = 0; t < args.q.dim(0); ++t) {
        std::fill(sums.mean + t * total + begin, sums.mean + t * total + end, 0.0F);
    }
    for (int64_t row = begin; row < end; row += kLatentPageTokens) {
        const int64_t count = std::min(kLatentPageTokens, end - row);
        const int64_t region = regionOf(args.probe, row);
        for (int64_t panel = 0; panel < from.panels; ++panel) {
            probePanel(args, from, sums, chunk, panel, row, count, region);
        }
    }
}

int64_t probePanelWidth() {
    return panelWidth();
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(probeChunk);
HWY_EXPORT(probePanelWidth);

namespace {

// Rows in order of their mass, the earlier one first where it is equal.
struct RankedRow {
    float mass;
    int64_t row;
    friend bool operator<(const RankedRow& a, const RankedRow& b) {
        return a.mass != b.mass ? a.mass > b.mass : a.row < b.row;
    }
};

// The `k` best of a query's rows, from their sums over heads.
void rankRows(const float* mean, int64_t rows, float scale, std::span<int32_t> keys, std::span<float> masses) {
    std::vector<RankedRow> best;  // a heap with the least of them in front
    const size_t k = keys.size();
    for (int64_t row = 0; row < rows; ++row) {
        const RankedRow candidate{mean[row], row};
        if (best.size() == k && (k == 0 || !(candidate < best.front()))) continue;
        if (best.size() == k) {
            std::pop_heap(best.begin(), best.end());
            best.pop_back();
        }
        best.push_back(candidate);
        std::push_heap(best.begin(), best.end());
    }
    std::sort_heap(best.begin(), best.end());
    for (size_t i = 0; i < k; ++i) {
        keys[i] = i < best.size() ? static_cast<int32_t>(best[i].row) : -1;
        masses[i] = i < best.size() ? best[i].mass * scale : 0.0F;
    }
}

// Sums of the chunks of one query.
void finishQuery(const MlaAttentionArgs& args, const AbsorbedScores& from, const ProbeSums& sums, int64_t t,
                 int64_t allLanes) {
    const MlaProbeViews& probe = args.probe;
    const int64_t heads = args.q.dim(1);
    for (int64_t head = 0; head < heads; ++head) {
        float* mass = probe.mass.row<float>(t, head);
        const int64_t lane = t * heads + head;
        float entropy = 0;
        std::fill(mass, mass + probe.mass.dim(2), 0.0F);
        for (int64_t chunk = 0; chunk < from.chunks; ++chunk) {
            const auto [begin, end] = rowsOfChunk(args, from, chunk);
            const int64_t last = regionOf(probe, end - 1);
            for (int64_t r = regionOf(probe, begin); r <= last; ++r)
                mass[r] += sums.slots[(r + chunk) * allLanes + lane];
            entropy += sums.entropy[chunk * allLanes + lane];
        }
        probe.entropy.row<float>(t)[head] = entropy;
        if (!probe.rows.present()) continue;
        float* rows = probe.rows.row<float>(t, head);
        std::fill(rows + args.past + args.q.dim(0), rows + probe.rows.dim(2), 0.0F);
    }
    const auto k = static_cast<size_t>(probe.topKey.dim(1));
    rankRows(sums.mean + t * (args.past + args.q.dim(0)), args.past + t + 1, 1.0F / static_cast<float>(heads),
             std::span(probe.topKey.row<int32_t>(t), k), std::span(probe.topMass.row<float>(t), k));
}

}  // namespace

void mlaProbe(const MlaAttentionArgs& args, const AbsorbedScores& from, ThreadPool& pool) {
    const int64_t allLanes = from.panels * HWY_DYNAMIC_DISPATCH(probePanelWidth)();
    const int64_t tokens = args.q.dim(0);
    ArenaScope scope(pool.arena(0));
    const auto floats = [&](int64_t count) { return scope.array<float>(static_cast<size_t>(count)); };
    const int64_t regions = std::ssize(args.probe.regionEnds) + 1;
    const ProbeSums sums{floats((regions + from.chunks) * allLanes), floats(from.chunks * allLanes),
                         floats(tokens * (args.past + tokens))};
    pool.parallelFor(from.chunks, [&](int64_t chunk, int) {
        HWY_DYNAMIC_DISPATCH(probeChunk)(args, from, sums, chunk);
    });
    pool.parallelFor(tokens, [&](int64_t t, int) { finishQuery(args, from, sums, t, allLanes); });
}

int64_t absorbedScoreFloats(int64_t tokens, int64_t heads, int64_t rows) {
    constexpr int64_t kWidestPanel = 32;
    const int64_t pages = (rows + kLatentPageTokens - 1) / kLatentPageTokens;
    return (tokens * heads + kWidestPanel - 1) / kWidestPanel * kWidestPanel * pages * kLatentPageTokens;
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
