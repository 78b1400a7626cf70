// SPDX-License-Identifier: Apache-2.0
// Pictures from files: every kind equals Pillow's pixels, and bad files get one clear error within the limits.
#include "vision/image.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstdio>
#include <memory>
#include <set>

#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/vision/k3_media_config.h"
#include "tests/unit/vision/pam.h"
#include "tests/unit/vision/peak_memory.h"

namespace pal {
namespace {

const std::filesystem::path kFolder = "tests/data/media/images";

std::vector<std::filesystem::path> imageFiles() {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        if (entry.path().extension() != ".pam") out.push_back(entry.path());
    }
    std::sort(out.begin(), out.end());
    return out;
}

MediaSource memory(const std::string& bytes) {
    return MediaSource::bytes("picture", std::as_bytes(std::span(bytes)));
}

// Two readers of a GIF may give an invisible pixel different colours.
void hideInvisible(Raster& a, Raster& b) {
    for (size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); i += 4) {
        if (a.pixels[i + 3] != 0 || b.pixels[i + 3] != 0) continue;
        for (size_t c = i; c < i + 3; ++c) a.pixels[c] = b.pixels[c] = 0;
    }
}

TEST(DecodeImage, EveryKindEqualsPillow) {
    std::set<ImageFormat> formats;
    for (const auto& path : imageFiles()) {
        Raster wanted = test::readPam(path.string() + ".pam");
        const auto info = probeImage(MediaSource::file(path));
        ASSERT_TRUE(info.has_value()) << info.error().message;
        const auto got = decodeImage(MediaSource::file(path));
        ASSERT_TRUE(got.has_value()) << got.error().message;
        Raster seen = *got;
        if (info->format == ImageFormat::kGif) hideInvisible(seen, wanted);
        EXPECT_EQ(test::difference(seen, wanted), "") << path;
        EXPECT_EQ(info->width, wanted.width) << path;
        EXPECT_EQ(info->height, wanted.height) << path;
        bool opaque = true;
        for (size_t i = 3; i < wanted.pixels.size(); i += 4) opaque = opaque && wanted.pixels[i] == 255;
        if (!opaque) {
            EXPECT_EQ(info->alpha, Raster::Alpha::kStraight) << path;
        }
        formats.insert(info->format);
    }
    EXPECT_EQ(formats.size(), 6U);
}

TEST(DecodeImage, OrientationsAreTurnedUpright) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const auto path = kFolder / ("exif" + std::to_string(orientation) + ".jpg");
        const auto info = probeImage(MediaSource::file(path)).value();
        EXPECT_EQ(info.orientation, orientation);
        EXPECT_EQ(info.storedWidth, 24);
        EXPECT_EQ(info.width, orientation >= 5 ? 16 : 24);
        // The prompt says the size as seen.
        const auto prepared = prepareImage(MediaSource::file(path), test::k3Media()).value();
        EXPECT_EQ(prepared.width, info.width);
        EXPECT_EQ(prepared.height, info.height);
    }
}

TEST(DecodeImage, ContentCountsNotTheName) {
    const test::TempFolder folder;
    const auto path = folder / "山 é\n.jpg";
    std::filesystem::copy_file(kFolder / "rgb.png", path);
    EXPECT_EQ(probeImage(MediaSource::file(path)).value().format, ImageFormat::kPng);
}

TEST(DecodeImage, WhatIsNoImageIsRefused) {
    for (const std::string bytes :
         {"", "B", "hello, this is text", "%PDF-1.7", "RIFF\4\0\0\0WAVE", "GIF90a..........."}) {
        const auto result = decodeImage(memory(bytes));
        ASSERT_FALSE(result.has_value());
        EXPECT_EQ(result.error().code, ErrorCode::kUnsupported) << bytes;
    }
    EXPECT_EQ(decodeImage(MediaSource::file("no/such.png")).error().code, ErrorCode::kNotFound);
}

