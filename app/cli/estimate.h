// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/engine_flags.h"
#include "app/cli/placement.h"
#include "app/cli/terminal.h"
#include "engine/api/model_files.h"

namespace pal::cli {

// What is asked about a model that is not run: `pal show` and `pal load --estimate-only`.
struct EstimateFlags {
    std::string model;
    uint64_t context = 0;  // tokens; 0: the model's limit, with --device cuda kPlannedContext
    EngineFlags engine;
    GivenMemory memory;
    bool json = false;
};
void addEstimateOptions(CLI::App& command, EstimateFlags& flags);

struct Estimate {
    ModelSummary summary;
    std::optional<Placement> placement;  // with --device cuda
};
// From config and headers alone; tells which model is meant. Errors: those of chooseModel(), describeFor() and placementOf().
[[nodiscard]] Result<Estimate> estimateFor(Terminal& terminal, const EstimateFlags& flags);

}  // namespace pal::cli
