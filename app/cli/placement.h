// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/engine_flags.h"
#include "app/cli/terminal.h"
#include "engine/api/gpu_plan.h"

namespace pal::cli {

// What is counted on instead of what this machine has.
struct GivenMemory {
    uint64_t ramBytes = 0;
    uint64_t gpuRate = 0;   // bytes per second
    uint64_t linkRate = 0;  // bytes per second
};
// Adds --ram, --gpu-rate and --link-rate.
void addGivenMemory(CLI::App& command, GivenMemory& given);

struct Placement {
    GpuPlanRequest request;
    GpuPlan plan;
};
// What lies where when the model runs on the GPU with these flags and room for a session of `contextTokens`; 0: of kPlannedContext. A machine without a GPU plans for the memory that is given. Errors: of planGpu(), and
// why there is no GPU when its memory is not given.
[[nodiscard]] Result<Placement> placementOf(const ModelSummary& model, uint64_t contextTokens, const EngineFlags& flags,
                                            const GivenMemory& given);

void printPlacement(Terminal& terminal, const Placement& placement);

}  // namespace pal::cli
