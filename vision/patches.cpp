// SPDX-License-Identifier: Apache-2.0
#include "vision/patches.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "vision/normalise.h"

namespace pal {
namespace {

// The background's grey at pixel (x, y).
uint8_t shade(const Background& background, int64_t x, int64_t y) {
    switch (background.pattern) {
        case Background::Pattern::kWhite:
            return 255;
        case Background::Pattern::kGray:
            return 128;
        case Background::Pattern::kBlack:
            return 0;
        case Background::Pattern::kChessboard:
            break;
    }
    const bool odd = ((y / background.square + x / background.square) & 1) != 0;
    return odd == (background.firstSquare == Background::FirstSquare::kWhite) ? background.gray : background.white;
}

// Fills one row of patches, from pixel row `top` of the picture on. `line` has the pixels of one row of patches; behind the picture's end
// they are black.
void fillPatchRow(const MediaConfig& config, const PixelRows& picture, int64_t top, std::vector<uint8_t>& line,
                  float* out) {
    std::array<ChannelScale, 3> scales;
    for (size_t c = 0; c < 3; ++c) scales[c] = {config.mean[c], 1.0F / config.std[c]};
    const int64_t patch = config.patchSize;
    const auto rowBytes = static_cast<std::ptrdiff_t>(picture.width * 4);
    for (int64_t y = 0; y < patch; ++y) {
        if (top + y < picture.height) {
            std::copy_n(picture.row(top + y), rowBytes, line.begin());
        } else {
            std::fill_n(line.begin(), rowBytes, uint8_t{0});
        }
        normaliseRow(line.data(), std::ssize(line) / (4 * patch), patch, scales, out + y * patch);
    }
}

// Asks for large pages where `bytes` cover some; a system without them says no, which changes nothing.
void useLargePages(void* memory, size_t bytes) {
    constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
    const auto begin = (reinterpret_cast<uintptr_t>(memory) + kLargePage - 1) / kLargePage * kLargePage;
    const auto end = (reinterpret_cast<uintptr_t>(memory) + bytes) / kLargePage * kLargePage;
    if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

void compositeRow(const std::optional<Background>& background, int64_t y, int64_t width, uint8_t* row) {
    for (int64_t x = 0; x < width; ++x, row += 4) {
        const uint8_t alpha = std::exchange(row[3], uint8_t{255});
        if (!background || alpha == 255) continue;
        const float a = static_cast<float>(alpha) / 255.0F;
        const float behind = (1.0F - a) * static_cast<float>(shade(*background, x, y));
        for (int c = 0; c < 3; ++c) row[c] = static_cast<uint8_t>(a * static_cast<float>(row[c]) + behind);
    }
}

void compositeOver(const std::optional<Background>& background, Raster& picture) {
    if (picture.alpha == Raster::Alpha::kOpaque) return;
    for (int64_t y = 0; y < picture.height; ++y) compositeRow(background, y, picture.width, picture.row(y));
    picture.alpha = Raster::Alpha::kOpaque;
}

MediaInput makeMediaInput(const MediaConfig& config, const ResizePlan& plan, int64_t frames) {
    MediaInput input;
    input.frames = 0;
    input.rows = plan.rows;
    input.columns = plan.columns;
    input.patches.reserve(
        static_cast<size_t>(frames * plan.rows * plan.columns * 3 * config.patchSize * config.patchSize));
    useLargePages(input.patches.data(), input.patches.capacity() * sizeof(float));
    return input;
}

void appendFrame(const MediaConfig& config, const PixelRows& picture, MediaInput& input) {
    const int64_t patch = config.patchSize;
    PAL_CHECK(picture.width <= input.columns * patch && picture.height <= input.rows * patch);
    std::vector<uint8_t> line(static_cast<size_t>(input.columns * patch * 4));
    // One row of patches stays in the cache; the input's memory is then written once, in order.
    std::vector<float> patches(static_cast<size_t>(input.columns * 3 * patch * patch));
    for (int64_t gy = 0; gy < input.rows; ++gy) {
        fillPatchRow(config, picture, gy * patch, line, patches.data());
        input.patches.insert(input.patches.end(), patches.begin(), patches.end());
    }
    ++input.frames;
}

}  // namespace pal
