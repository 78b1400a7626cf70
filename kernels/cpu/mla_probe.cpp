// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/mla_probe.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/cpu/rank_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/mla_probe.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/mla-inl.h"
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
    int64_t rows;         // that any of its queries sees
    const float* values;  // KeptScores
    const float* sums;    // PageSum
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
    slot += page.firstLane;
    const int64_t lanes = page.lastLane - page.firstLane + 1;
    if (end - begin == page.rows) {
        const F32 d;
        const float* total = page.sums + kPageTotal * panelWidth();
        for (int64_t i = 0; i < lanes; i += lanesF32()) {
            hn::StoreU(hn::MulAdd(hn::LoadU(d, total + i), hn::LoadU(d, page.factor + i), hn::LoadU(d, slot + i)), d,
                       slot + i);
        }
        return;
    }
    const hn::FixedTag<float, kKeptLanes> d;
    for (int64_t i = 0; i < lanes; i += kKeptLanes) {
        HWY_ALIGN float parts[hn::MaxLanes(F32())];
        hn::StoreU(sumKeptRows(page.values + i * kLatentPageTokens, begin, end), F32(), parts);
        auto sum = hn::Zero(d);
        for (int64_t part = 0; part < lanesF32(); part += kKeptLanes) sum = hn::Add(sum, hn::LoadU(d, parts + part));
        hn::StoreU(hn::MulAdd(sum, hn::LoadU(d, page.factor + i), hn::LoadU(d, slot + i)), d, slot + i);
    }
}

// Adds the probabilities of all the page's rows to the sum over heads, all lanes being of one query.
void addToMean(const PanelPage& page, float* mean) {
    const F32 d;
    for (int64_t lane = 0; lane <= page.lastLane - page.firstLane; lane += kKeptLanes) {
        const float* values = page.values + lane * kLatentPageTokens;
        const VecF32 factor = hn::LoadDup128(d, page.factor + lane);
        for (int64_t s = 0; s < kLatentPageTokens; s += lanesF32()) {
            const VecF32 sum = sumKeptLanes(values + s * kKeptLanes, factor);
            hn::StoreU(hn::Add(hn::LoadU(d, mean + s), sum), d, mean + s);
        }
    }
}

// Rows one lane at a time, for the view that has heads one by one and where a panel has lanes of several queries: then `into` gets their sums over heads.
void spreadRows(const MlaAttentionArgs& args, const PanelPage& page, const ProbeSums* into) {
    const int64_t heads = args.q.dim(1);
    for (int64_t lane = page.firstLane; lane <= page.lastLane; ++lane) {
        const int64_t i = lane - page.firstLane;
        const float* values = page.values + i / kKeptLanes * kLatentPageTokens * kKeptLanes + i % kKeptLanes;
        float* rows = args.probe.rows.present() ? args.probe.rows.row<float>(lane / heads, lane % heads) + page.firstRow
                                                : nullptr;
        float* mean = into != nullptr ? into->mean + lane / heads * into->rows + page.firstRow : nullptr;
        for (int64_t s = 0; s < page.rows; ++s) {
            const float p = values[keptSlot(s) * kKeptLanes] * page.factor[i];
            if (rows != nullptr) rows[s] = p;
            if (mean != nullptr) mean[s] += p;
        }
    }
}

// One panel against one page.
void probePanel(const MlaAttentionArgs& args, const AbsorbedScores& from, const ProbeSums& sums, int64_t chunk,
                int64_t panel, int64_t firstRow, int64_t firstRegion) {
    const int64_t width = panelWidth();
    const int64_t allLanes = from.kept.panels * width;
    const int64_t heads = args.q.dim(1);
    const int64_t number = firstRow / kLatentPageTokens;
    HWY_ALIGN float factor[2 * hn::MaxLanes(F32())];
    PanelPage page{panel * width,
                   std::min((panel + 1) * width, from.lanes) - 1,
                   firstRow,
                   0,
                   from.kept.valuesAt(number, panel),
                   from.kept.sumsAt(number, panel),
                   factor};
    page.rows = std::min(kLatentPageTokens, args.past + page.lastLane / heads + 1 - firstRow);
    if (page.rows <= 0) return;
    weighPage(page, sums, factor, sums.entropy + chunk * allLanes);
    int64_t region = firstRegion;
    for (int64_t begin = 0; begin < page.rows; ++region) {
        const int64_t end = std::min(page.rows, regionEnd(args.probe, region) - firstRow);
        if (end > begin) addRows(page, begin, end, sums.slots + (region + chunk) * allLanes);
        begin = std::max(begin, end);
    }
    const int64_t query = page.firstLane / heads;
    const bool oneQuery = query == page.lastLane / heads;
    if (oneQuery) addToMean(page, sums.mean + query * sums.rows + firstRow);
    if (!oneQuery || args.probe.rows.present()) spreadRows(args, page, oneQuery ? nullptr : &sums);
    if (firstRow > 0) return;
    for (int64_t lane = page.firstLane; lane <= page.lastLane; ++lane) {
        const int64_t i = lane - page.firstLane;
        const float first = page.values[i / kKeptLanes * kLatentPageTokens * kKeptLanes + i % kKeptLanes];
        args.probe.sink.row<float>(lane / heads)[lane % heads] = first * factor[i];
    }
}

