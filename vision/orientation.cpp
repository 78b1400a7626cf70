// SPDX-License-Identifier: Apache-2.0
#include "vision/orientation.h"

#include <cstring>

namespace pal {
namespace {

// Byte offsets in the upright picture: of a stored row's first pixel, and from each pixel to the next.
struct Placement {
    int64_t start, step;
};

Placement placementOf(int orientation, int64_t y, const Raster& upright) {
    const int64_t w = upright.width, h = upright.height;
    const auto from = [w](int64_t column, int64_t row, int64_t step) {
        return Placement{(row * w + column) * 4, step * 4};
    };
    switch (orientation) {
        case 2:
            return from(w - 1, y, -1);  // the stored top is the top, the stored left the right
        case 3:
            return from(w - 1, h - 1 - y, -1);  // bottom, right
        case 4:
            return from(0, h - 1 - y, 1);  // bottom, left
        case 5:
            return from(y, 0, w);  // left, top
        case 6:
            return from(w - 1 - y, 0, w);  // right, top
        case 7:
            return from(w - 1 - y, h - 1, -w);  // right, bottom
        case 8:
            return from(y, h - 1, -w);  // left, bottom
        default:
            return from(0, y, 1);
    }
}

}  // namespace

void placeRow(int orientation, int64_t y, const uint8_t* row, Raster& upright) {
    const int64_t pixels = swapsSides(orientation) ? upright.height : upright.width;
    const Placement place = placementOf(orientation, y, upright);
    uint8_t* to = upright.pixels.data();
    for (int64_t x = 0, at = place.start; x < pixels; ++x, at += place.step) std::memcpy(to + at, row + 4 * x, 4);
}

}  // namespace pal
