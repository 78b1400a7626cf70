// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace pal {

// One number of one layer (-1: of the token) at a token; what it means is the caller's.
struct SeriesKey {
    int64_t number = 0;
    int64_t layer = 0;
    friend auto operator<=>(const SeriesKey&, const SeriesKey&) = default;
};
struct SeriesValue {
    SeriesKey key;
    float value = 0;
};

// Tokens [begin, end) at multiples of a width. Nothing was told of a bin with count 0.
struct ProbeBin {
    int64_t begin = 0, end = 0;
    float low = 0, mean = 0, high = 0;
    int64_t count = 0;
};

// Bins of a level are this many tokens wide; the last level of a session of a million tokens has 245 of them.
inline constexpr std::array<int64_t, 3> kSeriesWidths{16, 256, 4096};
// Bins that are stored together, at most.
inline constexpr int64_t kSeriesRowBins = 64;

// The bins of all series of one reply while its tokens come, in the order of their positions. A row of kSeriesRowBins bins is handed out when the
// tokens have passed it.
class SeriesBuilder {
  public:
    struct Row {
        SeriesKey key;
        size_t level = 0;
        int64_t first = 0;             // bin
        std::vector<std::byte> bytes;  // of up to kSeriesRowBins bins
    };
    // Not finite values count as not told.
    void add(int64_t position, std::span<const SeriesValue> values);
    // Rows that no later token changes, or with kAll all rows as they are; those were not handed out before.
    enum class Which { kPassed, kAll };
    [[nodiscard]] std::vector<Row> take(Which which);
    // Bins of a level as they are now, from bin `first` on, that were not handed out.
    [[nodiscard]] std::vector<ProbeBin> open(const SeriesKey& key, size_t level) const;

  private:
    struct Bin {
        float low = 0, high = 0;
        double sum = 0;
        int64_t count = 0;
    };
    struct OpenRow {
        int64_t first = -1;  // bin
        std::array<Bin, kSeriesRowBins> bins;
    };
    using Levels = std::array<OpenRow, kSeriesWidths.size()>;
    static Row rowOf(const SeriesKey& key, size_t level, const OpenRow& open);

    std::map<SeriesKey, Levels> series_;
    std::vector<Row> passed_;
};

// Bins of a stored row; empty when the bytes are no row.
[[nodiscard]] std::vector<ProbeBin> binsOf(std::span<const std::byte> row, size_t level, int64_t first);

// Neighbours joined to bins of `width`, a multiple of theirs; `bins` ascend and may have gaps.
[[nodiscard]] std::vector<ProbeBin> joinBins(const std::vector<ProbeBin>& bins, int64_t width);

// The coarsest level of bins that are not wider than `width`, or the finest.
[[nodiscard]] size_t seriesLevel(int64_t width);

}  // namespace pal
