// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>

#include "app/inspect/binned_series.h"
#include "app/inspect/probe_store.h"

namespace pal::inspect {

// A branch as it is looked at: what a store has of it, and records as they come from a running model. Memory is bounded, however long the
// branch is: records that were used last stay, others are read from the store when they are needed; numbers over long spans come from bins.
// Thread-safe.
class MemorySource : public ProbeSource {
  public:
    struct Options {
        std::string model;                               // fingerprint of the model that the records are of
        int64_t experts = 0;                             // of its layers that have some
        std::shared_ptr<const ProbeStore> store = {};    // may be null
        uint64_t recordBytes = 256ULL << 20;             // of records in memory
        std::function<std::string(TokenId)> names = {};  // of the vocabulary's entries; thread-safe, may be empty
        // A picture that a view could show is not loaded: asked once for each, from any thread; must return at once. May be empty.
        std::function<void(const Region&)> wish = {};
    };
    MemorySource();  // without a store
    explicit MemorySource(Options options);

    [[nodiscard]] const std::string& model() const { return options_.model; }
    // What the mass of these tokens' records is summed over; of several calls for a token the newest counts.
    void setRegions(const TokenSpan& tokens, std::vector<Region> regions);
    // The branch's tokens; records that come behind the last one add theirs.
    void setIds(std::vector<TokenId> ids);
    [[nodiscard]] std::vector<TokenId> ids() const;
    void setPicture(const Region& region, std::shared_ptr<const Picture> picture);
    // A record of a token that has one already takes its place. One with another number of layers than the first is left out.
    void add(std::shared_ptr<const TokenProbe> probe, Capture capture);
    // Raw values of a window, with records of all its tokens, which take the place of those that are there: their mass is summed over
    // `regions`. The two newest windows are kept, so that two states can be compared.
    void setWindow(std::shared_ptr<const WindowProbe> window, std::vector<Region> regions);
    // Takes over what was computed again of the first `common` tokens, which both branches have.
    void keepComputed(const MemorySource& before, int64_t common);
    // Bytes that records and series take now.
    [[nodiscard]] uint64_t bytes() const;

    [[nodiscard]] const ProbeShape& shape() const override;
    [[nodiscard]] int64_t tokens() const override;
    [[nodiscard]] std::vector<TokenSpan> covered() const override;
    [[nodiscard]] std::shared_ptr<const TokenProbe> at(int64_t token) const override;
    [[nodiscard]] std::vector<TokenNumber> numbersAt(Scalar scalar, int64_t layer,
                                                     const TokenSpan& span) const override;
    [[nodiscard]] Capture captureOf(int64_t token) const override;
    [[nodiscard]] std::vector<SeriesBin> bins(Scalar scalar, int64_t layer, TokenSpan span,
                                              int64_t most) const override;
    [[nodiscard]] std::shared_ptr<const std::vector<Region>> regions(int64_t token) const override;
    [[nodiscard]] std::string text(int64_t token) const override;
    [[nodiscard]] std::string tokenName(TokenId id) const override;
    [[nodiscard]] std::function<std::string(TokenId)> names() const override;
    [[nodiscard]] std::shared_ptr<const WindowProbe> window(int64_t token) const override;
    [[nodiscard]] std::shared_ptr<const Picture> picture(const Region& region) const override;

  private:
    using LayerSeries = std::array<BinnedSeries, kScalars>;
    struct Held {
        std::shared_ptr<const TokenProbe> probe;
        std::list<int64_t>::iterator use;
    };
    // What follows wants the lock.
    void learnShape(const TokenProbe& probe);
    void addSeries(const TokenProbe& probe);
    void hold(std::shared_ptr<const TokenProbe> probe) const;
    void cover(const TokenSpan& span);

    // Of the store's records, from the span's first token on.
    void readNumbers(Scalar scalar, int64_t layer, const TokenSpan& span, size_t layers,
                     std::span<TokenNumber> numbers) const;
    [[nodiscard]] std::vector<SeriesBin> exactBins(Scalar scalar, int64_t layer, TokenSpan span, int64_t most) const;

    const Options options_;
    const ProbeShape noShape_;
    mutable std::mutex mutex_;                 // of all that follows
    std::unique_ptr<const ProbeShape> shape_;  // set once
    int64_t tokens_ = 0;
    std::vector<TokenId> ids_;
    std::vector<TokenSpan> covered_, recomputed_;
    mutable std::unordered_map<int64_t, Held> records_;
    mutable std::list<int64_t> uses_;  // the newest last
    mutable uint64_t recordBytes_ = 0;
    // What numbersAt() gave last, of the store's records: while a view is moved, most of what it shows stays.
    struct Shown {
        Scalar scalar{};
        int64_t layer = -1;
        TokenSpan span;
        std::vector<TokenNumber> numbers;
    };
    mutable Shown shown_;
    std::vector<LayerSeries> series_;  // [0]: of tokens, [1 + layer]; of what the store does not have
    std::vector<std::pair<TokenSpan, std::shared_ptr<const std::vector<Region>>>> regions_;  // the newest last
    std::vector<std::shared_ptr<const WindowProbe>> windows_;                                // likewise
    mutable std::map<int64_t, std::shared_ptr<const Picture>>
        pictures_;  // by the region's first token; null: asked for
};

// Memory of a record, about.
[[nodiscard]] uint64_t bytesOf(const TokenProbe& probe);

}  // namespace pal::inspect
