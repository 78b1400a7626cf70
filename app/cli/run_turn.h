// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run_options.h"
#include "app/cli/terminal.h"
#include "app/cli/terminal_chat.h"

namespace pal::cli {

// Prints what one turn of `pal run` left: its numbers for people, or everything as one line of JSON; or its error. The exit code if it was
// the only turn.
int concludeTurn(Terminal& terminal, const RunOptions& options, const Result<Answer>& answer);

}  // namespace pal::cli
