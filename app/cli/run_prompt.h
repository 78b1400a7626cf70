// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "engine/base/result.h"

namespace pal::cli {

// What `pal run` asks first.
struct RunPrompt {
    std::string text;  // files in order, then the question
};

// Reads the files. Standard input belongs to it where `-f -` says so, and, when it is no terminal, where there is no question: then it
// is the question. Errors: those of reading.
Result<RunPrompt> composePrompt(const Terminal& terminal, const RunOptions& options);

}  // namespace pal::cli
