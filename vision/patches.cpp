// SPDX-License-Identifier: Apache-2.0
#include "vision/patches.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/base/check.h"

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

// Every byte's value as a float, per channel.
using ByteTable = std::array<std::array<float, 256>, 3>;

ByteTable normalised(const MediaConfig& config) {
    ByteTable table;
    for (size_t c = 0; c < 3; ++c) {
        const float inverse = 1.0F / config.std[c];
        for (size_t v = 0; v < 256; ++v) {
            table[c][v] = (static_cast<float>(static_cast<double>(v) / 255.0) - config.mean[c]) * inverse;
        }
    }
    return table;
}

// Fills one row of patches, `rows` pixel rows of which have a picture.
void fillPatchRow(const ByteTable& table, const Raster& picture, int64_t top, int64_t patch, int64_t columns,
                  float* out) {
    const int64_t area = patch * patch;
    const int64_t rows = std::clamp<int64_t>(picture.height - top, 0, patch);
    for (int64_t gx = 0; gx < columns; ++gx) {
        float* cell = out + gx * 3 * area;
        const int64_t left = gx * patch;
        const int64_t width = std::clamp<int64_t>(picture.width - left, 0, patch);
        if (rows < patch || width < patch) {
            for (size_t c = 0; c < 3; ++c) std::fill_n(cell + static_cast<int64_t>(c) * area, area, table[c][0]);
        }
        for (int64_t y = 0; y < rows; ++y) {
            const uint8_t* pixel = picture.row(top + y) + left * 4;
            float* line = cell + y * patch;
            for (int64_t x = 0; x < width; ++x, pixel += 4) {
                line[x] = table[0][pixel[0]];
                line[area + x] = table[1][pixel[1]];
                line[2 * area + x] = table[2][pixel[2]];
            }
        }
    }
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
    return input;
}

void appendFrame(const MediaConfig& config, const Raster& picture, MediaInput& input) {
    const int64_t patch = config.patchSize;
    PAL_CHECK(picture.width <= input.columns * patch && picture.height <= input.rows * patch);
    PAL_CHECK(picture.alpha == Raster::Alpha::kOpaque);
    const ByteTable table = normalised(config);
    // One row of patches stays in the cache; the input's memory is then written once, in order.
    std::vector<float> line(static_cast<size_t>(input.columns * 3 * patch * patch));
    for (int64_t gy = 0; gy < input.rows; ++gy) {
        fillPatchRow(table, picture, gy * patch, patch, input.columns, line.data());
        input.patches.insert(input.patches.end(), line.begin(), line.end());
    }
    ++input.frames;
}

}  // namespace pal
