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

// A second pass over what attention made of its scores, e^(score - base of the page): now that each lane's softmax is known, one factor per page and
// lane makes probabilities of them. With b the base, f = e^(b - top) / sum the factor, K and E a page's sums of values and of values times
// (score - b): the page has the mass f K and adds -f (E + K ln f) to the entropy. Single rows are looked at for the sum over heads, and where a
// region ends within the page. A region's sum within a chunk of the sequence has a slot of its own: region r in chunk c has slot r + c, which no
// other pair has because both ascend together.

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

// One panel of one page.
struct PanelPage {
    int64_t firstLane;
    int64_t lastLane;
    int64_t firstRow;
    int64_t rows;  // that any of its queries sees
    const float* values;
    const float* sums;  // PageSum
    const float* factor;
};

// What the values must be multiplied with, and the page's part of the entropy.
void weighPage(const PanelPage& page, const ProbeSums& sums, float* factor, float* entropy) {
    const F32 d;
    const int64_t width = panelWidth();
    for (int64_t part = 0; part < width && page.firstLane + part <= page.lastLane; part += lanesF32()) {
        const int64_t lane = page.firstLane + part;
        const VecF32 total = hn::LoadU(d, page.sums + kPageTotal * width + part);
        const VecF32 weighted = hn::LoadU(d, page.sums + kPageWeighted * width + part);
        const VecF32 relative =
            hn::Sub(hn::LoadU(d, page.sums + kPageBase * width + part), hn::LoadU(d, sums.top + lane));
        // A lane that has seen nothing has a base without meaning.
        const auto seen = hn::Gt(total, hn::Zero(d));
        const VecF32 f = hn::IfThenElseZero(seen, hn::Mul(Exp(d, relative), hn::LoadU(d, sums.share + lane)));
        const VecF32 logF = hn::IfThenElseZero(seen, hn::Add(relative, hn::LoadU(d, sums.logShare + lane)));
        hn::StoreU(f, d, factor + part);
        const VecF32 information = hn::Mul(f, hn::MulAdd(total, logF, weighted));
        hn::StoreU(hn::Sub(hn::LoadU(d, entropy + lane), information), d, entropy + lane);
    }
}

// slot[lane] += factor * the sum of rows [begin, end) of the page.
void addRows(const PanelPage& page, int64_t begin, int64_t end, float* slot) {
    const F32 d;
    const int64_t width = panelWidth();
    for (int64_t part = 0; part < width && page.firstLane + part <= page.lastLane; part += lanesF32()) {
        VecF32 sum = hn::Zero(d);
        if (end - begin == page.rows) {
            sum = hn::LoadU(d, page.sums + kPageTotal * width + part);
        } else {
            for (int64_t s = begin; s < end; ++s) sum = hn::Add(sum, hn::LoadU(d, page.values + s * width + part));
        }
        float* at = slot + page.firstLane + part;
        hn::StoreU(hn::MulAdd(sum, hn::LoadU(d, page.factor + part), hn::LoadU(d, at)), d, at);
    }
}

// Adds the probabilities of rows to the sum over heads, all lanes being of one query.
void addToMean(const PanelPage& page, float* mean) {
    const F32 d;
    const int64_t width = panelWidth();
    const bool both = page.lastLane - page.firstLane >= lanesF32();
    const VecF32 factor = hn::LoadU(d, page.factor);
    const VecF32 second = both ? hn::LoadU(d, page.factor + lanesF32()) : hn::Zero(d);
    for (int64_t s = 0; s < page.rows; ++s) {
        const float* values = page.values + s * width;
        VecF32 p = hn::Mul(hn::LoadU(d, values), factor);
        if (both) p = hn::MulAdd(hn::LoadU(d, values + lanesF32()), second, p);
        mean[s] += sumLanes(p);
    }
}

// Rows one lane at a time: where a panel has lanes of several queries, and for the views that have heads one by one.
void spreadRows(const MlaAttentionArgs& args, const PanelPage& page, float* mean) {
    const int64_t heads = args.q.dim(1);
    const int64_t total = args.past + args.q.dim(0);
    for (int64_t lane = page.firstLane; lane <= page.lastLane; ++lane) {
        const float factor = page.factor[lane - page.firstLane];
        const float* values = page.values + lane - page.firstLane;
        float* rows = args.probe.rows.present() ? args.probe.rows.row<float>(lane / heads, lane % heads) + page.firstRow
                                                : nullptr;
        for (int64_t s = 0; s < page.rows; ++s) {
            const float p = values[s * panelWidth()] * factor;
            if (rows != nullptr) rows[s] = p;
            if (mean != nullptr) mean[lane / heads * total + page.firstRow + s] += p;
        }
    }
}

