// SPDX-License-Identifier: Apache-2.0
// `pal load --estimate-only`: what loading a model would take, from its config and headers alone.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/estimate.h"
#include "app/cli/memory_need.h"
#include "app/cli/placement_json.h"
#include "app/cli/print_json.h"

namespace pal::cli {
namespace {

struct LoadFlags {
    EstimateFlags estimate;
    bool estimateOnly = false;
};

int runLoad(Terminal& terminal, const LoadFlags& flags) {
    if (!flags.estimateOnly) {
        return terminal.report({ErrorCode::kInvalidArgument,
                                "a model is loaded by the command that asks it (pal run) and for as long as that runs; "
                                "pal load --estimate-only says what it takes"});
    }
    const auto estimate = estimateFor(terminal, flags.estimate);
    if (!estimate.has_value()) return terminal.report(estimate.error());
    const auto& [summary, placement] = *estimate;
    if (flags.estimate.json) {
        printJson(terminal, placement ? nlohmann::json{{"placement", placementJson(placement->plan)}}
                                      : nlohmann::json{{"memory", memoryNeedJson(summary)}});
    } else if (placement) {
        printPlacement(terminal, *placement);
    } else {
        printMemoryNeed(terminal, summary);
    }
    return kExitOk;
}

}  // namespace

void addLoadCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<LoadFlags>();
    CLI::App* command = app.add_subcommand("load", "With --estimate-only: what loading a model would take");
    addEstimateOptions(*command, flags->estimate);
    command->add_flag("--estimate-only", flags->estimateOnly, "Needed: a model is loaded by the command that asks it");
    command->footer("Reads config and headers, no weights. `pal show` tells this and what the model is.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runLoad(terminal, *flags); }; });
}

}  // namespace pal::cli
