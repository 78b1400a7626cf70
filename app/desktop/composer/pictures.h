// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <vector>

#include "engine/api/media_input.h"
#include "vision/documents/document.h"
#include "vision/media_config.h"
#include "vision/raster.h"
#include "vision/resize_plan.h"

namespace pal::desktop {

// Pixels of the readers as images of Qt; copies, any thread.
[[nodiscard]] QImage imageOf(const Raster& raster);
[[nodiscard]] QImage imageOf(const PageImage& page);

// What the vision tower is given, made visible again: one image per frame, after resizing and without the padding. `input` has its patches,
// `config` and `resize` are those that it was made with.
[[nodiscard]] std::vector<QImage> imagesOf(const MediaInput& input, const ResizePlan& resize,
                                           const MediaConfig& config);

}  // namespace pal::desktop
