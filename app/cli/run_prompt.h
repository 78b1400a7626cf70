// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "app/compose/attached_file.h"
#include "engine/base/result.h"

namespace pal::cli {

// What `pal run` asks first.
struct RunPrompt {
    std::vector<AttachedFile> attachments;
    std::string question;
};

// Standard input is a file where `-f -` says so, and, when it is no terminal, the question where there is none. Errors: those of
// reading.
Result<RunPrompt> readPrompt(const Terminal& terminal, const RunOptions& options);

}  // namespace pal::cli
