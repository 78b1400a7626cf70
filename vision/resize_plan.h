// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "vision/media_config.h"

namespace pal {

// How one picture meets the patch grid. The resized picture lies at the top left of rows * patchSize x columns * patchSize pixels; the rest
// is black. Padding patches are patches like any other: they are seen by the tower and cost tokens.
struct ResizePlan {
    int64_t width = 0, height = 0;  // pixels after resizing, >= 1
    int64_t rows = 0, columns = 0;  // patches, multiples of mergeSize
    int64_t tokens = 0;             // rows * columns / mergeSize^2
    friend bool operator==(const ResizePlan&, const ResizePlan&) = default;
};

// The reference's plan, in double precision (p patch size, m merge size, L patchLimit, B sideLimit):
//   s = min(1, sqrt(L / (max(1, W div p) * max(1, H div p))), B p / W, B p / H)
//   width = min(max(1, trunc(W s)), B p), padded to a multiple of m p; height likewise.
// L counts patches before padding, so the padded grid may exceed it. `width`, `height` >= 1 pixels; patchLimit >= 1.
[[nodiscard]] ResizePlan planResize(const MediaConfig& config, int64_t patchLimit, int64_t width, int64_t height);

// With the config's limit for an image.
[[nodiscard]] ResizePlan planImage(const MediaConfig& config, int64_t width, int64_t height);

// With its limit for each frame of a chunk of `framesInChunk` frames. The config must know video.
[[nodiscard]] ResizePlan planFrame(const MediaConfig& config, int64_t framesInChunk, int64_t width, int64_t height);

// The largest plan with a patch limit of 1 .. `patchLimit` that costs at most `maxTokens` >= 1 tokens; the smallest where none does (a very
// long picture): see the result's `tokens`.
[[nodiscard]] ResizePlan planWithinTokens(const MediaConfig& config, int64_t patchLimit, int64_t maxTokens,
                                          int64_t width, int64_t height);

}  // namespace pal
