// SPDX-License-Identifier: Apache-2.0
// The model's own numbers for pictures and clips: read, checked, and compared with its config.
#include "vision/media_config.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/vision/k3_media_config.h"

namespace pal {
namespace {

using Json = nlohmann::json;

TEST(MediaConfig, ReadsThePublishedNumbers) {
    const MediaConfig config = test::k3Media();
    EXPECT_EQ(config.patchSize, 14);
    EXPECT_EQ(config.mergeSize, 2);
    EXPECT_EQ(config.patchLimit, 65536);
    EXPECT_EQ(config.sideLimit, 512);
    EXPECT_EQ(config.mean, (std::array{0.5F, 0.5F, 0.5F}));
    ASSERT_TRUE(config.background);
    EXPECT_EQ(config.background->pattern, Background::Pattern::kChessboard);
    EXPECT_EQ(config.background->stage, Background::Stage::kAfterResize);
    EXPECT_EQ(config.background->square, 8);
    EXPECT_EQ(config.background->gray, 180);
    ASSERT_TRUE(config.video);
    EXPECT_EQ(config.video->sampleFps, 8);
    EXPECT_EQ(config.video->patchLimitPerFrame, 16384);
    EXPECT_EQ(config.video->patchLimitPerVideo, 655360);
    EXPECT_FALSE(config.video->frameLimit);
}

// Where a key is missing the reference's class has values of its own.
TEST(MediaConfig, MissingKeysAreTheReferencesDefaults) {
    Json preprocessor = test::k3Preprocessor();
    Json& media = preprocessor["media_proc_cfg"];
    media["transparent_bg_config"] = Json::object();
    media.erase("transparent_bg_fill_stage");
    media.erase("sample_fps");
    media.erase("in_patch_limit_each_frame");
    const auto config = parseMediaConfig(preprocessor.dump(), test::k3Config().dump(), "k3").value();
    EXPECT_EQ(config.background->pattern, Background::Pattern::kBlack);
    EXPECT_EQ(config.background->stage, Background::Stage::kBeforeResize);
    EXPECT_EQ(config.background->square, 16);
    EXPECT_EQ(config.background->gray, 200);
    EXPECT_FALSE(config.video);
    media["transparent_bg_config"] = nullptr;
    EXPECT_FALSE(parseMediaConfig(preprocessor.dump(), test::k3Config().dump(), "k3")->background);
}

TEST(MediaConfig, WhatIsWrongIsNamed) {
    const struct {
        std::function<void(Json& media, Json& config)> change;
        const char* says;
        ErrorCode code = ErrorCode::kFormat;
    } cases[] = {
        {[](Json& m, Json&) { m.erase("patch_size"); }, "media_proc_cfg.patch_size is missing"},
        {[](Json& m, Json&) { m["patch_size"] = "14"; }, "patch_size is not an integer"},
        {[](Json& m, Json&) { m["patch_size"] = 0; }, "patch_size is 0, outside 1 to 1024"},
        {[](Json& m, Json&) { m["in_patch_limit"] = 18446744073709551615ULL; },
         "in_patch_limit is 18446744073709551615"},
        {[](Json& m, Json&) { m["patch_size"] = 16; }, "patch_size is 16 in preprocessor_config.json and 14"},
        {[](Json& m, Json&) {
             m["merge_kernel_size"] = {2, 3};
         },
         "only equal sizes"},
        {[](Json& m, Json&) {
             m["image_std"] = {0.5, 0, 0.5};
         },
         "image_std holds 0"},
        {[](Json& m, Json&) { m["image_mean"] = 0.5; }, "image_mean is not a list of 3 numbers"},
        {[](Json& m, Json&) { m["sample_fps"] = -1; }, "sample_fps is -1"},
        {[](Json& m, Json&) { m["temporal_merge_kernel_size"] = 8; }, "is 8 in preprocessor_config.json and 4"},
        {[](Json& m, Json&) { m["timestamp_mode"] = "mm:ss"; }, "timestamp_mode is \"mm:ss\", which is not known"},
        {[](Json& m, Json&) { m["transparent_bg_config"]["pattern"] = "stripes"; }, "pattern is \"stripes\""},
        {[](Json& m, Json&) { m["transparent_bg_config"]["chessboard_square_size"] = 0; },
         "chessboard_square_size is 0"},
        {[](Json& m, Json&) { m["fixed_output_tokens"] = 64; }, "fixed_output_tokens is set", ErrorCode::kUnsupported},
        {[](Json&, Json& c) { c.erase("vision_config"); }, "reads text only", ErrorCode::kUnsupported},
    };
    for (const auto& bad : cases) {
        Json preprocessor = test::k3Preprocessor(), config = test::k3Config();
        bad.change(preprocessor["media_proc_cfg"], config);
        const auto result = parseMediaConfig(preprocessor.dump(), config.dump(), "model");
        ASSERT_FALSE(result.has_value()) << bad.says;
        EXPECT_EQ(result.error().code, bad.code) << result.error().message;
        EXPECT_PRED2(test::contains, result.error().message, bad.says);
    }
    const std::string deep(100000, '[');
    EXPECT_FALSE(parseMediaConfig(deep, test::k3Config().dump(), "model").has_value());
    EXPECT_FALSE(parseMediaConfig("{\"media_proc_cfg\":" + deep, test::k3Config().dump(), "model").has_value());
}

TEST(MediaConfig, FilesThatAreMissing) {
    const test::TempFolder folder;
    EXPECT_EQ(readMediaConfig(folder.path()).error().code, ErrorCode::kNotFound);
    test::writeText(folder / "config.json", "{}");
    EXPECT_EQ(readMediaConfig(folder.path()).error().code, ErrorCode::kUnsupported);
    test::writeText(folder / "config.json", test::k3Config().dump());
    EXPECT_PRED2(test::contains, readMediaConfig(folder.path()).error().message, "preprocessor_config.json");
    test::writeText(folder / "preprocessor_config.json", test::k3Preprocessor().dump());
    EXPECT_TRUE(readMediaConfig(folder.path()).has_value());
}

}  // namespace
}  // namespace pal
