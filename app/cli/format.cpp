// SPDX-License-Identifier: Apache-2.0
#include "app/cli/format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace pal::cli {

std::string groupDigits(uint64_t value) {
    std::string text = std::to_string(value);
    for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
    return text;
}

std::string formatCount(uint64_t count) {
    constexpr std::array kUnits{"", " K", " M", " B", " T"};
    auto value = static_cast<double>(count);
    size_t unit = 0;
    while (value >= 1000.0 && unit + 1 < kUnits.size()) {
        value /= 1000.0;
        ++unit;
    }
    if (unit == 0) return std::to_string(count);
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return fmt::format("{:.{}f}{}", value, decimals, kUnits[unit]);
}

std::string formatDuration(double seconds) {
    if (seconds < 1.0) return fmt::format("{:.0f} ms", seconds * 1e3);
    if (seconds < 60.0) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<int64_t>(std::llround(seconds));
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace pal::cli
