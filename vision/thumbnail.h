// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "vision/raster.h"

namespace pal {

// A copy of an opaque picture whose longer side is at most `side` pixels (>= 1), never enlarged. For eyes, not for the model: each pixel
// is the mean of the area it stands for (OpenCV's INTER_AREA). May throw as cv_view.h says.
[[nodiscard]] Raster thumbnailOf(const PixelRows& picture, int64_t side);

}  // namespace pal
