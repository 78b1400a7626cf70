// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/attention_mass.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pal::inspect {
namespace {

const MlaProbe& mlaOf(const TokenProbe& probe, int64_t layer) {
    return probe.layers[static_cast<size_t>(layer)].mla;
}

void addMass(RegionMass& out, const MlaProbe& mla, int64_t head) {
    const size_t heads = mla.sink.size();
    const size_t regions = mla.mass.size() / heads;
    const size_t first = head < 0 ? 0 : static_cast<size_t>(head);
    const size_t last = head < 0 ? heads : first + 1;
    const double share = 1.0 / static_cast<double>(last - first);
    for (size_t h = first; h < last; ++h) {
        for (size_t r = 0; r < regions; ++r) out.region[r] += share * mla.mass[h * regions + r];
        out.region[0] -= share * mla.sink[h];
        out.sink += share * mla.sink[h];
    }
    ++out.tokens;
}

// Raw attention of a layer over the span; null: none, or not of that head.
const RawMla* rawRows(const WindowProbe* window, const TokenSpan& span, int64_t layer, int64_t head) {
    const RawLayer* raw = rawLayer(window, layer);
    if (raw == nullptr || raw->mla.attention.empty() || span.end > window->end || head >= raw->mla.heads)
        return nullptr;
    return &raw->mla;
}

// Added to `sum` [keys of the window]: mean over the span and over heads, times `share`.
void addRows(const WindowProbe& window, const RawMla& mla, const TokenSpan& span, int64_t head, double share,
             std::vector<double>& sum) {
    const int64_t first = head < 0 ? 0 : head, last = head < 0 ? mla.heads : head + 1;
    const double each = share / static_cast<double>(span.size() * (last - first));
    for (int64_t token = span.begin; token < span.end; ++token) {
        for (int64_t h = first; h < last; ++h) {
            const auto row = static_cast<size_t>(((token - window.begin) * mla.heads + h) * window.end);
            for (size_t key = 0; key < sum.size(); ++key) sum[key] += each * mla.attention[row + key];
        }
    }
}

// From the raw values of all of the layers; false: not all have some.
bool eachKeyOfWindow(const ProbeSource& source, const TokenSpan& span, std::span<const int64_t> layers, int64_t head,
                     const KeyVisitor& visit) {
    const auto window = source.window(span.begin);
    std::vector<const RawMla*> rows;
    for (const int64_t layer : layers) {
        rows.push_back(rawRows(window.get(), span, layer, head));
        if (rows.back() == nullptr) return false;
    }
    std::vector<double> sum(static_cast<size_t>(span.end), 0.0);
    for (const RawMla* mla : rows) addRows(*window, *mla, span, head, 1 / static_cast<double>(layers.size()), sum);
    for (int64_t key = 0; key < span.end; ++key) visit(key, sum[static_cast<size_t>(key)]);
    return true;
}

}  // namespace

std::vector<int64_t> attentionLayers(const ViewInput& input) {
    const std::vector<int64_t> all = layersWith(input.source.shape(), isMla);
    if (std::ranges::find(all, input.selection.layer) == all.end()) return all;
    return {input.selection.layer};
}

AttentionView attentionView(const ViewInput& input, std::string_view view, const std::string& title) {
    AttentionView out{layerWith(input, isMla), recordsIn(input.source, input.selection.tokens), std::nullopt};
    if (out.records.tokens.empty()) {
        out.nothing = nothingCaptured(input, view, title);
    } else if (out.layer < 0) {
        out.nothing = emptyFigure(input, view, title, input.words.say("This model has no layer with attention."));
    }
    return out;
}

RegionMass massOf(const SpanRecords& records, int64_t layer, int64_t head, ViewOptions::Sink sink) {
    RegionMass out;
    const TokenProbe* last = nullptr;
    for (const auto& probe : records.tokens)
        if (!mlaOf(*probe, layer).mass.empty()) last = probe.get();
    if (last == nullptr || head >= std::ssize(mlaOf(*last, layer).sink)) return out;
    const size_t regions = mlaOf(*last, layer).mass.size() / mlaOf(*last, layer).sink.size();
    out.region.assign(regions, 0.0);
    for (const auto& probe : records.tokens) {
        const MlaProbe& mla = mlaOf(*probe, layer);
        if (mla.mass.empty() || mla.mass.size() / mla.sink.size() != regions) continue;
        addMass(out, mla, head);
    }
    const auto count = static_cast<double>(out.tokens);
    out.sink /= count;
    const double rest = sink == ViewOptions::Sink::kHide && out.sink < 1 ? 1 - out.sink : 1;
    for (double& mass : out.region) mass = std::max(0.0, mass / count / rest);
    return out;
}

bool eachKey(const ProbeSource& source, const SpanRecords& records, std::span<const int64_t> layers, int64_t head,
             const KeyVisitor& visit) {
    if (eachKeyOfWindow(source, records.span, layers, head, visit)) return true;
    for (const int64_t layer : layers) {
        const auto known = std::ranges::count_if(
            records.tokens, [&](const auto& probe) { return !mlaOf(*probe, layer).topKey.empty(); });
        const double share = 1 / static_cast<double>(known * std::ssize(layers));
        for (const auto& probe : records.tokens) {
            const MlaProbe& mla = mlaOf(*probe, layer);
            for (size_t i = 0; i < mla.topKey.size(); ++i) visit(mla.topKey[i], share * mla.topMass[i]);
        }
    }
    return false;
}

KeyMass keyMassOf(const ProbeSource& source, const SpanRecords& records, std::span<const int64_t> layers,
                  int64_t head) {
    KeyMass out;
    std::map<int64_t, double> sum;
    out.exact = eachKey(source, records, layers, head, [&](int64_t key, double mass) { sum[key] += mass; });
    for (const auto& [key, mass] : sum) out.keys.push_back({key, static_cast<float>(mass)});
    return out;
}

}  // namespace pal::inspect
