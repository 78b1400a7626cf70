// SPDX-License-Identifier: Apache-2.0
#include "app/composition/region_picture.h"

#include <algorithm>
#include <cmath>

namespace pal {

Result<std::shared_ptr<const inspect::Picture>> regionPicture(const ComposedMedium& medium, const MediaConfig& config,
                                                              const std::stop_token& stop) {
    std::vector<float> made;
    if (medium.input->later) {
        PAL_ASSIGN(made, medium.input->later->make(stop));
    }
    const std::vector<float>& patches = medium.input->later ? made : medium.input->patches;
    const int64_t side = config.patchSize, pixels = side * side;
    auto out = std::make_shared<inspect::Picture>();
    out->width = medium.input->columns * side;
    out->height = medium.input->rows * side;
    out->rgb.reserve(static_cast<size_t>(out->width * out->height * 3));
    for (int64_t y = 0; y < out->height; ++y) {
        for (int64_t x = 0; x < out->width; ++x) {
            const int64_t patch = y / side * medium.input->columns + x / side;
            const int64_t at = patch * 3 * pixels + y % side * side + x % side;
            for (size_t c = 0; c < 3; ++c) {
                const float value =
                    patches[static_cast<size_t>(at) + c * static_cast<size_t>(pixels)] * config.std[c] + config.mean[c];
                out->rgb.push_back(static_cast<uint8_t>(std::lround(std::clamp(value, 0.F, 1.F) * 255)));
            }
        }
    }
    return out;
}

}  // namespace pal
