// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/inspect/colour_map.h"

namespace pal::inspect {

// How values become colours and lengths. NaN stands for "no value" everywhere.
struct ValueScale {
    enum class Kind {
        kLinear,
        kLog,        // of values above 0; what is smaller lies at the low end
        kDiverging,  // linear and symmetric, 0 in the middle
    };
    Kind kind = Kind::kLinear;
    double low = 0, high = 1;  // low < high; of kLog both above 0

    // 0 at `low`, 1 at `high`, cut to that; NaN for NaN.
    [[nodiscard]] double at(double value) const;
    [[nodiscard]] Colour colour(double value) const;
};

// The scale that shows all of `values`. kLinear begins at 0 where nothing is below it; kLog spans at most `decades` below the largest, so
// that single tiny values do not flatten the rest.
[[nodiscard]] ValueScale scaleOf(std::span<const float> values, ValueScale::Kind kind, double decades = 6);

struct Tick {
    double at = 0;  // 0..1 along the axis
    std::string label;
};
// About `most` round values of a scale; of kLog powers of ten. `decimal` as in numberText().
[[nodiscard]] std::vector<Tick> ticksOf(const ValueScale& scale, int most, char decimal = '.');

// Three significant digits with k, M, G from ten thousand on, two and a power of ten below a thousandth: "0.139", "69", "12.3k", "1.2·10⁻⁶"; "-" for
// NaN. `decimal`: the reader's decimal sign.
[[nodiscard]] std::string numberText(double value, char decimal = '.');
// One digit behind the decimal sign: "12.0".
[[nodiscard]] std::string tenthsText(double value, char decimal = '.');

}  // namespace pal::inspect
