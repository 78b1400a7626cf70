// SPDX-License-Identifier: Apache-2.0
// Why pictures are not decoded by OpenCV's imgcodecs (vision/image_decoder.h): each test is a reason, and fails when it is gone.
#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "tests/support/temp_folder.h"
#include "tests/unit/vision/pam.h"
#include "tests/unit/vision/peak_memory.h"

namespace pal {
namespace {

const std::filesystem::path kFolder = "tests/data/media/images";

// As imgcodecs decodes it, with alpha where it finds some; no pixels when it cannot.
Raster byOpenCv(const std::string& bytes) {
    const std::vector<uint8_t> file(bytes.begin(), bytes.end());
    cv::Mat pixels = cv::imdecode(file, cv::IMREAD_UNCHANGED);
    if (pixels.empty() || pixels.depth() != CV_8U) pixels = cv::imdecode(file, cv::IMREAD_COLOR);
    if (pixels.empty()) return {};
    constexpr int kToRgba[] = {0, cv::COLOR_GRAY2RGBA, 0, cv::COLOR_BGR2RGBA, cv::COLOR_BGRA2RGBA};
    cv::Mat rgba;
    cv::cvtColor(pixels, rgba, kToRgba[pixels.channels()]);
    return {rgba.cols, rgba.rows, Raster::Alpha::kStraight, std::vector<uint8_t>(rgba.datastart, rgba.dataend)};
}

std::string differenceFromPillow(const char* name) {
    return test::difference(byOpenCv(test::readBytes(kFolder / name)),
                            test::readPam(kFolder / (std::string(name) + ".pam")));
}

TEST(OpenCvDecoders, ThePlainOnesEqualPillow) {
    for (const char* name : {"colour.jpg", "rgba.png", "grey16.png", "rgb.tif", "lossy.webp", "rgb.bmp"}) {
        EXPECT_EQ(differenceFromPillow(name), "") << name;
    }
}

TEST(OpenCvDecoders, SomeOfEveryFormatButPngDiffer) {
    for (const char* name : {"cmyk.jpg", "deflate_alpha.tif", "bits16.bmp"}) {
        EXPECT_PRED1([](const std::string& text) { return text.find("pixels differ") != text.npos; },
                     differenceFromPillow(name))
            << name;
    }
    for (const char* name : {"tiled.tif", "animated.webp", "first.gif"}) {
        EXPECT_EQ(byOpenCv(test::readBytes(kFolder / name)).width, 0) << name;
    }
}

TEST(OpenCvDecoders, ACutJpegIsAPictureOfOtherPixels) {
    const std::string whole = test::readBytes(kFolder / "full_chroma.jpg");
    const Raster cut = byOpenCv(whole.substr(0, whole.size() / 2));
    const Raster wanted = test::readPam(kFolder / "full_chroma.jpg.pam");
    EXPECT_EQ(cut.width, wanted.width);
    EXPECT_NE(test::difference(cut, wanted), "");
}

TEST(OpenCvDecoders, APngIsHeldWhole) {
    const test::TempFolder folder;
    const std::string file = folder / "grey.png";
    ASSERT_TRUE(cv::imwrite(file, cv::Mat(8000, 8000, CV_8U, cv::Scalar(0))));
    const long growth = test::peakGrowthKilobytes([&] { return !cv::imread(file, cv::IMREAD_UNCHANGED).empty(); });
    EXPECT_GT(growth, 60'000);
}

}  // namespace
}  // namespace pal
