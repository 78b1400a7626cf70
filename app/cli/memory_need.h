// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "app/cli/engine_flags.h"
#include "app/cli/terminal.h"
#include "engine/api/model_files.h"

namespace pal::cli {

// describeModel() for the flags: latents of --cache-type. Errors: those of describeModel(); kInvalidArgument for a --batch-size that the CPU's
// estimate does not count.
[[nodiscard]] Result<ModelSummary> describeFor(const std::filesystem::path& model, uint64_t contextTokens,
                                               const EngineFlags& flags);
// What a model takes of the memory with one session of summary.contextTokens: weights, state, workspace and their sum.
void printMemoryNeed(Terminal& terminal, const ModelSummary& summary);
// The same in bytes.
[[nodiscard]] nlohmann::json memoryNeedJson(const ModelSummary& summary);

}  // namespace pal::cli
