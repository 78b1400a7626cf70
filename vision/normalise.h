// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace pal {

struct ChannelScale {
    float mean = 0, inverseStd = 1;
};

// One row of pixels across `patches` patches of `patch` pixels, 4 bytes each: patch g gets its pixels' R, G and B as `patch` floats each,
//   out[(3 g + c) patch^2 + x] = (float(byte / 255) - mean[c]) * inverseStd[c].
// The quotient is rounded once, so that it is the double quotient of the reference, rounded to float32.
void normaliseRow(const uint8_t* rgba, int64_t patches, int64_t patch, const std::array<ChannelScale, 3>& scales,
                  float* out);

}  // namespace pal
