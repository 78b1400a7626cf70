// SPDX-License-Identifier: Apache-2.0
#include "storage/probes/probe_series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/base/join_bins.h"

namespace pal {
namespace {

// A bin as it is stored: native little-endian, 16 bytes.
struct StoredBin {
    float low = 0, mean = 0, high = 0;
    uint32_t count = 0;
};
static_assert(sizeof(StoredBin) == 16);

constexpr int64_t kMostPosition = int64_t{1} << 40;

}  // namespace

void SeriesBuilder::add(int64_t position, std::span<const SeriesValue> values) {
    for (const SeriesValue& value : values) {
        if (!std::isfinite(value.value)) continue;
        Levels& levels = series_[value.key];
        for (size_t level = 0; level < levels.size(); ++level) {
            OpenRow& row = levels[level];
            const int64_t bin = position / kSeriesWidths[level];
            const int64_t first = bin / kSeriesRowBins * kSeriesRowBins;
            if (row.first != first) {
                if (row.first >= 0) passed_.push_back(rowOf(value.key, level, row));
                row = {};
                row.first = first;
            }
            Bin& at = row.bins[static_cast<size_t>(bin - first)];
            at.low = at.count == 0 ? value.value : std::min(at.low, value.value);
            at.high = at.count == 0 ? value.value : std::max(at.high, value.value);
            at.sum += value.value;
            ++at.count;
        }
    }
}

// From the first bin that was told of to the last.
SeriesBuilder::Row SeriesBuilder::rowOf(const SeriesKey& key, size_t level, const OpenRow& open) {
    const auto told = [](const Bin& bin) { return bin.count > 0; };
    const auto begin = std::find_if(open.bins.begin(), open.bins.end(), told);
    const auto end = std::find_if(open.bins.rbegin(), open.bins.rend(), told).base();
    Row out{key, level, open.first + (begin - open.bins.begin()), {}};
    for (auto bin = begin; bin < end; ++bin) {
        StoredBin stored;
        if (bin->count > 0) {
            stored = {bin->low, static_cast<float>(bin->sum / static_cast<double>(bin->count)), bin->high,
                      static_cast<uint32_t>(bin->count)};
        }
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof stored>>(stored);
        out.bytes.insert(out.bytes.end(), bytes.begin(), bytes.end());
    }
    return out;
}

std::vector<SeriesBuilder::Row> SeriesBuilder::take(Which which) {
    std::vector<Row> out = std::move(passed_);
    passed_.clear();
    if (which == Which::kPassed) return out;
    for (const auto& [key, levels] : series_) {
        for (size_t level = 0; level < levels.size(); ++level) {
            if (levels[level].first >= 0) out.push_back(rowOf(key, level, levels[level]));
        }
    }
    return out;
}

std::vector<ProbeBin> SeriesBuilder::open(const SeriesKey& key, size_t level) const {
    std::vector<ProbeBin> out;
    for (const Row& row : passed_) {
        if (row.key != key || row.level != level) continue;
        const std::vector<ProbeBin> bins = binsOf(row.bytes, level, row.first);
        out.insert(out.end(), bins.begin(), bins.end());
    }
    const auto at = series_.find(key);
    if (at == series_.end() || at->second[level].first < 0) return out;
    const Row row = rowOf(key, level, at->second[level]);
    const std::vector<ProbeBin> bins = binsOf(row.bytes, level, row.first);
    out.insert(out.end(), bins.begin(), bins.end());
    return out;
}

std::vector<ProbeBin> binsOf(std::span<const std::byte> row, size_t level, int64_t first) {
    std::vector<ProbeBin> out;
    const auto count = static_cast<int64_t>(row.size() / sizeof(StoredBin));
    const bool whole = row.size() % sizeof(StoredBin) == 0 && count <= kSeriesRowBins;
    if (!whole || level >= kSeriesWidths.size() || first < 0 || first > kMostPosition / kSeriesWidths[level])
        return out;
    const int64_t width = kSeriesWidths[level];
    for (int64_t i = 0; i < count; ++i) {
        StoredBin stored;
        std::memcpy(&stored, row.data() + static_cast<size_t>(i) * sizeof stored, sizeof stored);
        const bool sound = std::isfinite(stored.low) && std::isfinite(stored.mean) && std::isfinite(stored.high);
        if (stored.count == 0 || !sound) continue;
        out.push_back(
            {(first + i) * width, (first + i + 1) * width, stored.low, stored.mean, stored.high, stored.count});
    }
    return out;
}

std::vector<ProbeBin> joinBins(const std::vector<ProbeBin>& bins, int64_t width) {
    std::vector<ProbeBin> out;
    for (const ProbeBin& bin : bins) {
        const int64_t at = bin.begin / width * width;
        if (out.empty() || out.back().begin != at) {
            out.push_back({at, at + width, bin.low, bin.mean, bin.high, bin.count});
            continue;
        }
        joinBin(out.back(), bin);
    }
    return out;
}

size_t seriesLevel(int64_t width) {
    size_t level = kSeriesWidths.size() - 1;
    while (level > 0 && kSeriesWidths[level] > width) --level;
    return level;
}

}  // namespace pal