// One panel against one page.
void probePanel(const MlaAttentionArgs& args, const AbsorbedScores& from, const ProbeSums& sums, int64_t chunk,
                int64_t panel, int64_t firstRow) {
    const int64_t width = panelWidth();
    const int64_t allLanes = from.panels * width;
    const int64_t heads = args.q.dim(1);
    const int64_t total = args.past + args.q.dim(0);
    const int64_t at = firstRow / kLatentPageTokens * from.panels + panel;
    HWY_ALIGN float factor[2 * hn::MaxLanes(F32())];
    PanelPage page{panel * width,
                   std::min((panel + 1) * width, from.lanes) - 1,
                   firstRow,
                   0,
                   from.kept.values + at * kLatentPageTokens * width,
                   from.kept.pages + at * kPageSums * width,
                   factor};
    page.rows = std::min(kLatentPageTokens, args.past + page.lastLane / heads + 1 - firstRow);
    if (page.rows <= 0) return;
    weighPage(page, sums, factor, sums.entropy + chunk * allLanes);
    int64_t region = regionOf(args.probe, firstRow);
    for (int64_t begin = 0; begin < page.rows; ++region) {
        const int64_t end = std::min(page.rows, regionEnd(args.probe, region) - firstRow);
        if (end > begin) addRows(page, begin, end, sums.slots + (region + chunk) * allLanes);
        begin = std::max(begin, end);
    }
    const int64_t query = page.firstLane / heads;
    const bool oneQuery = query == page.lastLane / heads;
    if (oneQuery) addToMean(page, sums.mean + query * total + firstRow);
    if (!oneQuery || args.probe.rows.present()) spreadRows(args, page, oneQuery ? nullptr : sums.mean);
    if (firstRow > 0) return;
    for (int64_t lane = page.firstLane; lane <= page.lastLane; ++lane) {
        const int64_t i = lane - page.firstLane;
        args.probe.sink.row<float>(lane / heads)[lane % heads] = page.values[i] * factor[i];
    }
}

// The first of values [begin, end) that is above `bound`, or `end`.
int64_t firstAbove(const float* values, int64_t begin, int64_t end, float bound) {
    const F32 d;
    const VecF32 limit = hn::Set(d, bound);
    while (begin + lanesF32() <= end && hn::AllFalse(d, hn::Gt(hn::LoadU(d, values + begin), limit))) {
        begin += lanesF32();
    }
    while (begin < end && !(values[begin] > bound)) ++begin;
    return begin;
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
        for (int64_t panel = 0; panel < from.panels; ++panel) probePanel(args, from, sums, chunk, panel, row);
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
HWY_EXPORT(firstAbove);
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
    const auto next = [&](int64_t row) {
        return best.size() < k ? row : HWY_DYNAMIC_DISPATCH(firstAbove)(mean, row, rows, best.front().mass);
    };
    for (int64_t row = 0; k > 0 && (row = next(row)) < rows; ++row) {
        if (best.size() == k) {
            std::pop_heap(best.begin(), best.end());
            best.pop_back();
        }
        best.push_back({mean[row], row});
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
        std::fill(rows + args.past + t + 1, rows + probe.rows.dim(2), 0.0F);
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
    const ProbeSums sums{floats((regions + from.chunks) * allLanes),
                         floats(from.chunks * allLanes),
                         floats(tokens * (args.past + tokens)),
                         floats(allLanes),
                         floats(allLanes),
                         floats(allLanes)};
    for (int64_t lane = 0; lane < allLanes; ++lane) {
        const bool used = lane < from.lanes;
        sums.top[lane] = used ? from.top[lane] : 0.0F;
        sums.share[lane] = used ? from.share[lane] : 0.0F;
        sums.logShare[lane] = used ? std::log(from.share[lane]) : 0.0F;
    }
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
