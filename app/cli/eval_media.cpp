// SPDX-License-Identifier: Apache-2.0
#include "app/cli/eval_media.h"

#include <algorithm>
#include <numeric>
#include <random>

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

// The pixels of the file, or as many grey ones.
Result<Raster> readPixels(const EvalMedia& media, Blinding blinding) {
    PAL_ASSIGN(Raster picture, decodeImage(MediaSource::file(media.file)));
    if (blinding != Blinding::kGrey) return picture;
    constexpr uint8_t kGrey = 128;
    std::fill(picture.pixels.begin(), picture.pixels.end(), kGrey);
    for (size_t i = 3; i < picture.pixels.size(); i += 4) picture.pixels[i] = 255;
    return picture;
}

// Which frame is shown in the place of each. The seed is the file's name, and the shuffle written out: std::shuffle may differ by library.
std::vector<int64_t> orderOf(const EvalMedia& media, Blinding blinding) {
    std::vector<int64_t> order(static_cast<size_t>(media.frames));
    std::iota(order.begin(), order.end(), 0);
    if (blinding != Blinding::kShuffled) return order;
    const std::string name = media.file.filename().string();
    std::seed_seq seed(name.begin(), name.end());
    std::mt19937 random(seed);
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    return order;
}

Result<std::vector<EvalMedium>> loadClip(const EvalMedia& media, const MediaConfig& config, Blinding blinding) {
    if (!config.video) return fail(ErrorCode::kUnsupported, "{}: this model knows no clips", media.file.string());
    PAL_ASSIGN(const Raster column, readPixels(media, blinding));
    if (media.frames < 1 || column.height % media.frames != 0 || !(media.rate > 0)) {
        return fail(ErrorCode::kFormat, "{}: {} rows of pixels are no {} frames", media.file.string(), column.height,
                    media.frames);
    }
    const int64_t height = column.height / media.frames;
    const std::vector<int64_t> order = orderOf(media, blinding);
    std::vector<EvalMedium> out;
    for (int64_t first = 0; first < media.frames; first += config.video->framesPerChunk) {
        const int64_t count = std::min(config.video->framesPerChunk, media.frames - first);
        const ResizePlan plan = planFrame(config, count, column.width, height);
        MediaInput input = makeMediaInput(config, plan, count);
        for (int64_t k = 0; k < count; ++k) {
            const Raster frame = frameOf(column, height, order[static_cast<size_t>(first + k)]);
            appendFrame(config, rowsOf(resize(frame, plan.width, plan.height)), input);
        }
        out.push_back({std::make_shared<const MediaInput>(std::move(input)),
                       videoChunkPrompt(videoTimestamp(static_cast<double>(first) / media.rate))});
    }
    return out;
}

}  // namespace

Result<std::vector<EvalMedium>> loadEvalMedia(const EvalMedia& media, const MediaConfig& config, Blinding blinding) {
    if (media.frames > 0) return loadClip(media, config, blinding);
    PAL_ASSIGN(const Raster picture, readPixels(media, blinding));
    PAL_ASSIGN(PreparedImage image, prepareRaster(picture, config));
    std::vector<EvalMedium> out;
    out.push_back({std::make_shared<const MediaInput>(std::move(image.input)),
                   imagePrompt(static_cast<uint32_t>(image.width), static_cast<uint32_t>(image.height))});
    return out;
}

}  // namespace pal::cli
