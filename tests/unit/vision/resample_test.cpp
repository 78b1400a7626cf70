// SPDX-License-Identifier: Apache-2.0
// Bit for bit what Pillow's Image.resize(..., BICUBIC) gives, on files made with Pillow (tests/data/media/make_images.py).
#include "vision/resample.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/vision/pam.h"
#include "vision/thumbnail.h"

namespace pal {
namespace {

const std::filesystem::path kFolder = "tests/data/media/resized";

class ResampleTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ResampleTest, EqualsPillow) {
    const Raster source = test::readPam(kFolder / (GetParam() + ".pam"));
    int compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        if (entry.path().stem().string().rfind(GetParam() + "_", 0) != 0) continue;
        const Raster wanted = test::readPam(entry.path());
        EXPECT_EQ(test::difference(resize(source, wanted.width, wanted.height), wanted), "") << entry.path();
        ++compared;
    }
    EXPECT_EQ(compared, 9);
}
INSTANTIATE_TEST_SUITE_P(Kinds, ResampleTest, ::testing::Values("rgb", "rgba"));

TEST(Resample, RowsComeOutAsSoonAsTheyCan) {
    const Raster source = test::readPam(kFolder / "rgb.pam");
    Raster out{source.width, 9, source.alpha, std::vector<uint8_t>(static_cast<size_t>(source.width * 9 * 4))};
    Resampler resampler(source.width, source.height, source.alpha, out.width, out.height);
    // 45 rows to 9: row 0 is the sum of rows 0 .. 12 (centre 2.5, support 10).
    for (int64_t y = 0; y < 12; ++y) resampler.push(source.row(y), out);
    EXPECT_EQ(std::accumulate(out.pixels.begin(), out.pixels.end(), 0), 0);
    resampler.push(source.row(12), out);
    const Raster whole = resize(source, out.width, out.height);
    EXPECT_TRUE(std::equal(out.row(0), out.row(1), whole.row(0)));
    EXPECT_EQ(std::accumulate(out.pixels.begin() + out.width * 4, out.pixels.end(), 0), 0);
}

TEST(Resample, TheSameSizeIsACopy) {
    const Raster source = test::readPam(kFolder / "rgba.pam");
    EXPECT_EQ(test::difference(resize(source, source.width, source.height), source), "");
}

TEST(Resample, HiddenColourDoesNotBleed) {
    // Left half invisible red, right half visible blue: no red may come out anywhere.
    Raster source{64, 4, Raster::Alpha::kStraight, {}};
    for (int64_t i = 0; i < 64 * 4; ++i) {
        const bool left = i % 64 < 32;
        source.pixels.insert(source.pixels.end(),
                             {uint8_t(left ? 255 : 0), 0, uint8_t(left ? 0 : 255), uint8_t(left ? 0 : 255)});
    }
    const Raster small = resize(source, 9, 2);
    for (int64_t i = 0; i < 9 * 2; ++i) {
        const uint8_t* pixel = small.pixels.data() + 4 * i;
        if (pixel[3] > 0) {
            EXPECT_EQ(pixel[0], 0) << i;
        }
    }
}

TEST(Thumbnail, KeepsTheShape) {
    const Raster source = test::readPam(kFolder / "rgb.pam");
    const Raster small = thumbnailOf(rowsOf(source), 20);
    EXPECT_EQ(small.width, 20);
    EXPECT_EQ(small.height, 13);
    EXPECT_EQ(thumbnailOf(rowsOf(source), 100).width, source.width);
}

TEST(Thumbnail, APixelIsTheMeanOfItsArea) {
    Raster source{60, 40, Raster::Alpha::kOpaque, {}};
    for (int64_t i = 0; i < 60 * 40; ++i) {
        const bool light = (i % 60 + i / 60) % 2 == 0;
        source.pixels.insert(source.pixels.end(), {uint8_t(light ? 200 : 100), uint8_t(i % 60), 7, 255});
    }
    const Raster small = thumbnailOf(rowsOf(source), 6);  // areas of 10 x 10
    ASSERT_EQ(small.pixels.size(), 6U * 4 * 4);
    for (int64_t i = 0; i < 6 * 4; ++i) {
        const uint8_t* pixel = small.pixels.data() + 4 * i;
        EXPECT_EQ(pixel[0], 150) << i;
        EXPECT_NEAR(pixel[1], static_cast<double>(i % 6) * 10 + 4.5, 0.5) << i;
        EXPECT_EQ(pixel[2], 7) << i;
        EXPECT_EQ(pixel[3], 255) << i;
    }
}

}  // namespace
}  // namespace pal
