// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/binned_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pal::inspect {

void BinnedSeries::join(Bin& into, const Bin& from) {
    if (from.count == 0) return;
    into.low = into.count == 0 ? from.low : std::min(into.low, from.low);
    into.high = into.count == 0 ? from.high : std::max(into.high, from.high);
    into.sum += from.sum;
    into.count += from.count;
}

void BinnedSeries::widen() {
    for (size_t i = 0; i < bins_.size(); i += 2) {
        Bin joined = bins_[i];
        if (i + 1 < bins_.size()) join(joined, bins_[i + 1]);
        bins_[i / 2] = joined;
    }
    bins_.resize((bins_.size() + 1) / 2);
    width_ *= 2;
}

void BinnedSeries::add(int64_t token, float value) {
    if (token < 0 || std::isnan(value)) return;
    while (token / width_ >= kMostBins) widen();
    const auto at = static_cast<size_t>(token / width_);
    if (at >= bins_.size()) bins_.resize(at + 1);
    join(bins_[at], {value, value, value, 1});
}

std::vector<SeriesBin> BinnedSeries::bins(TokenSpan span, int64_t width) const {
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    std::vector<SeriesBin> out;
    if (span.size() <= 0) return out;
    for (int64_t begin = span.begin / width * width; begin < span.end; begin += width) {
        Bin all;
        const int64_t end = std::min<int64_t>((begin + width) / width_, std::ssize(bins_));
        for (int64_t i = begin / width_; i < end; ++i) join(all, bins_[static_cast<size_t>(i)]);
        SeriesBin bin{{begin, begin + width}, kNone, kNone, kNone, all.count};
        if (all.count > 0) {
            bin.low = all.low;
            bin.high = all.high;
            bin.mean = static_cast<float>(all.sum / static_cast<double>(all.count));
        }
        out.push_back(bin);
    }
    return out;
}

}  // namespace pal::inspect
