// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "app/cli/terminal.h"
#include "engine/api/model_files.h"

namespace pal::cli {

// What a model takes of the memory with one session of summary.contextTokens: weights, state, workspace and their sum.
void printMemoryNeed(Terminal& terminal, const ModelSummary& summary);
// The same in bytes.
[[nodiscard]] nlohmann::json memoryNeedJson(const ModelSummary& summary);

}  // namespace pal::cli
