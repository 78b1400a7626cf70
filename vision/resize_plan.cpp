// SPDX-License-Identifier: Apache-2.0
#include "vision/resize_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/base/check.h"

namespace pal {
namespace {

int64_t resized(int64_t pixels, double scale, int64_t limit) {
    return std::min(std::max<int64_t>(1, static_cast<int64_t>(static_cast<double>(pixels) * scale)), limit);
}

}  // namespace

ResizePlan planResize(const MediaConfig& config, int64_t patchLimit, int64_t width, int64_t height) {
    PAL_CHECK(width >= 1 && height >= 1 && patchLimit >= 1);
    const int64_t across = std::max<int64_t>(1, width / config.patchSize);
    const int64_t down = std::max<int64_t>(1, height / config.patchSize);
    const int64_t sidePixels = config.sideLimit * config.patchSize;
    const double side = static_cast<double>(sidePixels);
    const double scale = std::min(
        {1.0, std::sqrt(static_cast<double>(patchLimit) / (static_cast<double>(across) * static_cast<double>(down))),
         side / static_cast<double>(width), side / static_cast<double>(height)});

    ResizePlan plan;
    plan.width = resized(width, scale, sidePixels);
    plan.height = resized(height, scale, sidePixels);
    const int64_t square = config.patchSize * config.mergeSize;
    const int64_t squaresAcross = (plan.width + square - 1) / square;
    const int64_t squaresDown = (plan.height + square - 1) / square;
    plan.columns = squaresAcross * config.mergeSize;
    plan.rows = squaresDown * config.mergeSize;
    plan.tokens = squaresAcross * squaresDown;
    return plan;
}

ResizePlan planImage(const MediaConfig& config, int64_t width, int64_t height) {
    return planResize(config, config.patchLimit, width, height);
}

ResizePlan planFrame(const MediaConfig& config, int64_t framesInChunk, int64_t width, int64_t height) {
    PAL_CHECK(config.video && framesInChunk >= 1);
    int64_t limit = config.video->patchLimitPerFrame;
    if (const auto& perVideo = config.video->patchLimitPerVideo) {
        const double share = static_cast<double>(*perVideo) / static_cast<double>(framesInChunk);
        limit = std::min(limit, std::max<int64_t>(1, static_cast<int64_t>(std::nearbyint(share))));
    }
    return planResize(config, limit, width, height);
}

ResizePlan planWithinTokens(const MediaConfig& config, int64_t patchLimit, int64_t maxTokens, int64_t width,
                            int64_t height) {
    PAL_CHECK(maxTokens >= 1);
    ResizePlan plan = planResize(config, patchLimit, width, height);
    // Tokens never fall when the limit grows, so the largest limit that fits is found by halving.
    int64_t fits = 0, tooMany = patchLimit + 1;
    if (plan.tokens <= maxTokens) return plan;
    while (tooMany - fits > 1) {
        const int64_t middle = fits + (tooMany - fits) / 2;
        (planResize(config, middle, width, height).tokens <= maxTokens ? fits : tooMany) = middle;
    }
    return planResize(config, std::max<int64_t>(1, fits), width, height);
}

}  // namespace pal
