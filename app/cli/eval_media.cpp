// SPDX-License-Identifier: Apache-2.0
#include "app/cli/eval_media.h"

#include <algorithm>

#include "engine/api/chat.h"
#include "vision/image.h"
#include "vision/patches.h"
#include "vision/resample.h"
#include "vision/video.h"

namespace pal::cli {
namespace {

Raster frameOf(const Raster& column, int64_t height, int64_t frame) {
    Raster out{column.width, height, column.alpha, {}};
    out.pixels.assign(column.row(frame * height), column.row(frame * height) + height * column.width * 4);
    return out;
}

Result<std::vector<EvalMedium>> loadClip(const EvalMedia& media, const MediaConfig& config) {
    if (!config.video) return fail(ErrorCode::kUnsupported, "{}: this model knows no clips", media.file.string());
    PAL_ASSIGN(const Raster column, decodeImage(MediaSource::file(media.file)));
    if (media.frames < 1 || column.height % media.frames != 0 || !(media.rate > 0)) {
        return fail(ErrorCode::kFormat, "{}: {} rows of pixels are no {} frames", media.file.string(), column.height,
                    media.frames);
    }
    const int64_t height = column.height / media.frames;
    std::vector<EvalMedium> out;
    for (int64_t first = 0; first < media.frames; first += config.video->framesPerChunk) {
        const int64_t count = std::min(config.video->framesPerChunk, media.frames - first);
        const ResizePlan plan = planFrame(config, count, column.width, height);
        MediaInput input = makeMediaInput(config, plan, count);
        for (int64_t k = 0; k < count; ++k) {
            const Raster frame = frameOf(column, height, first + k);
            appendFrame(config, rowsOf(resize(frame, plan.width, plan.height)), input);
        }
        out.push_back({std::make_shared<const MediaInput>(std::move(input)),
                       videoChunkPrompt(videoTimestamp(static_cast<double>(first) / media.rate))});
    }
    return out;
}

}  // namespace

Result<std::vector<EvalMedium>> loadEvalMedia(const EvalMedia& media, const MediaConfig& config) {
    if (media.frames > 0) return loadClip(media, config);
    PAL_ASSIGN(PreparedImage image, prepareImage(MediaSource::file(media.file), config));
    std::vector<EvalMedium> out;
    out.push_back({std::make_shared<const MediaInput>(std::move(image.input)),
                   imagePrompt(static_cast<uint32_t>(image.width), static_cast<uint32_t>(image.height))});
    return out;
}

}  // namespace pal::cli
