// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vision/media_config.h"

namespace pal::test {

// Kimi K3's published numbers.
inline nlohmann::json k3Preprocessor() {
    return {{"media_proc_cfg",
             {{"patch_size", 14},
              {"merge_kernel_size", 2},
              {"in_patch_limit", 65536},
              {"patch_limit_on_one_side", 512},
              {"fixed_output_tokens", nullptr},
              {"image_mean", {0.5, 0.5, 0.5}},
              {"image_std", {0.5, 0.5, 0.5}},
              {"transparent_bg_fill_stage", "after_resize"},
              {"transparent_bg_config",
               {{"pattern", "chessboard"},
                {"chessboard_square_size", 8},
                {"chessboard_square_on_top_left", true},
                {"chessboard_white_value", 255},
                {"chessboard_gray_value", 180}}},
              {"in_patch_limit_each_frame", 16384},
              {"sample_fps", 8.0},
              {"temporal_merge_kernel_size", 4},
              {"in_patch_limit_video", 655360},
              {"timestamp_mode", "hh:mm:ss.fff"}}}};
}

inline nlohmann::json k3Config() {
    return {{"vision_config", {{"patch_size", 14}, {"merge_kernel_size", {2, 2}}, {"init_pos_emb_time", 4}}}};
}

inline MediaConfig k3Media() {
    return parseMediaConfig(k3Preprocessor().dump(), k3Config().dump(), "k3").value();
}

}  // namespace pal::test
