// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace pal {

// Adds what `from` tells of its values to `into`: both are the lowest, mean and highest of `count` values, which is more than 0 in both. For
// any type with these members; where a bin lies is the caller's.
template <typename Into, typename From>
void joinBin(Into& into, const From& from) {
    const double sum = static_cast<double>(into.mean) * static_cast<double>(into.count) +
                       static_cast<double>(from.mean) * static_cast<double>(from.count);
    into.count += from.count;
    into.mean = static_cast<float>(sum / static_cast<double>(into.count));
    into.low = std::min(into.low, from.low);
    into.high = std::max(into.high, from.high);
}

}  // namespace pal
