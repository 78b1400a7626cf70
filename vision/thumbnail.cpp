// SPDX-License-Identifier: Apache-2.0
#include "vision/thumbnail.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "vision/cv_view.h"

namespace pal {

Raster thumbnailOf(const PixelRows& picture, int64_t side) {
    const int64_t longer = std::max(picture.width, picture.height);
    const auto shrink = [&](int64_t pixels) {
        return longer <= side ? pixels : std::max<int64_t>(1, (pixels * side + longer / 2) / longer);
    };
    Raster out{shrink(picture.width), shrink(picture.height), Raster::Alpha::kOpaque, {}};
    out.pixels.resize(static_cast<size_t>(out.width * out.height * 4));
    cv::Mat small = viewOf(out);
    cv::resize(viewOf(picture), small, small.size(), 0, 0, cv::INTER_AREA);
    return out;
}

}  // namespace pal
