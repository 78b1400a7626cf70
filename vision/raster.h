// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pal {

// A decoded picture: rows from the top, 4 bytes a pixel (R, G, B, A; not premultiplied), no padding between rows. A is 255 everywhere when
// `alpha` is kOpaque.
struct Raster {
    enum class Alpha { kOpaque, kStraight };
    int64_t width = 0, height = 0;
    Alpha alpha = Alpha::kOpaque;
    std::vector<uint8_t> pixels;  // width * height * 4

    [[nodiscard]] uint8_t* row(int64_t y) { return pixels.data() + y * width * 4; }
    [[nodiscard]] const uint8_t* row(int64_t y) const { return pixels.data() + y * width * 4; }
};

// Rows of 4-byte pixels in memory of someone else, which is only read.
struct PixelRows {
    const uint8_t* pixels = nullptr;
    int64_t width = 0, height = 0;
    int64_t stride = 0;  // bytes from a row to the next

    [[nodiscard]] const uint8_t* row(int64_t y) const { return pixels + y * stride; }
};

inline PixelRows rowsOf(const Raster& picture) {
    return {picture.pixels.data(), picture.width, picture.height, picture.width * 4};
}

}  // namespace pal
