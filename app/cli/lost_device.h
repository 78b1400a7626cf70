// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_flags.h"
#include "app/cli/terminal.h"
#include "engine/base/result.h"

namespace pal::cli {

// After an answer failed: whether its device is lost and a person at the terminal wants to go on with the CPU, which `flags` say then. Where nobody can
// be asked, says how to. Prints the error when it asks.
[[nodiscard]] bool goOnWithCpu(Terminal& terminal, const Error& error, EngineFlags& flags);

}  // namespace pal::cli
