// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pal::desktop {

QImage imageOf(const Raster& raster) {
    const auto width = static_cast<int>(raster.width), height = static_cast<int>(raster.height);
    const QImage view(raster.pixels.data(), width, height, width * 4, QImage::Format_RGBA8888);
    return view.copy();
}

QImage imageOf(const PageImage& page) {
    const QImage view(page.rgb.data(), page.width, page.height, page.width * 3, QImage::Format_RGB888);
    return view.copy();
}

std::vector<QImage> imagesOf(const MediaInput& input, const ResizePlan& resize, const MediaConfig& config) {
    const int64_t side = config.patchSize, pixels = side * side;
    std::vector<QImage> out;
    for (int64_t frame = 0; frame < input.frames; ++frame) {
        QImage image(static_cast<int>(resize.width), static_cast<int>(resize.height), QImage::Format_RGB888);
        for (int64_t y = 0; y < resize.height; ++y) {
            uchar* line = image.scanLine(static_cast<int>(y));
            for (int64_t x = 0; x < resize.width; ++x) {
                const int64_t patch = (frame * input.rows + y / side) * input.columns + x / side;
                const float* at = input.patches.data() + patch * 3 * pixels + y % side * side + x % side;
                for (size_t c = 0; c < 3; ++c) {
                    const float value = at[static_cast<int64_t>(c) * pixels] * config.std[c] + config.mean[c];
                    line[x * 3 + static_cast<int64_t>(c)] =
                        static_cast<uchar>(std::lround(std::clamp(value, 0.F, 1.F) * 255));
                }
            }
        }
        out.push_back(std::move(image));
    }
    return out;
}

}  // namespace pal::desktop
