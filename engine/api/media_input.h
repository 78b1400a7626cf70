// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// Patches that are made when the engine reads a prompt at their place, on its thread; never where a stored state covers it.
struct LaterPatches {
    std::string identity;  // names the content: equal identities and grids have equal patches
    std::function<Result<std::vector<float>>(const std::stop_token&)> make;
};

// One image, or one group of consecutive video frames, ready for the vision tower: resized, padded, normalised and cut into patches.
// Immutable once it is part of a prompt.
struct MediaInput {
    int64_t frames = 1;   // 1 .. the model's frames per group
    int64_t rows = 0;     // patches down, a multiple of the merge height
    int64_t columns = 0;  // patches across, a multiple of the merge width
    // [frames * rows * columns][3][patch][patch]: frame-major, then row-major; channels R, G, B; values in [-1, 1]. Empty with `later`.
    std::vector<float> patches;
    std::shared_ptr<const LaterPatches> later = nullptr;
};

}  // namespace pal