void probeChunk(const MlaAttentionArgs& args, const AbsorbedScores& from, const ProbeSums& sums, int64_t chunk) {
    const int64_t allLanes = from.kept.panels * panelWidth();
    const auto [begin, end] = rowsOfChunk(args, from, chunk);
    const int64_t firstRegion = regionOf(args.probe, begin);
    const int64_t lastRegion = regionOf(args.probe, end - 1);
    std::fill(sums.slots + (firstRegion + chunk) * allLanes, sums.slots + (lastRegion + chunk + 1) * allLanes, 0.0F);
    std::fill(sums.entropy + chunk * allLanes, sums.entropy + (chunk + 1) * allLanes, 0.0F);
    for (int64_t t = 0; t < args.q.dim(0); ++t) {
        float* mean = sums.mean + t * sums.rows;
        std::fill(mean + begin, mean + std::min(sums.rows, begin + from.perChunk * kLatentPageTokens), 0.0F);
    }
    int64_t region = firstRegion;
    for (int64_t row = begin; row < end; row += kLatentPageTokens) {
        while (regionEnd(args.probe, region) <= row) ++region;
        for (int64_t panel = 0; panel < from.kept.panels; ++panel) {
            probePanel(args, from, sums, chunk, panel, row, region);
        }
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(probeChunk);

AbsorbedProbe::AbsorbedProbe(const MlaAttentionArgs& args, const AbsorbedScores& from, ArenaScope& scope)
    : args_(args), from_(from), allLanes_(from.kept.panels * from.kept.panel), chunksLeft_(from.chunks) {
    const int64_t tokens = args.q.dim(0);
    const int64_t regions = std::ssize(args.probe.regionEnds) + 1;
    const int64_t pages = (args.past + tokens + kLatentPageTokens - 1) / kLatentPageTokens;
    const auto floats = [&](int64_t count) { return scope.array<float>(static_cast<size_t>(count)); };
    sums_ = {floats((regions + from.chunks) * allLanes_),
             floats(from.chunks * allLanes_),
             floats(tokens * pages * kLatentPageTokens),
             pages * kLatentPageTokens,
             floats(allLanes_),
             floats(allLanes_),
             floats(allLanes_)};
    for (int64_t lane = 0; lane < allLanes_; ++lane) {
        const bool used = lane < from.lanes;
        sums_.top[lane] = used ? from.top[lane] : 0.0F;
        sums_.share[lane] = used ? from.share[lane] : 0.0F;
        sums_.logShare[lane] = used ? std::log(from.share[lane]) : 0.0F;
    }
}

void AbsorbedProbe::sumChunk(int64_t chunk, Arena& arena) {
    HWY_DYNAMIC_DISPATCH(probeChunk)(args_, from_, sums_, chunk);
    if (args_.q.dim(0) == 1 && chunksLeft_.fetch_sub(1, std::memory_order_acq_rel) == 1) finishQuery(0, arena);
}

// Sums of the chunks of one query.
void AbsorbedProbe::finishQuery(int64_t t, Arena& arena) const {
    const MlaProbeViews& probe = args_.probe;
    const int64_t heads = args_.q.dim(1);
    const auto massOfHead = [&](int64_t head) { return probe.mass.row<float>(t, head); };
    for (int64_t head = 0; head < heads; ++head) std::fill_n(massOfHead(head), probe.mass.dim(2), 0.0F);
    float* entropy = probe.entropy.row<float>(t);
    std::fill(entropy, entropy + heads, 0.0F);
    for (int64_t chunk = 0; chunk < from_.chunks; ++chunk) {
        const auto [begin, end] = rowsOfChunk(args_, from_, chunk);
        const int64_t first = regionOf(probe, begin);
        const int64_t last = regionOf(probe, end - 1);
        for (int64_t head = 0; head < heads; ++head) {
            const int64_t lane = t * heads + head;
            float* mass = massOfHead(head);
            for (int64_t r = first; r <= last; ++r) mass[r] += sums_.slots[(r + chunk) * allLanes_ + lane];
            entropy[head] += sums_.entropy[chunk * allLanes_ + lane];
        }
    }
    for (int64_t head = 0; head < heads && probe.rows.present(); ++head) {
        float* rows = probe.rows.row<float>(t, head);
        std::fill(rows + args_.past + t + 1, rows + probe.rows.dim(2), 0.0F);
    }
    const auto k = static_cast<size_t>(probe.topKey.dim(1));
    rankRows(sums_.mean + t * sums_.rows, args_.past + t + 1, 1.0F / static_cast<float>(heads),
             std::span(probe.topKey.row<int32_t>(t), k), std::span(probe.topMass.row<float>(t), k), arena);
}

void AbsorbedProbe::finish(ThreadPool& pool) const {
    if (args_.q.dim(0) == 1) return;
    pool.parallelFor(args_.q.dim(0), [&](int64_t t, int thread) { finishQuery(t, pool.arena(thread)); });
}

int64_t absorbedScoreFloats(int64_t tokens, int64_t heads, int64_t rows) {
    constexpr int64_t kWidestPanel = 32;
    const int64_t pages = (rows + kLatentPageTokens - 1) / kLatentPageTokens;
    return (tokens * heads + kWidestPanel - 1) / kWidestPanel * kWidestPanel * pages * kLatentPageTokens;
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
