// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <map>

#include "app/inspect/binned_series.h"
#include "app/inspect/probe_source.h"

namespace pal::inspect {

// Records as they come, from a running model or from disk, with their series. Bounded: it keeps the newest records up to `recordBytes` and
// asks `reload` for older ones; series are binned. Confined to one thread.
class MemorySource : public ProbeSource {
  public:
    using Reload = std::function<std::shared_ptr<const TokenProbe>(int64_t token)>;
    explicit MemorySource(uint64_t recordBytes = 256ULL << 20, Reload reload = {})
        : mostBytes_(recordBytes), reload_(std::move(reload)) {}

    // What the mass of these tokens' records is summed over; of several calls for a token the newest counts.
    void setRegions(const TokenSpan& tokens, std::vector<Region> regions);
    // Any of the following may be empty.
    void setText(std::function<std::string(int64_t token)> text) { text_ = std::move(text); }
    void setNames(std::function<std::string(TokenId)> names) { names_ = std::move(names); }
    void setTokens(int64_t tokens) { tokens_ = tokens; }
    void setExperts(int64_t experts) { experts_ = experts; }
    void setPictures(std::function<std::shared_ptr<const Picture>(const Region&)> pictures) {
        pictures_ = std::move(pictures);
    }
    // A record of a token that has one already takes its place; its series keep both. One of a model with another number of layers is the first
    // of a new collection.
    void add(std::shared_ptr<const TokenProbe> probe, Capture capture);
    // Raw values of a window, with records of all its tokens, which take the place of those that are there: their mass is summed over
    // `regions`.
    void setWindow(std::shared_ptr<const WindowProbe> window, std::vector<Region> regions);
    // Bytes that records and series take now.
    [[nodiscard]] uint64_t bytes() const;

    [[nodiscard]] const ProbeShape& shape() const override { return shape_; }
    [[nodiscard]] int64_t tokens() const override { return tokens_; }
    [[nodiscard]] const std::vector<TokenSpan>& covered() const override { return covered_; }
    [[nodiscard]] std::shared_ptr<const TokenProbe> at(int64_t token) const override;
    [[nodiscard]] Capture captureOf(int64_t token) const override;
    [[nodiscard]] std::vector<SeriesBin> bins(Scalar scalar, int64_t layer, TokenSpan span,
                                              int64_t most) const override;
    [[nodiscard]] const std::vector<Region>& regions(int64_t token) const override;
    [[nodiscard]] std::string text(int64_t token) const override { return text_ ? text_(token) : std::string(); }
    [[nodiscard]] std::string tokenName(TokenId id) const override { return names_ ? names_(id) : std::string(); }
    [[nodiscard]] std::shared_ptr<const WindowProbe> window() const override { return window_; }
    [[nodiscard]] std::shared_ptr<const Picture> picture(const Region& region) const override {
        return pictures_ ? pictures_(region) : nullptr;
    }

  private:
    using LayerSeries = std::array<BinnedSeries, kScalars>;
    void forget();  // of another model
    void cover(int64_t token);
    void addSeries(const TokenProbe& probe);
    [[nodiscard]] std::vector<SeriesBin> exactBins(Scalar scalar, int64_t layer, TokenSpan span, int64_t most) const;

    const uint64_t mostBytes_;
    Reload reload_;
    ProbeShape shape_;
    int64_t tokens_ = 0, experts_ = 0;
    std::vector<TokenSpan> covered_;
    std::vector<TokenSpan> recomputed_;
    std::map<int64_t, std::shared_ptr<const TokenProbe>> records_;
    uint64_t recordBytes_ = 0;
    std::vector<LayerSeries> series_;                                 // [0]: of tokens, [1 + layer]
    std::vector<std::pair<TokenSpan, std::vector<Region>>> regions_;  // the newest last
    std::function<std::string(int64_t)> text_;
    std::function<std::string(TokenId)> names_;
    std::function<std::shared_ptr<const Picture>(const Region&)> pictures_;
    std::shared_ptr<const WindowProbe> window_;
};

// Memory of a record, about.
[[nodiscard]] uint64_t bytesOf(const TokenProbe& probe);

}  // namespace pal::inspect
