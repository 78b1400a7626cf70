// SPDX-License-Identifier: Apache-2.0
// `pal random`: a checkpoint of random weights for any config, for benchmarks and tests.
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/file_progress.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/number_check.h"
#include "app/cli/print_json.h"
#include "engine/api/model_files.h"

namespace pal::cli {
namespace {

struct RandomFlags {
    RandomModelRequest request;
    std::string tokenizer;
    int64_t layers = 0;
    int64_t experts = 0;
    bool mxfp4 = false;
    bool json = false;
};

int runRandom(Terminal& terminal, const RandomFlags& flags) {
    RandomModelRequest request = flags.request;
    if (!flags.tokenizer.empty()) request.tokenizer = flags.tokenizer;
    if (flags.layers > 0) request.layers = flags.layers;
    if (flags.experts > 0) request.experts = flags.experts;
    if (flags.mxfp4) request.expertFormat = RandomModelRequest::Experts::kMxfp4;

    const Interrupt interrupt;
    FileProgressLine line(terminal, "Writing");
    const auto report = writeRandomModel(
        request, [&](const FileProgress& progress) { line.show(progress); }, interrupt.token());
    if (!report.has_value()) return terminal.report(report.error());
    if (flags.json) {
        printJson(terminal, nlohmann::ordered_json{{"folder", request.folder.string()},
                                                   {"parameters", report->parameters},
                                                   {"tensors", report->tensors},
                                                   {"shards", report->shards},
                                                   {"bytes", report->bytes},
                                                   {"seconds", report->seconds}});
        return kExitOk;
    }
    terminal.outLine("{}: {} random parameters in {} tensors and {} shard{}, {}", request.folder.string(),
                     formatCount(report->parameters), groupDigits(report->tensors), report->shards,
                     report->shards == 1 ? "" : "s", describeRate(report->bytes, report->seconds));
    return kExitOk;
}

}  // namespace

void addRandomCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<RandomFlags>();
    RandomModelRequest& request = flags->request;
    CLI::App* command = app.add_subcommand("random", "Write a checkpoint of random weights for a config");
    command->add_option("config", request.config, "Pattern: a config.json or a model folder")->required();
    command->add_option("folder", request.folder, "Folder to make; it must not exist, or be empty")->required();
    command->add_option("--seed", request.seed, "Another seed gives other weights")
        ->check(wholeNumber(0, UINT64_MAX))
        ->capture_default_str();
    command->add_option("--shard-size", request.shardBytes, "Largest shard, as 4GiB or in bytes")
        ->transform(CLI::AsSizeValue(false))
        ->capture_default_str();
    command->add_option("--tokenizer", flags->tokenizer, "Vocabulary file to copy in as tiktoken.model");
    command->add_option("--layers", flags->layers, "Keep only the first layers")->check(wholeNumber(1, INT64_MAX));
    command->add_option("--experts", flags->experts, "Keep only so many experts per layer")
        ->check(wholeNumber(1, INT64_MAX));
    command->add_flag("--mxfp4-experts", flags->mxfp4,
                      "Routed experts in MXFP4 even if the config has them in bfloat16");
    command->add_flag("--json", flags->json, "Print JSON, sizes in bytes");
    command->footer(
        "The weights depend on tensor names and seed alone, so two runs give the same files.\n"
        "Example: Kimi-Linear dimensions with 16 experts in MXFP4:\n"
        "  pal random kimi-linear/config.json bench-model --experts 16 --mxfp4-experts");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runRandom(terminal, *flags); }; });
}

}  // namespace pal::cli
