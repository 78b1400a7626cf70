// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/memory_source.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "app/inspect/in_two.h"
#include "engine/base/join_bins.h"

namespace pal::inspect {
namespace {

constexpr size_t kWindows = 2;
constexpr size_t kMostShown = 500'000;  // numbers, of some 60 bytes

// Adds a span to spans that stay in order and apart.
void coverSpan(std::vector<TokenSpan>& spans, TokenSpan span) {
    auto first = std::lower_bound(spans.begin(), spans.end(), span.begin,
                                  [](const TokenSpan& known, int64_t begin) { return known.end < begin; });
    auto last = first;
    for (; last != spans.end() && last->begin <= span.end; ++last)
        span = {std::min(span.begin, last->begin), std::max(span.end, last->end)};
    if (first == last) {
        spans.insert(first, span);
    } else {
        *first = span;
        spans.erase(first + 1, last);
    }
}

bool covers(const std::vector<TokenSpan>& spans, int64_t token) {
    const auto after = std::upper_bound(spans.begin(), spans.end(), token,
                                        [](int64_t t, const TokenSpan& span) { return t < span.begin; });
    return after != spans.begin() && std::prev(after)->contains(token);
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

MemorySource::MemorySource() : MemorySource(Options()) {}

MemorySource::MemorySource(Options options) : options_(std::move(options)) {
    if (!options_.store) return;
    for (const TokenSpan& span : options_.store->covered()) cover(span);
    // The first records may be of tokens that were not read.
    for (const TokenSpan& span : covered_) {
        for (int64_t token = span.begin; token < std::min(span.end, span.begin + 2) && !shape_; ++token)
            if (const auto probe = options_.store->read(token)) learnShape(*probe);
    }
}

void MemorySource::setRegions(const TokenSpan& tokens, std::vector<Region> regions) {
    const std::lock_guard lock(mutex_);
    std::erase_if(regions_, [&](const auto& known) {
        return known.first.begin >= tokens.begin && known.first.end <= tokens.end;  // nobody sees them any more
    });
    for (const Region& region : regions) tokens_ = std::max(tokens_, region.end);
    regions_.emplace_back(tokens, std::make_shared<const std::vector<Region>>(std::move(regions)));
}

void MemorySource::setIds(std::vector<TokenId> ids) {
    const std::lock_guard lock(mutex_);
    ids_ = std::move(ids);
    tokens_ = std::max<int64_t>(tokens_, std::ssize(ids_));
}

std::vector<TokenId> MemorySource::ids() const {
    const std::lock_guard lock(mutex_);
    return ids_;
}

void MemorySource::setPicture(const Region& region, std::shared_ptr<const Picture> picture) {
    const std::lock_guard lock(mutex_);
    pictures_[region.begin] = std::move(picture);
}

void MemorySource::cover(const TokenSpan& span) {
    coverSpan(covered_, span);
    tokens_ = std::max(tokens_, span.end);
}

void MemorySource::learnShape(const TokenProbe& probe) {
    if (!shape_ && !probe.layers.empty()) shape_ = std::make_unique<const ProbeShape>(shapeOf(probe, options_.experts));
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

void MemorySource::hold(std::shared_ptr<const TokenProbe> probe) const {
    const int64_t token = probe->position;
    recordBytes_ += bytesOf(*probe);
    const auto [at, isNew] = records_.try_emplace(token);
    if (isNew) {
        at->second.use = uses_.insert(uses_.end(), token);
    } else {
        recordBytes_ -= bytesOf(*at->second.probe);
        uses_.splice(uses_.end(), uses_, at->second.use);
    }
    at->second.probe = std::move(probe);
    while (recordBytes_ > options_.recordBytes && records_.size() > 1) {
        const auto oldest = records_.find(uses_.front());
        recordBytes_ -= bytesOf(*oldest->second.probe);
        records_.erase(oldest);
        uses_.pop_front();
    }
}

void MemorySource::add(std::shared_ptr<const TokenProbe> probe, Capture capture) {
    const std::lock_guard lock(mutex_);
    if (shape_ && !probe->layers.empty() && probe->layers.size() != shape_->layers.size()) return;
    learnShape(*probe);
    const int64_t token = probe->position;
    if (token == std::ssize(ids_)) ids_.push_back(probe->token);
    if (!covers(covered_, token)) addSeries(*probe);
    cover({token, token + 1});
    if (capture == Capture::kRecomputed) coverSpan(recomputed_, {token, token + 1});
    hold(std::move(probe));
}

void MemorySource::setWindow(std::shared_ptr<const WindowProbe> window, std::vector<Region> regions) {
    setRegions({window->begin, window->end}, std::move(regions));
    for (const TokenProbe& probe : window->tokens) add(std::make_shared<const TokenProbe>(probe), Capture::kRecomputed);
    const std::lock_guard lock(mutex_);
    windows_.push_back(std::move(window));
    if (windows_.size() > kWindows) windows_.erase(windows_.begin());
}

void MemorySource::keepComputed(const MemorySource& before, int64_t common) {
    const int64_t own = tokens();
    std::vector<TokenSpan> spans;
    std::vector<std::shared_ptr<const WindowProbe>> windows;
    {
        const std::lock_guard lock(before.mutex_);
        spans = before.recomputed_;
        windows = before.windows_;
    }
    for (const TokenSpan& span : spans) {
        const int64_t end = std::min(span.end, common);
        for (int64_t first = span.begin, token = span.begin; token < end; ++token) {
            const auto regions = before.regions(token);
            if (token + 1 == end || before.regions(token + 1) != regions)
                setRegions({std::exchange(first, token + 1), token + 1}, *regions);
            if (auto probe = before.at(token)) add(std::move(probe), Capture::kRecomputed);
        }
    }
    const std::lock_guard lock(mutex_);
    tokens_ = own;  // the regions may reach as far as the other branch
    for (auto& window : windows)
        if (window->end <= common) windows_.push_back(std::move(window));
}

uint64_t MemorySource::bytes() const {
    const std::lock_guard lock(mutex_);
    uint64_t out = recordBytes_ + sizeOf(shown_.numbers);
    for (const LayerSeries& layer : series_)
        for (const BinnedSeries& series : layer) out += series.bytes();
    return out;
}

const ProbeShape& MemorySource::shape() const {
    const std::lock_guard lock(mutex_);
    return shape_ ? *shape_ : noShape_;
}

int64_t MemorySource::tokens() const {
    const std::lock_guard lock(mutex_);
    return tokens_;
}

std::vector<TokenSpan> MemorySource::covered() const {
    const std::lock_guard lock(mutex_);
    return covered_;
}

std::shared_ptr<const TokenProbe> MemorySource::at(int64_t token) const {
    {
        const std::lock_guard lock(mutex_);
        if (const auto held = records_.find(token); held != records_.end()) {
            uses_.splice(uses_.end(), uses_, held->second.use);
            return held->second.probe;
        }
        if (!options_.store || !covers(covered_, token)) return nullptr;
    }
    auto probe = options_.store->read(token);
    if (!probe) return nullptr;
    const std::lock_guard lock(mutex_);
    if (shape_ && !probe->layers.empty() && probe->layers.size() != shape_->layers.size()) return nullptr;
    // Meanwhile it may have been computed again.
    if (const auto held = records_.find(token); held != records_.end()) return held->second.probe;
    hold(probe);
    return probe;
}

void MemorySource::readNumbers(Scalar scalar, int64_t layer, const TokenSpan& span, size_t layers,
                               std::span<TokenNumber> numbers) const {
    const int64_t ofLayer = isOfLayer(scalar) ? layer : -1;
    const auto readPart = [&](int64_t begin, int64_t end) {
        const TokenSpan part{span.begin + begin, span.begin + end};
        options_.store->visitLayer(part, ofLayer, [&](const TokenProbe& probe) {
            const bool ofOthers = layers > 0 && !probe.layers.empty() && probe.layers.size() != layers;
            if (ofOthers || !part.contains(probe.position)) return;
            numbers[static_cast<size_t>(probe.position - span.begin)] = numberOf(probe, scalar, layer);
        });
    };
    constexpr int64_t kForTwo = 512;  // tokens from which on a second thread is worth it
    if (span.size() < kForTwo) return readPart(0, span.size());
    inTwo(span.size(), readPart);
}

std::vector<TokenNumber> MemorySource::numbersAt(Scalar scalar, int64_t layer, const TokenSpan& span) const {
    using Record = TokenNumber::Record;
    const auto size = static_cast<size_t>(std::max<int64_t>(0, span.size()));
    std::vector<TokenNumber> out(size), stored(size);
    TokenSpan missing{span.end, span.begin};  // from the first to the last that is not in memory
    size_t layers = 0;
    {
        const std::lock_guard lock(mutex_);
        layers = shape_ ? shape_->layers.size() : 0;
        const bool same = shown_.scalar == scalar && shown_.layer == layer;
        for (int64_t token = span.begin; token < span.end; ++token) {
            const auto i = static_cast<size_t>(token - span.begin);
            if (same && shown_.span.contains(token))
                stored[i] = shown_.numbers[static_cast<size_t>(token - shown_.span.begin)];
            const auto held = records_.find(token);
            out[i] = held != records_.end() ? numberOf(*held->second.probe, scalar, layer) : stored[i];
            if (out[i].record == Record::kNone && covers(covered_, token))
                missing = {std::min(missing.begin, token), token + 1};
        }
    }
    if (!options_.store || missing.size() <= 0) return out;
    const auto first = static_cast<size_t>(missing.begin - span.begin);
    readNumbers(scalar, layer, missing, layers, std::span(stored).subspan(first, static_cast<size_t>(missing.size())));
    for (size_t i = first; i < size; ++i)
        if (out[i].record == Record::kNone) out[i] = stored[i];
    const std::lock_guard lock(mutex_);
    shown_ = size <= kMostShown ? Shown{scalar, layer, span, std::move(stored)} : Shown();
    return out;
}

Capture MemorySource::captureOf(int64_t token) const {
    const std::lock_guard lock(mutex_);
    return covers(recomputed_, token) ? Capture::kRecomputed : Capture::kLive;
}

std::vector<SeriesBin> MemorySource::exactBins(Scalar scalar, int64_t layer, TokenSpan span, int64_t most) const {
    std::vector<SeriesBin> out;
    const int64_t step = std::max<int64_t>(1, (span.size() + most - 1) / most);
    const std::vector<TokenNumber> numbers = numbersAt(scalar, layer, span);
    for (int64_t begin = span.begin; begin < span.end; begin += step) {
        BinnedSeries one;
        const int64_t end = std::min(begin + step, span.end);
        for (int64_t token = begin; token < end; ++token)
            one.add(0, numbers[static_cast<size_t>(token - span.begin)].value);
        SeriesBin bin = one.bins({0, 1}, 1).front();
        bin.tokens = {begin, end};
        out.push_back(bin);
    }
    return out;
}

namespace {

// Bins of the same width, in order, into those that cover the span.
void joinInto(std::vector<SeriesBin>& all, const SeriesBin& from) {
    const int64_t width = all.front().tokens.size();
    const int64_t at = (from.tokens.begin - all.front().tokens.begin) / width;
    if (from.count == 0 || at < 0 || at >= std::ssize(all)) return;
    SeriesBin& into = all[static_cast<size_t>(at)];
    if (into.count == 0) {
        into = from;
        return;
    }
    joinBin(into, from);
}

}  // namespace

std::vector<SeriesBin> MemorySource::bins(Scalar scalar, int64_t layer, TokenSpan span, int64_t most) const {
    if (most <= 0 || span.size() <= 0) return {};
    // Wider bins than a column would smear: few tokens are read one by one.
    if (span.size() <= std::clamp<int64_t>(2 * most, 64, 2048)) return exactBins(scalar, layer, span, most);
    auto width = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>((span.size() + most - 1) / most)));
    while ((span.end + width - 1) / width - span.begin / width > most && width < span.end) width *= 2;
    const size_t place = isOfLayer(scalar) ? static_cast<size_t>(layer + 1) : 0;
    std::vector<SeriesBin> out;
    {
        const std::lock_guard lock(mutex_);
        const BinnedSeries none;
        const BinnedSeries& own = place < series_.size() ? series_[place][static_cast<size_t>(scalar)] : none;
        width = std::max({width, own.width(), options_.store ? ProbeStore::kFinestWidth : 1});
        out = own.bins(span, width);
    }
    if (options_.store)
        for (const SeriesBin& bin : options_.store->bins(scalar, layer, span, width)) joinInto(out, bin);
    return out;
}

std::shared_ptr<const std::vector<Region>> MemorySource::regions(int64_t token) const {
    const std::lock_guard lock(mutex_);
    for (auto known = regions_.rbegin(); known != regions_.rend(); ++known)
        if (known->first.contains(token)) return known->second;
    return std::make_shared<const std::vector<Region>>();
}

std::string MemorySource::text(int64_t token) const {
    TokenId id = 0;
    {
        const std::lock_guard lock(mutex_);
        if (token < 0 || token >= std::ssize(ids_)) return {};
        id = ids_[static_cast<size_t>(token)];
    }
    return tokenName(id);
}

std::string MemorySource::tokenName(TokenId id) const {
    return options_.names ? options_.names(id) : std::string();
}

std::function<std::string(TokenId)> MemorySource::names() const {
    return options_.names ? options_.names : [](TokenId) { return std::string(); };
}

std::shared_ptr<const WindowProbe> MemorySource::window(int64_t token) const {
    const std::lock_guard lock(mutex_);
    for (auto known = windows_.rbegin(); known != windows_.rend(); ++known)
        if (token >= (*known)->begin && token < (*known)->end) return *known;
    return nullptr;
}

std::shared_ptr<const Picture> MemorySource::picture(const Region& region) const {
    {
        const std::lock_guard lock(mutex_);
        const auto [known, isNew] = pictures_.try_emplace(region.begin);
        if (!isNew) return known->second;
    }
    if (options_.wish) options_.wish(region);
    return nullptr;
}

}  // namespace pal::inspect
