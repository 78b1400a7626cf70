// SPDX-License-Identifier: Apache-2.0
// Patches made visible again: rows and columns of other lengths, each byte says where it belongs.
#include "app/composition/region_picture.h"

#include <gtest/gtest.h>

namespace pal {
namespace {

constexpr int64_t kSide = 2, kRows = 2, kColumns = 3, kFrames = 2;

uint8_t byteAt(int64_t frame, int64_t y, int64_t x, size_t channel) {
    return static_cast<uint8_t>(100 * frame + 20 * y + 3 * x + static_cast<int64_t>(channel));
}

MediaConfig config() {
    MediaConfig out;
    out.patchSize = kSide;
    out.mean = {0.5F, 0.4F, 0.3F};
    out.std = {0.5F, 0.25F, 0.2F};
    return out;
}

// [frames * rows * columns][3][side][side]
std::vector<float> patches() {
    std::vector<float> out;
    for (int64_t patch = 0; patch < kFrames * kRows * kColumns; ++patch) {
        const int64_t frame = patch / (kRows * kColumns), row = patch / kColumns % kRows, column = patch % kColumns;
        for (size_t c = 0; c < 3; ++c)
            for (int64_t at = 0; at < kSide * kSide; ++at) {
                const uint8_t byte = byteAt(frame, row * kSide + at / kSide, column * kSide + at % kSide, c);
                out.push_back((static_cast<float>(byte) / 255 - config().mean[c]) / config().std[c]);
            }
    }
    return out;
}

void expectFirstFrame(const inspect::Picture& picture) {
    ASSERT_EQ(picture.width, kColumns * kSide);
    ASSERT_EQ(picture.height, kRows * kSide);
    ASSERT_EQ(std::ssize(picture.rgb), picture.width * picture.height * 3);
    for (int64_t y = 0; y < picture.height; ++y)
        for (int64_t x = 0; x < picture.width; ++x)
            for (size_t c = 0; c < 3; ++c)
                EXPECT_EQ(picture.rgb[static_cast<size_t>((y * picture.width + x) * 3) + c], byteAt(0, y, x, c));
}

TEST(RegionPicture, IsWhatTheModelWasGiven) {
    ComposedMedium medium;
    medium.input = std::make_shared<const MediaInput>(MediaInput{kFrames, kRows, kColumns, patches(), nullptr});
    const auto picture = regionPicture(medium, config(), {});
    ASSERT_TRUE(picture.has_value());
    expectFirstFrame(**picture);
}

TEST(RegionPicture, IsDecodedWhenItIsWanted) {
    Result<std::vector<float>> made = patches();
    const auto later = std::make_shared<const LaterPatches>(LaterPatches{"", [&](const auto&) { return made; }});
    ComposedMedium medium;
    medium.input = std::make_shared<const MediaInput>(MediaInput{kFrames, kRows, kColumns, {}, later});
    const auto picture = regionPicture(medium, config(), {});
    ASSERT_TRUE(picture.has_value());
    expectFirstFrame(**picture);
    made = fail(ErrorCode::kIo, "the file is gone");
    const auto none = regionPicture(medium, config(), {});
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().message, "the file is gone");
}

}  // namespace
}  // namespace pal