// Cut files: never a picture with pixels made up.
TEST(DecodeImage, CutFilesAreErrors) {
    for (const auto& path : imageFiles()) {
        const std::string whole = test::readBytes(path);
        const Raster wanted = test::readPam(path.string() + ".pam");
        for (size_t tenths = 0; tenths < 10; ++tenths) {
            const std::string cut = whole.substr(0, whole.size() * tenths / 10);
            const auto result = decodeImage(memory(cut));
            // What is behind the pixels may be missing.
            if (result.has_value()) {
                EXPECT_EQ(test::difference(*result, wanted), "") << path << " cut to " << cut.size() << " bytes";
                EXPECT_GE(tenths, 3U) << path;
            } else {
                const ErrorCode code = result.error().code;
                EXPECT_TRUE(code == ErrorCode::kFormat || code == ErrorCode::kUnsupported) << result.error().message;
                EXPECT_PRED2(test::contains, result.error().message, "picture");
            }
        }
    }
}

struct Lie {
    const char* file;
    size_t at;
    std::string bytes;
    ErrorCode code;
};

// Headers that promise more than there is, or more than anyone should allocate.
TEST(DecodeImage, LyingHeadersAreErrors) {
    using namespace std::string_literals;
    const Lie lies[] = {
        {"rgb.bmp", 18, "\xff\x7f\0\0\xff\x7f\0\0"s, ErrorCode::kFormat},         // 32767 x 32767
        {"rgb.bmp", 10, "\xff\xff\xff\x7f"s, ErrorCode::kFormat},                 // pixels beyond the end
        {"runs8.bmp", 18, "\xff\xff\0\0\xff\xff\0\0"s, ErrorCode::kOutOfMemory},  // 65535 x 65535
        {"palette.bmp", 46, "\0\x01\0\0"s, ErrorCode::kFormat},                   // overwritten below: palette
        {"first.gif", 6, "\xff\xff\xff\xff"s, ErrorCode::kOutOfMemory},           // 65535 x 65535
    };
    for (const Lie& lie : lies) {
        std::string bytes = test::readBytes(kFolder / lie.file);
        if (std::string(lie.file) == "palette.bmp") bytes.resize(400);
        bytes.replace(lie.at, lie.bytes.size(), lie.bytes);
        const auto result = decodeImage(memory(bytes));
        ASSERT_FALSE(result.has_value()) << lie.file;
        EXPECT_EQ(result.error().code, lie.code) << result.error().message;
    }
    // JPEG: the frame header says 65500 x 65500.
    std::string jpeg = test::readBytes(kFolder / "colour.jpg");
    const size_t frame = jpeg.find("\xff\xc0");
    ASSERT_NE(frame, std::string::npos);
    jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
    const auto huge = decodeImage(memory(jpeg));
    ASSERT_FALSE(huge.has_value());
    EXPECT_EQ(huge.error().code, ErrorCode::kOutOfMemory);
    EXPECT_PRED2(test::contains, huge.error().message, "65500x65500");
    EXPECT_PRED2(test::contains, huge.error().message, "600000000");
    // 9000 x 9000: allowed, but the data end early.
    jpeg.replace(frame + 5, 4, "\x23\x28\x23\x28");
    EXPECT_EQ(decodeImage(memory(jpeg)).error().code, ErrorCode::kFormat);
}

TEST(DecodeImage, LimitsNameBothNumbers) {
    ImageLimits limits;
    limits.maxPixels = 1000;
    const auto pixels = probeImage(MediaSource::file(kFolder / "rgb.png"), limits);
    EXPECT_PRED2(test::contains, pixels.error().message, "37x29");
    EXPECT_PRED2(test::contains, pixels.error().message, "1000");
    limits = {};
    limits.maxMemoryBytes = 4000;  // rows fit, a whole picture does not
    EXPECT_FALSE(decodeImage(MediaSource::file(kFolder / "interlaced.png"), limits).has_value());
    EXPECT_FALSE(decodeImage(MediaSource::file(kFolder / "lossy.webp"), limits).has_value());
    EXPECT_TRUE(prepareImage(MediaSource::file(kFolder / "rgb.bmp"), test::k3Media(), {limits, {}, 0}).has_value());
}

