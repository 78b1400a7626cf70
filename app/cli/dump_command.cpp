// SPDX-License-Identifier: Apache-2.0
// `pal dump`: everything the model computes on given token ids, for checking it from outside.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/engine_flags.h"
#include "app/cli/model_option.h"
#include "app/cli/print_json.h"
#include "engine/api/telemetry.h"

namespace pal::cli {
namespace {

struct DumpFlags {
    DumpRequest request;
    std::string model;
    EngineFlags engine;
    bool json = false;
};

int runDump(Terminal& terminal, const DumpFlags& flags) {
    DumpRequest request = flags.request;
    const auto model = chooseModel(flags.model);
    if (!model.has_value()) return terminal.report(model.error());
    tellModel(terminal, *model);
    request.model = model->path;
    auto options = engineOptionsFor(flags.engine, model->path);
    if (!options.has_value()) return terminal.report(options.error());
    request.engine = std::move(*options);
    terminal.status("Computing");
    const auto done = dumpModel(request);
    if (!done.has_value()) return terminal.report(done.error());
    if (flags.json) printJson(terminal, nlohmann::json{{"out", request.out.string()}});
    return kExitOk;
}

}  // namespace

void addDumpCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<DumpFlags>();
    DumpRequest& request = flags->request;
    CLI::App* command = app.add_subcommand("dump", "Write all intermediates of a prompt to a safetensors file");
    addModelOption(*command, flags->model);
    command->add_option("--ids", request.ids, "Safetensors file with the input")->required();
    command->add_option("--out", request.out, "Safetensors file to write")->required();
    command->add_option("--split", request.splits, "Positions where the prompt is cut into separate steps, ascending")
        ->delimiter(',');
    command->add_option("--greedy", request.greedy, "Tokens to continue with, always the most likely one")
        ->check(CLI::NonNegativeNumber);
    addEngineOptions(*command, flags->engine);
    command->add_flag("--json", flags->json, "Print the name of the file that was written as JSON");
    command->footer(
        "Input: `ids` [T] I32 or I64; and for media vision.<n>.pixels F32 [patches, 3, 14, 14] with vision.<n>.grid "
        "[3]\n"
        "(frames, rows, columns), n = 0, 1, ... Placeholders in `ids` take the media in order; one stands for all "
        "rows.\n"
        "Output, float32 unless said otherwise:\n"
        "  logits [T, vocabulary]; greedy [N] int32\n"
        "  layer.<i>, final [16, hidden]: the running stream after a layer and the input of the head, last 16 tokens\n"
        "  kda.<i>.log_decay|beta|read|gate of the last 8 tokens; kda.<i>.state [heads, K, V], conv_q|k|v at the end\n"
        "  mla.<i>.latent, last 16 rows; mla.<i>.gate, last 8; mla.<i>.probs_last [heads, T] of the last token\n"
        "  moe.<i>.index (int32), moe.<i>.weight [T, k], best first\n"
        "  attn_res.<i>.attn|mlp, attn_res.out [T, sources]: weights over depth, the running stream last\n"
        "  state.<i>.*: the state after the first split; latents: its last 4 rows\n"
        "  vision.<n>.embeds [rows, hidden]; of more than 64 rows the first and last 16");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runDump(terminal, *flags); }; });
}

}  // namespace pal::cli
