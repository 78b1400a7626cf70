// SPDX-License-Identifier: Apache-2.0
// Any bytes as a picture: an error, or patches of the size that the header promised, within the limits.
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/check.h"
#include "vision/image.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    pal::MediaConfig config;
    config.patchSize = 14;
    config.mergeSize = 2;
    config.patchLimit = 64;
    config.sideLimit = 32;
    config.mean = config.std = {0.5F, 0.5F, 0.5F};
    config.background = pal::Background{};
    pal::ImageRequest request;
    request.limits = {4096, 1 << 20, 16 << 20};
    request.thumbnailSide = 8;
    const auto source = pal::MediaSource::bytes("fuzz", {reinterpret_cast<const std::byte*>(data), size});
    const auto plan = pal::planImageFile(source, config, request);
    const auto prepared = pal::prepareImage(source, config, request);
    if (!prepared.has_value()) {
        PAL_CHECK(!prepared.error().message.empty());
        return 0;
    }
    PAL_CHECK(plan.has_value() && plan->resize == prepared->resize);
    PAL_CHECK(prepared->width * prepared->height <= request.limits.maxPixels);
    PAL_CHECK(prepared->input.patches.size() * sizeof(float) == plan->patchBytes);
    for (const float value : prepared->input.patches) PAL_CHECK(value >= -1 && value <= 1);
    return 0;
}
