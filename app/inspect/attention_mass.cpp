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

bool keysFromWindow(const ProbeSource& source, const TokenSpan& span, int64_t layer, int64_t head, KeyMass& out) {
    const auto window = source.window(span.begin);
    const RawLayer* raw = rawLayer(window.get(), layer);
    if (raw == nullptr || raw->mla.attention.empty() || span.end > window->end) return false;
    const auto [begin, end] = span;
    const int64_t heads = raw->mla.heads, keys = window->end;
    if (head >= heads) return false;
    std::vector<double> sum(static_cast<size_t>(keys), 0.0);
    const int64_t first = head < 0 ? 0 : head, last = head < 0 ? heads : head + 1;
    for (int64_t token = begin; token < end; ++token) {
        for (int64_t h = first; h < last; ++h) {
            const auto row = static_cast<size_t>(((token - window->begin) * heads + h) * keys);
            for (size_t key = 0; key < sum.size(); ++key) sum[key] += raw->mla.attention[row + key];
        }
    }
    out.exact = true;
    out.tokens = end - begin;
    const double share = 1.0 / static_cast<double>(out.tokens * (last - first));
    for (int64_t key = 0; key < end; ++key)
        out.keys.push_back({key, static_cast<float>(sum[static_cast<size_t>(key)] * share)});
    return true;
}

}  // namespace

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

KeyMass keyMassOf(const ProbeSource& source, const SpanRecords& records, int64_t layer, int64_t head) {
    KeyMass out;
    if (keysFromWindow(source, records.span, layer, head, out)) return out;
    std::map<int64_t, double> sum;
    for (const auto& probe : records.tokens) {
        const MlaProbe& mla = mlaOf(*probe, layer);
        if (mla.topKey.empty()) continue;
        ++out.tokens;
        for (size_t i = 0; i < mla.topKey.size(); ++i) sum[mla.topKey[i]] += mla.topMass[i];
    }
    for (const auto& [key, mass] : sum)
        out.keys.push_back({key, static_cast<float>(mass / static_cast<double>(out.tokens))});
    return out;
}

KeyMass keyMassOf(const ProbeSource& source, const SpanRecords& records, std::span<const int64_t> layers,
                  int64_t head) {
    if (layers.size() == 1) return keyMassOf(source, records, layers.front(), head);
    KeyMass out;
    out.exact = true;
    std::map<int64_t, double> sum;
    for (const int64_t layer : layers) {
        const KeyMass one = keyMassOf(source, records, layer, head);
        for (const KeyMass::Entry& entry : one.keys) sum[entry.key] += double{entry.mass};
        out.exact = out.exact && one.exact;
        out.tokens = std::max(out.tokens, one.tokens);
    }
    for (const auto& [key, mass] : sum)
        out.keys.push_back({key, static_cast<float>(mass / static_cast<double>(layers.size()))});
    return out;
}

}  // namespace pal::inspect
