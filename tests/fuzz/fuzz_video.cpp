// SPDX-License-Identifier: Apache-2.0
// Any bytes as a clip: an error, or a plan whose chunks are decoded as promised or end in an error.
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/check.h"
#include "vision/video.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    pal::MediaConfig config;
    config.patchSize = 14;
    config.mergeSize = 2;
    config.patchLimit = config.sideLimit = 32;
    config.mean = config.std = {0.5F, 0.5F, 0.5F};
    config.video = pal::VideoConfig{8, 4, 16, std::nullopt, std::nullopt};
    pal::VideoRequest request;
    request.maxFrames = 8;
    request.limits = {1024, 1 << 18, 4096};
    const auto source = pal::MediaSource::bytes("fuzz", {reinterpret_cast<const std::byte*>(data), size});
    auto plan = pal::planVideo(source, config, request);
    if (!plan.has_value()) {
        PAL_CHECK(!plan.error().message.empty());
        return 0;
    }
    PAL_CHECK(plan->sampledFrames >= 1 && plan->sampledFrames <= 8);
    auto reader = pal::VideoReader::open(source, config, *plan, {8, 1});
    if (!reader.has_value()) return 0;
    for (const pal::VideoChunkPlan& wanted : plan->chunks) {
        const auto chunk = reader->next();
        if (!chunk.has_value()) {
            PAL_CHECK(!chunk.error().message.empty());
            return 0;
        }
        PAL_CHECK(chunk->has_value() && (*chunk)->frames == wanted.frames);
        PAL_CHECK((*chunk)->input.rows == wanted.resize.rows && (*chunk)->input.columns == wanted.resize.columns);
    }
    PAL_CHECK(!reader->next().value().has_value());
    return 0;
}
