// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>

#include "vision/raster.h"

namespace pal {

// Pixels as OpenCV sees them: a header over the same memory, which must outlive it. Sizes are within what ImageLimits allows, so they fit
// an int. OpenCV throws std::bad_alloc or cv::Exception, which is a std::exception: callers run inside guarded().
inline cv::Mat viewOf(Raster& picture) {
    return {static_cast<int>(picture.height), static_cast<int>(picture.width), CV_8UC4, picture.pixels.data()};
}

// OpenCV has no header over constant memory; what is returned is only read.
inline cv::Mat viewOf(const PixelRows& rows) {
    return {static_cast<int>(rows.height), static_cast<int>(rows.width), CV_8UC4, const_cast<uint8_t*>(rows.pixels),
            static_cast<size_t>(rows.stride)};
}

}  // namespace pal
