// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace pal {

struct ChannelScale {
    float mean = 0, inverseStd = 1;
};

// out[c][x] = (float(byte / 255) - mean[c]) * inverseStd[c] for the R, G and B of `pixels` pixels of 4 bytes. The quotient is rounded once,
// so that it is the double quotient of the reference, rounded to float32.
void normaliseRow(const uint8_t* rgba, int64_t pixels, const std::array<ChannelScale, 3>& scales, float* red,
                  float* green, float* blue);

}  // namespace pal
