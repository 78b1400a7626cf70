// SPDX-License-Identifier: Apache-2.0
#include "app/cli/estimate.h"

#include "app/cli/memory_need.h"
#include "app/cli/model_option.h"
#include "app/cli/number_check.h"

namespace pal::cli {

void addEstimateOptions(CLI::App& command, EstimateFlags& flags) {
    addModelOption(command, flags.model);
    command
        .add_option(
            "-c,--ctx-size,--context", flags.context,
            "Tokens of context for the memory estimate (by default the model's limit; 32,768 with --device cuda)")
        ->check(wholeNumber(1, kMaxContextTokens));
    addPlacementOptions(command, flags.engine);
    addGivenMemory(command, flags.memory);
    command.add_flag("--json", flags.json, "Print JSON, sizes in bytes");
}

Result<Estimate> estimateFor(Terminal& terminal, const EstimateFlags& flags) {
    PAL_ASSIGN(const ModelChoice model, chooseModel(flags.model));
    tellModel(terminal, model);
    PAL_ASSIGN(ModelSummary summary, describeFor(model.path, flags.context, flags.engine));
    Estimate out{std::move(summary), std::nullopt};
    if (flags.engine.device == "cuda") {
        PAL_ASSIGN(out.placement, placementOf(out.summary, flags.context, flags.engine, flags.memory));
    }
    return out;
}

}  // namespace pal::cli
