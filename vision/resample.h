// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "vision/raster.h"

namespace pal {

// Antialiased separable bicubic resize, equal to Pillow's Image.resize(size, BICUBIC) bit for bit on 8-bit RGB and RGBA.
//
// Per axis, with scale = in / out, f = max(scale, 1) and support = 2 f: output i has its centre at c = (i + 0.5) scale, reads the inputs
// from trunc(c - support + 0.5) to trunc(c + support + 0.5), cut to the picture, with the weights w(k) = h((k - c + 0.5) / f), normalised;
//   h(x) = 1.5|x|^3 - 2.5 x^2 + 1 for |x| < 1, -0.5|x|^3 + 2.5 x^2 - 4|x| + 2 for |x| < 2, else 0      (a = -0.5)
// Weights are rounded to 22 fractional bits, sums start at 2^21 and are shifted and clamped to a byte. The horizontal pass is first and
// its result is bytes. An axis that keeps its size is not filtered. Alpha is premultiplied before and divided out after; a copy is a copy.
class Resampler {
  public:
    // Sizes in pixels, >= 1. Allocates the weights and the few rows between the passes, whatever the height of the picture.
    Resampler(int64_t width, int64_t height, Raster::Alpha alpha, int64_t newWidth, int64_t newHeight);
    ~Resampler();
    Resampler(const Resampler&) = delete;
    Resampler& operator=(const Resampler&) = delete;

    // Takes the next of `height` rows from the top: `width` pixels of 4 bytes, RGBA. `out` has the new size; its rows are filled as soon
    // as their last input is there.
    void push(const uint8_t* row, Raster& out);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// The whole picture at once.
[[nodiscard]] Raster resize(const Raster& picture, int64_t width, int64_t height);

}  // namespace pal
