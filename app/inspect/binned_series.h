// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "app/inspect/probe_source.h"

namespace pal::inspect {

// A number per token of a session of any length in at most kMostBins bins of minimum, mean and maximum: when tokens come behind the last
// bin, neighbours are joined and every bin is twice as wide. Memory is bounded, adding costs O(1) on average.
class BinnedSeries {
  public:
    static constexpr int64_t kMostBins = 4096;

    // NaN counts as not looked at. A token that is added twice counts twice.
    void add(int64_t token, float value);
    // Tokens per bin, a power of two.
    [[nodiscard]] int64_t width() const { return width_; }
    [[nodiscard]] uint64_t bytes() const { return bins_.capacity() * sizeof(Bin); }
    // Bins of `width` tokens, a multiple of width(), that cover the span; they begin at multiples of it, so that a bin never counts a token that
    // is outside of it.
    [[nodiscard]] std::vector<SeriesBin> bins(TokenSpan span, int64_t width) const;

  private:
    struct Bin {
        float low = 0, high = 0;
        double sum = 0;
        int64_t count = 0;
    };
    static void join(Bin& into, const Bin& from);
    void widen();

    int64_t width_ = 1;
    std::vector<Bin> bins_;
};

}  // namespace pal::inspect
