// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "vision/raster.h"

namespace pal {

// Orientations are EXIF's, 1..8: what the stored top row and left column are when the picture is seen. 1 is upright; 3, 6 and 8 are turned
// by 180, 90 and 270 degrees clockwise to stand upright; 2, 4, 5 and 7 are mirrored, too.

// Whether a turned picture's width is the stored height.
[[nodiscard]] inline bool swapsSides(int orientation) {
    return orientation >= 5;
}

// Puts the stored rows from `y` on where they belong in a picture that stands upright and already has its size. All at once or band by
// band; a band of some rows is turned within the cache.
void placeRows(int orientation, int64_t y, const PixelRows& rows, Raster& upright);

}  // namespace pal
