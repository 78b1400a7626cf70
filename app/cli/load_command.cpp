// SPDX-License-Identifier: Apache-2.0
// `pal load --estimate-only`: what loading a model would take, from its config and headers alone.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/memory_need.h"
#include "app/cli/model_option.h"
#include "app/cli/number_check.h"
#include "app/cli/placement.h"
#include "app/cli/placement_json.h"
#include "app/cli/print_json.h"
#include "engine/api/model_files.h"

namespace pal::cli {
namespace {

struct LoadFlags {
    std::string model;
    uint64_t context = 0;
    EngineFlags engine;
    GivenMemory memory;
    bool estimate = false;
    bool json = false;
};

int printPlacementOf(Terminal& terminal, const ModelSummary& summary, const LoadFlags& flags) {
    const auto placement = placementOf(summary, flags.context, flags.engine, flags.memory);
    if (!placement.has_value()) return terminal.report(placement.error());
    if (flags.json) {
        printJson(terminal, nlohmann::json{{"placement", placementJson(placement->plan)}});
    } else {
        printPlacement(terminal, *placement);
    }
    return kExitOk;
}

int runLoad(Terminal& terminal, const LoadFlags& flags) {
    if (!flags.estimate) {
        return terminal.report({ErrorCode::kInvalidArgument,
                                "a model is loaded by the command that asks it (pal run) and for as long as that runs; "
                                "pal load --estimate-only says what it takes"});
    }
    const auto model = chooseModel(flags.model);
    if (!model.has_value()) return terminal.report(model.error());
    tellModel(terminal, *model);
    const auto summary = describeFor(model->path, flags.context, flags.engine);
    if (!summary.has_value()) return terminal.report(summary.error());
    if (flags.engine.device == "cuda") return printPlacementOf(terminal, *summary, flags);
    if (flags.json) {
        printJson(terminal, nlohmann::json{{"memory", memoryNeedJson(*summary)}});
    } else {
        printMemoryNeed(terminal, *summary);
    }
    return kExitOk;
}

}  // namespace

void addLoadCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<LoadFlags>();
    CLI::App* command = app.add_subcommand("load", "With --estimate-only: what loading a model would take");
    addModelOption(*command, flags->model);
    command->add_flag("--estimate-only", flags->estimate, "Needed: a model is loaded by the command that asks it");
    command
        ->add_option("-c,--ctx-size,--context", flags->context,
                     "Tokens of context (by default the model's limit; 32,768 with --device cuda)")
        ->check(wholeNumber(1, kMaxContextTokens));
    addPlacementOptions(*command, flags->engine);
    addGivenMemory(*command, flags->memory);
    command->add_flag("--json", flags->json, "Print JSON, sizes in bytes");
    command->footer("Reads config and headers, no weights. `pal show` tells this and what the model is.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runLoad(terminal, *flags); }; });
}

}  // namespace pal::cli
