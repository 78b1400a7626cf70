// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "vision/raster.h"

namespace pal::test {

inline std::string readBytes(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in.good()) << path;
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The uncompressed pictures that tests/data/media/make_images.py writes: RGB or RGBA.
inline Raster readPam(const std::filesystem::path& path) {
    const std::string bytes = readBytes(path);
    const size_t end = bytes.find("ENDHDR\n");
    Raster out;
    int64_t depth = 0;
    std::istringstream header(bytes.substr(0, end));
    for (std::string word; header >> word;) {
        if (word == "WIDTH") header >> out.width;
        if (word == "HEIGHT") header >> out.height;
        if (word == "DEPTH") header >> depth;
    }
    EXPECT_TRUE(depth == 3 || depth == 4) << path;
    out.alpha = depth == 4 ? Raster::Alpha::kStraight : Raster::Alpha::kOpaque;
    const auto* in = reinterpret_cast<const uint8_t*>(bytes.data()) + end + 7;
    for (int64_t i = 0; i < out.width * out.height; ++i, in += depth) {
        out.pixels.insert(out.pixels.end(), {in[0], in[1], in[2], depth == 4 ? in[3] : uint8_t{255}});
    }
    return out;
}

// "3 of 900 pixels differ, the first at (4, 5): 1 2 3 255 for 1 2 4 255"; empty when equal.
inline std::string difference(const Raster& got, const Raster& wanted) {
    std::ostringstream out;
    if (got.width != wanted.width || got.height != wanted.height || got.pixels.size() != wanted.pixels.size()) {
        out << got.width << "x" << got.height << " for " << wanted.width << "x" << wanted.height;
        return out.str();
    }
    int64_t count = 0, first = 0;
    for (int64_t i = 0; i < got.width * got.height; ++i) {
        if (std::equal(&got.pixels[static_cast<size_t>(4 * i)], &got.pixels[static_cast<size_t>(4 * i)] + 4,
                       &wanted.pixels[static_cast<size_t>(4 * i)])) {
            continue;
        }
        if (count++ == 0) first = i;
    }
    if (count == 0) return {};
    out << count << " of " << got.width * got.height << " pixels differ, the first at (" << first % got.width << ", "
        << first / got.width << "):";
    for (int64_t c = 0; c < 4; ++c) out << " " << int{got.pixels[static_cast<size_t>(4 * first + c)]};
    out << " for";
    for (int64_t c = 0; c < 4; ++c) out << " " << int{wanted.pixels[static_cast<size_t>(4 * first + c)]};
    return out.str();
}

}  // namespace pal::test