TEST(DecodeImage, AStopEndsIt) {
    std::stop_source stop;
    stop.request_stop();
    for (const char* name : {"rgb.png", "interlaced.png", "progressive.jpg", "exif6.jpg"}) {
        const auto result = prepareImage(MediaSource::file(kFolder / name), test::k3Media(), {}, stop.get_token());
        ASSERT_FALSE(result.has_value()) << name;
        EXPECT_EQ(result.error().code, ErrorCode::kCancelled) << result.error().message;
    }
}

// A black 1-bit picture with one white row, or with data that are none: the file is small, the picture is not.
enum class Rows { kAll, kBroken };
void writeBilevel(const std::filesystem::path& path, png_uint_32 width, png_uint_32 height, Rows rows) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file.get());
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_compression_level(png, 1);
    png_set_IHDR(png, info, width, height, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    const std::vector<uint8_t> black((width + 7) / 8), white((width + 7) / 8, 0xff);
    if (rows == Rows::kAll) {
        for (png_uint_32 y = 0; y < height; ++y) png_write_row(png, (y == height / 2 ? white : black).data());
        png_write_end(png, nullptr);
    } else {
        png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"), black.data(), 8);
    }
    png_destroy_write_struct(&png, &info);
}

TEST(PrepareImage, ThirtyThousandByTwentyThousandInAFewRows) {
    const test::TempFolder folder;
    writeBilevel(folder / "huge.png", 30000, 20000, Rows::kAll);
    // 155 MB of patches and 51 MB of resized pixels; the picture itself would be 2.4 GB.
    const long growth = test::peakGrowthKilobytes([&] {
        const auto result = prepareImage(MediaSource::file(folder / "huge.png"), test::k3Media());
        return result.has_value() && result->resize == ResizePlan{4391, 2927, 210, 314, 16485};
    });
    EXPECT_GT(growth, 150'000);
    EXPECT_LT(growth, 260'000);
    writeBilevel(folder / "bomb.png", 100000, 100000, Rows::kBroken);
    EXPECT_EQ(prepareImage(MediaSource::file(folder / "bomb.png"), test::k3Media()).error().code,
              ErrorCode::kOutOfMemory);
}

// Texts of a PNG are not unpacked: here 192 MB.
TEST(PrepareImage, ATextBombInsideAPngIsNotUnpacked) {
    const test::TempFolder folder;
    const auto path = folder / "texts.png";
    {
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
        png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
        png_infop info = png_create_info_struct(png);
        png_init_io(png, file.get());
        png_set_IHDR(png, info, 1, 1, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        png_set_text_compression_level(png, 1);
        std::string filler(32 << 20, 'a'), key = "Comment";
        std::vector<png_text> texts(6);
        for (png_text& text : texts) {
            text.compression = PNG_TEXT_COMPRESSION_zTXt;
            text.key = key.data();
            text.text = filler.data();
            text.text_length = filler.size();
        }
        for (png_text& text : texts) png_set_text(png, info, &text, 1);
        png_write_info(png, info);
        const uint8_t pixel = 7;
        png_write_row(png, &pixel);
        png_write_end(png, nullptr);
        png_destroy_write_struct(&png, &info);
    }
    EXPECT_EQ(decodeImage(MediaSource::file(path)).value().pixels, (std::vector<uint8_t>{7, 7, 7, 255}));
    const long growth = test::peakGrowthKilobytes([&] { return probeImage(MediaSource::file(path)).has_value(); });
    EXPECT_GE(growth, 0);
    EXPECT_LT(growth, 30'000);
}

Raster flat(int64_t width, int64_t height, std::array<uint8_t, 4> colour) {
    Raster out{width, height, Raster::Alpha::kStraight, {}};
    for (int64_t i = 0; i < width * height; ++i) out.pixels.insert(out.pixels.end(), colour.begin(), colour.end());
    return out;
}

// Channel c of pixel (x, y), as cut into patches.
float at(const MediaInput& input, int64_t x, int64_t y, int64_t c) {
    const int64_t patch = y / 14 * input.columns + x / 14;
    return input.patches[static_cast<size_t>(((patch * 3 + c) * 14 + y % 14) * 14 + x % 14)];
}
float level(int value) {
    return (static_cast<float>(value / 255.0) - 0.5F) * 2.0F;
}

TEST(PrepareImage, PatchesLieAsTheReferenceCutsThem) {
    Raster picture{30, 16, Raster::Alpha::kOpaque, {}};
    for (int64_t i = 0; i < 30 * 16; ++i) {
        const bool red = i % 30 < 15;
        picture.pixels.insert(picture.pixels.end(), {uint8_t(red ? 255 : 0), 0, uint8_t(red ? 0 : 255), 255});
    }
    const auto result = prepareRaster(picture, test::k3Media()).value();
    const MediaInput& input = result.input;
    EXPECT_EQ(input.rows, 2);
    EXPECT_EQ(input.columns, 4);
    EXPECT_EQ(result.resize.tokens, 2);
    ASSERT_EQ(input.patches.size(), 8U * 588);
    const auto pixel = [&](int64_t x, int64_t y) {
        return std::vector{at(input, x, y, 0), at(input, x, y, 1), at(input, x, y, 2)};
    };
    EXPECT_EQ(pixel(0, 0), (std::vector{1.F, -1.F, -1.F}));
    EXPECT_EQ(pixel(14, 3), (std::vector{1.F, -1.F, -1.F}));
    EXPECT_EQ(pixel(15, 3), (std::vector{-1.F, -1.F, 1.F}));
    EXPECT_EQ(pixel(29, 15), (std::vector{-1.F, -1.F, 1.F}));
    for (const auto& [x, y] : {std::pair{30, 0}, {41, 15}, {55, 27}, {0, 16}, {13, 27}}) {
        EXPECT_EQ(pixel(x, y), (std::vector{-1.F, -1.F, -1.F})) << x << "," << y;
    }
}

// The reference divides in double precision and rounds to float32.
TEST(PrepareImage, EveryByteHasTheReferencesValue) {
    Raster picture{256, 3, Raster::Alpha::kOpaque, {}};
    for (int i = 0; i < 256 * 3; ++i) {
        const auto value = static_cast<uint8_t>(i);
        picture.pixels.insert(picture.pixels.end(), {value, static_cast<uint8_t>(255 - value), value, 255});
    }
    MediaConfig config = test::k3Media();
    config.mean = {0.5F, 0.48145466F, 0.4F};
    config.std = {0.5F, 0.26862954F, 0.7F};
    const auto input = prepareRaster(picture, config).value().input;
    for (int64_t x = 0; x < 256; ++x) {
        for (int64_t c = 0; c < 3; ++c) {
            const double value = c == 1 ? 255 - static_cast<double>(x) : static_cast<double>(x);
            const auto channel = static_cast<size_t>(c);
            const float centred = static_cast<float>(value / 255.0) - config.mean[channel];
            ASSERT_EQ(at(input, x, 1, c), centred * (1.0F / config.std[channel])) << x << ", " << c;
        }
    }
}

TEST(PrepareImage, TransparencyShowsTheChessboard) {
    const auto input = prepareRaster(flat(28, 28, {40, 40, 40, 128}), test::k3Media()).value().input;
    EXPECT_EQ(at(input, 0, 0, 0), level(147));
    EXPECT_EQ(at(input, 7, 7, 1), level(147));
    EXPECT_EQ(at(input, 8, 0, 2), level(109));
    EXPECT_EQ(at(input, 0, 8, 0), level(109));
    EXPECT_EQ(at(input, 8, 8, 0), level(147));
    const auto hidden = prepareRaster(flat(28, 28, {200, 10, 10, 0}), test::k3Media()).value().input;
    EXPECT_EQ(at(hidden, 0, 0, 0), level(255));
    EXPECT_EQ(at(hidden, 8, 0, 1), level(180));

    nlohmann::json other = test::k3Preprocessor();
    auto& board = other["media_proc_cfg"]["transparent_bg_config"];
    const auto first = [&](int64_t x) {
        const auto config = parseMediaConfig(other.dump(), test::k3Config().dump(), "other").value();
        return at(prepareRaster(flat(28, 28, {40, 40, 40, 0}), config).value().input, x, 0, 0);
    };
    board["chessboard_square_on_top_left"] = false;
    EXPECT_EQ(first(0), level(180));
    board["pattern"] = "gray";
    EXPECT_EQ(first(0), level(128));
    board["pattern"] = "black";
    EXPECT_EQ(first(0), level(0));
    board["pattern"] = "white";
    EXPECT_EQ(first(8), level(255));
    other["media_proc_cfg"]["transparent_bg_config"] = nullptr;
    EXPECT_EQ(first(0), level(40));  // alpha is dropped
}

// The squares belong to the resized picture, unless the model asks for them before.
TEST(PrepareImage, TheStageOfTheChessboardCounts) {
    nlohmann::json small = test::k3Preprocessor();
    small["media_proc_cfg"]["in_patch_limit"] = 16;  // 224 x 224 becomes 56 x 56
    const auto input = [&] {
        const auto config = parseMediaConfig(small.dump(), test::k3Config().dump(), "small").value();
        return prepareRaster(flat(224, 224, {0, 0, 0, 0}), config).value().input;
    };
    EXPECT_EQ(at(input(), 7, 0, 0), level(255));
    EXPECT_EQ(at(input(), 8, 0, 0), level(180));
    small["media_proc_cfg"]["transparent_bg_fill_stage"] = "before_resize";
    EXPECT_EQ(at(input(), 4, 12, 0), at(input(), 8, 12, 0));  // squares of 2 pixels
    EXPECT_NE(at(input(), 4, 12, 0), at(input(), 6, 12, 0));
}

TEST(PrepareImage, AThumbnailAndFewerTokensOnRequest) {
    ImageRequest request;
    request.thumbnailSide = 16;
    request.maxTokens = 1;
    const auto source = MediaSource::file(kFolder / "colour.jpg");
    const auto result = prepareImage(source, test::k3Media(), request).value();
    EXPECT_EQ(result.resize.tokens, 1);
    EXPECT_EQ(result.width, 61);  // the original stays in the prompt
    EXPECT_EQ(result.thumbnail->width, 16);
    EXPECT_EQ(planImageFile(source, test::k3Media(), request)->resize, result.resize);
    request.maxTokens = 0;
    EXPECT_EQ(prepareImage(source, test::k3Media(), request).error().code, ErrorCode::kInvalidArgument);
}

// The embedded model's own limits, and the values its trainer computes: (float32(v / 255) - 0.5) * 2.
TEST(PrepareImage, TheEmbeddedModelsNumbers) {
    const auto config = readMediaConfig("resources/nano");
    ASSERT_TRUE(config.has_value()) << config.error().message;
    EXPECT_EQ(config->patchLimit, 256);
    EXPECT_EQ(config->video->framesPerChunk, 4);
    EXPECT_EQ(config->video->sampleFps, 8.0);
    EXPECT_EQ(planImage(*config, 224, 224).tokens, 64);
    EXPECT_EQ(planFrame(*config, 4, 112, 112), (ResizePlan{112, 112, 8, 8, 16}));
    // 1000 div 14 = 71 patches a side: 1000 * sqrt(256 / 71^2) = 225.35; padded to 252.
    EXPECT_EQ(planImage(*config, 1000, 1000), (ResizePlan{225, 225, 18, 18, 81}));
    const Raster picture = test::readPam(kFolder / "rgb.png.pam");
    const auto input = prepareImage(MediaSource::file(kFolder / "rgb.png"), *config).value().input;
    for (int64_t y = 0; y < 56; ++y) {
        for (int64_t x = 0; x < 56; ++x) {
            for (int64_t c = 0; c < 3; ++c) {
                const bool inside = x < picture.width && y < picture.height;
                const int value = inside ? picture.row(y)[4 * x + c] : 0;
                ASSERT_EQ(at(input, x, y, c), level(value));
            }
        }
    }
}

}  // namespace
}  // namespace pal
