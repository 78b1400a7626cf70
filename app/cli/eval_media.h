// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/eval_suite.h"
#include "engine/api/media_input.h"
#include "vision/media_config.h"

namespace pal::cli {

// One medium of a prompt: a picture, or a chunk of a clip.
struct EvalMedium {
    std::shared_ptr<const MediaInput> input;
    std::string prompt;  // with one media pad
};

// A picture gives one, a clip one per chunk. Errors: those of decoding; kFormat when the frames do not divide the picture, kUnsupported
// when the model knows no clips.
Result<std::vector<EvalMedium>> loadEvalMedia(const EvalMedia& media, const MediaConfig& config);

}  // namespace pal::cli
