// SPDX-License-Identifier: Apache-2.0
#include "vision/orientation.h"

#include "vision/cv_view.h"

namespace pal {
namespace {

// Where `count` stored rows from `y` on lie in the upright picture: a band of rows or, when it lies on its side, of columns.
cv::Rect bandOf(int orientation, int64_t y, int64_t count, const Raster& upright) {
    const auto width = static_cast<int>(upright.width), height = static_cast<int>(upright.height);
    const auto at = static_cast<int>(y), rows = static_cast<int>(count);
    if (!swapsSides(orientation)) {
        const bool fromBottom = orientation == 3 || orientation == 4;
        return {0, fromBottom ? height - at - rows : at, width, rows};
    }
    const bool fromRight = orientation == 6 || orientation == 7;
    return {fromRight ? width - at - rows : at, 0, rows, height};
}

}  // namespace

void placeRows(int orientation, int64_t y, const PixelRows& rows, Raster& upright) {
    constexpr int kUpsideDown = 0, kMirrored = 1, kBoth = -1;  // cv::flip's codes
    const cv::Mat stored = viewOf(rows);
    cv::Mat band = viewOf(upright)(bandOf(orientation, y, rows.height, upright));
    switch (orientation) {
        case 2:
            return cv::flip(stored, band, kMirrored);
        case 3:
            return cv::flip(stored, band, kBoth);
        case 4:
            return cv::flip(stored, band, kUpsideDown);
        case 5:
            return cv::transpose(stored, band);
        case 6:
            return cv::rotate(stored, band, cv::ROTATE_90_CLOCKWISE);
        case 7:
            cv::transpose(stored, band);
            return cv::flip(band, band, kBoth);
        case 8:
            return cv::rotate(stored, band, cv::ROTATE_90_COUNTERCLOCKWISE);
        default:
            return stored.copyTo(band);
    }
}

}  // namespace pal
