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

// Controls that show whether a model looks: the same questions with nothing to see in their media (every pixel grey), or with the frames of
// clips in a random order, the same at every run. A model that answers as before does not look.
enum class Blinding { kNone, kGrey, kShuffled };

// A picture gives one, a clip one per chunk. Errors: those of decoding; kFormat when the frames do not divide the picture, kUnsupported
// when the model knows no clips.
Result<std::vector<EvalMedium>> loadEvalMedia(const EvalMedia& media, const MediaConfig& config, Blinding blinding);

}  // namespace pal::cli
