// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/memory_source.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pal::inspect {
namespace {

constexpr int64_t kExactTokens = 2048;  // spans up to this are read from records

// Adds a token to spans that stay in order and apart.
void coverToken(std::vector<TokenSpan>& spans, int64_t token) {
    auto at = std::lower_bound(spans.begin(), spans.end(), token,
                               [](const TokenSpan& span, int64_t t) { return span.end < t; });
    if (at != spans.end() && at->contains(token)) return;
    if (at != spans.end() && at->end == token) {
        ++at->end;
    } else if (at != spans.end() && at->begin == token + 1) {
        --at->begin;
        return;
    } else {
        at = spans.insert(at, {token, token + 1});
    }
    const auto next = at + 1;
    if (next != spans.end() && next->begin == at->end) {
        at->end = next->end;
        spans.erase(next);
    }
}

bool covers(const std::vector<TokenSpan>& spans, int64_t token) {
    return std::any_of(spans.begin(), spans.end(), [&](const TokenSpan& span) { return span.contains(token); });
}

template <typename T>
uint64_t sizeOf(const std::vector<T>& values) {
    return values.capacity() * sizeof(T);
}

uint64_t gateBytes(const GateProbe& gate) {
    return sizeOf(gate.mean) + sizeOf(gate.closed) + sizeOf(gate.open);
}

}  // namespace

uint64_t bytesOf(const TokenProbe& probe) {
    uint64_t out = sizeof(probe) + sizeOf(probe.layers) + sizeOf(probe.mixOutput) + sizeOf(probe.next);
    for (const LayerProbe& l : probe.layers) {
        out += sizeOf(l.mixAttention) + sizeOf(l.mixMlp) + sizeOf(l.kda.halfLife) + sizeOf(l.kda.beta) +
               sizeOf(l.kda.write) + sizeOf(l.kda.stateNorm) + gateBytes(l.kda.gate) + sizeOf(l.mla.mass) +
               sizeOf(l.mla.sink) + sizeOf(l.mla.entropy) + sizeOf(l.mla.topKey) + sizeOf(l.mla.topMass) +
               gateBytes(l.mla.gate) + sizeOf(l.routing.expert) + sizeOf(l.routing.weight);
    }
    return out;
}

void MemorySource::setRegions(const TokenSpan& tokens, std::vector<Region> regions) {
    std::erase_if(regions_, [&](const auto& known) {
        return known.first.begin >= tokens.begin && known.first.end <= tokens.end;  // nobody sees them any more
    });
    for (const Region& region : regions) tokens_ = std::max(tokens_, region.end);
    regions_.emplace_back(tokens, std::move(regions));
}

void MemorySource::cover(int64_t token) {
    coverToken(covered_, token);
    tokens_ = std::max(tokens_, token + 1);
}

void MemorySource::addSeries(const TokenProbe& probe) {
    series_.resize(std::max(series_.size(), probe.layers.size() + 1));
    for (int i = 0; i < kScalars; ++i) {
        const auto scalar = static_cast<Scalar>(i);
        if (!isOfLayer(scalar)) {
            series_[0][static_cast<size_t>(i)].add(probe.position, scalarOf(probe, scalar, -1));
            continue;
        }
        for (size_t layer = 0; layer < probe.layers.size(); ++layer)
            series_[layer + 1][static_cast<size_t>(i)].add(probe.position,
                                                           scalarOf(probe, scalar, static_cast<int64_t>(layer)));
    }
}

void MemorySource::forget() {
    shape_ = {};
    covered_.clear();
    recomputed_.clear();
    records_.clear();
    recordBytes_ = 0;
    series_.clear();
    window_.reset();
}

void MemorySource::add(std::shared_ptr<const TokenProbe> probe, Capture capture) {
    if (!probe->layers.empty() && !shape_.layers.empty() && probe->layers.size() != shape_.layers.size()) forget();
    if (shape_.layers.empty() && !probe->layers.empty()) {
        shape_ = shapeOf(*probe);
        shape_.experts = experts_;
    }
    for (const LayerProbe& layer : probe->layers)
        for (const int32_t expert : layer.routing.expert)
            shape_.experts = std::max<int64_t>(shape_.experts, expert + 1);
    cover(probe->position);
    if (capture == Capture::kRecomputed) coverToken(recomputed_, probe->position);
    addSeries(*probe);
    const int64_t token = probe->position;
    recordBytes_ += bytesOf(*probe);
    auto& held = records_[token];
    if (held) recordBytes_ -= bytesOf(*held);
    held = std::move(probe);
    while (recordBytes_ > mostBytes_ && records_.size() > 1) {
        const auto oldest = records_.begin()->first == token ? std::next(records_.begin()) : records_.begin();
        recordBytes_ -= bytesOf(*oldest->second);
        records_.erase(oldest);
    }
}

void MemorySource::setWindow(std::shared_ptr<const WindowProbe> window, std::vector<Region> regions) {
    setRegions({window->begin, window->end}, std::move(regions));
    for (const TokenProbe& probe : window->tokens)
        add(std::shared_ptr<const TokenProbe>(window, &probe), Capture::kRecomputed);
    window_ = std::move(window);
}

uint64_t MemorySource::bytes() const {
    uint64_t out = recordBytes_;
    for (const LayerSeries& layer : series_)
        for (const BinnedSeries& series : layer) out += series.bytes();
    return out;
}

std::shared_ptr<const TokenProbe> MemorySource::at(int64_t token) const {
    const auto held = records_.find(token);
    if (held != records_.end()) return held->second;
    return reload_ && covers(covered_, token) ? reload_(token) : nullptr;
}

Capture MemorySource::captureOf(int64_t token) const {
    return covers(recomputed_, token) ? Capture::kRecomputed : Capture::kLive;
}

std::vector<SeriesBin> MemorySource::exactBins(Scalar scalar, int64_t layer, TokenSpan span, int64_t most) const {
    std::vector<SeriesBin> out;
    const int64_t step = std::max<int64_t>(1, (span.size() + most - 1) / most);
    for (int64_t begin = span.begin; begin < span.end; begin += step) {
        BinnedSeries one;
        const int64_t end = std::min(begin + step, span.end);
        for (int64_t token = begin; token < end; ++token)
            if (const auto probe = at(token)) one.add(0, scalarOf(*probe, scalar, layer));
        SeriesBin bin = one.bins({0, 1}, 1).front();
        bin.tokens = {begin, end};
        out.push_back(bin);
    }
    return out;
}

std::vector<SeriesBin> MemorySource::bins(Scalar scalar, int64_t layer, TokenSpan span, int64_t most) const {
    const size_t place = isOfLayer(scalar) ? static_cast<size_t>(layer + 1) : 0;
    if (most <= 0 || span.size() <= 0 || place >= series_.size()) return {};
    const BinnedSeries& series = series_[place][static_cast<size_t>(scalar)];
    // Bins that are wider than what is asked for would smear: few tokens are read one by one.
    const bool coarse = series.width() > 1 && series.width() * most > span.size();
    if (coarse && span.size() <= kExactTokens) return exactBins(scalar, layer, span, most);
    return series.bins(span, most);
}

const std::vector<Region>& MemorySource::regions(int64_t token) const {
    static const std::vector<Region> kNone;
    for (auto known = regions_.rbegin(); known != regions_.rend(); ++known)
        if (known->first.contains(token)) return known->second;
    return kNone;
}

}  // namespace pal::inspect
