// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "engine/base/result.h"

namespace pal {

// What stands behind the transparent parts of an image.
struct Background {
    enum class Pattern { kChessboard, kWhite, kGray, kBlack };
    enum class Stage { kBeforeResize, kAfterResize };
    enum class FirstSquare { kWhite, kGray };  // the square at the top left
    Pattern pattern = Pattern::kBlack;
    Stage stage = Stage::kBeforeResize;
    FirstSquare firstSquare = FirstSquare::kWhite;
    int64_t square = 0;  // side of a square, pixels
    uint8_t white = 0, gray = 0;
};

// How a clip becomes groups of frames.
struct VideoConfig {
    double sampleFps = 0;                       // frames taken per second of video, at most
    int64_t framesPerChunk = 0;                 // frames that the tower reads jointly
    int64_t patchLimitPerFrame = 0;             // before padding, as MediaConfig::patchLimit
    std::optional<int64_t> patchLimitPerVideo;  // spread over the frames of a chunk by the reference
    std::optional<int64_t> frameLimit;          // frames taken of one clip, at most
};

// The numbers by which a model wants its pictures: `media_proc_cfg` of preprocessor_config.json, checked against config.json.
// Immutable; any thread.
struct MediaConfig {
    int64_t patchSize = 0;                 // pixels
    int64_t mergeSize = 0;                 // patches that one token stands for, per side
    int64_t patchLimit = 0;                // of one image, before padding
    int64_t sideLimit = 0;                 // patches along one side
    std::array<float, 3> mean{}, std{};    // R, G, B; value = (byte / 255 - mean) / std
    std::optional<Background> background;  // none: alpha is dropped
    std::optional<VideoConfig> video;      // none: the model's processor knows no video
};

// Reads a model folder's two files. Errors: kUnsupported (a model without vision, fixed_output_tokens), kNotFound, kIo, kFormat with the
// key that is missing, of the wrong type, out of range, or in conflict with config.json.
Result<MediaConfig> readMediaConfig(const std::filesystem::path& folder);

// The same from text. `name` stands at the front of every error.
Result<MediaConfig> parseMediaConfig(std::string_view preprocessorJson, std::string_view configJson,
                                     std::string_view name);

}  // namespace pal
