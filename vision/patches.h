// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "engine/api/media_input.h"
#include "vision/media_config.h"
#include "vision/raster.h"
#include "vision/resize_plan.h"

namespace pal {

// Composites a picture over the background: out = trunc(a rgb + (1 - a) background), a = alpha / 255, in float32. A chessboard starts at
// (0, 0). Without a background, alpha is dropped. The result is opaque.
void compositeOver(const std::optional<Background>& background, Raster& picture);

// The same for one row, `y` pixels from the top.
void compositeRow(const std::optional<Background>& background, int64_t y, int64_t width, uint8_t* row);

// An input on the plan's grid without frames yet, with room for `frames`, in large pages of memory where the system has them: the patches
// of a clip's chunk are a hundred megabytes, and a fault for each 4 KiB of them took longer than filling them.
[[nodiscard]] MediaInput makeMediaInput(const MediaConfig& config, const ResizePlan& plan, int64_t frames);

// Appends an opaque picture (its alpha is not looked at) of the plan's resized size as the next frame:
//   patch[gy * columns + gx][c][y][x] = (float(byte / 255) - mean[c]) * (1 / std[c]) of pixel (gx p + x, gy p + y), black in the padding.
void appendFrame(const MediaConfig& config, const PixelRows& picture, MediaInput& input);

}  // namespace pal
