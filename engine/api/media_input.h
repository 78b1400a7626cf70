// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace pal {

// One image, or one group of consecutive video frames, ready for the vision tower: resized, padded, normalised and cut into patches.
// Immutable once it is part of a prompt.
struct MediaInput {
    int64_t frames = 1;   // 1 .. the model's frames per group
    int64_t rows = 0;     // patches down, a multiple of the merge height
    int64_t columns = 0;  // patches across, a multiple of the merge width
    // [frames * rows * columns][3][patch][patch]: frame-major, then row-major; channels R, G, B; values in [-1, 1].
    std::vector<float> patches;
};

}  // namespace pal
