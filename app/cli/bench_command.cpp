// SPDX-License-Identifier: Apache-2.0
// `pal bench`: how fast a model runs here, and against what this machine's memory allows.
#include <memory>

#include "app/cli/bench_json.h"
#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/engine_flags.h"
#include "app/cli/format.h"
#include "app/cli/model_option.h"
#include "app/cli/print_json.h"
#include "engine/api/telemetry.h"

namespace pal::cli {
namespace {

struct BenchFlags {
    BenchRequest request;
    std::string model;
    EngineFlags engine;
    bool json = false;
};

void printTable(Terminal& terminal, const BenchReport& report) {
    terminal.outLine("{}, {} of weights, loaded in {}", report.device, formatBytes(report.modelBytes),
                     formatDuration(report.loadSeconds));
    const auto bytesPerSecond = [](double rate) { return formatBytes(static_cast<uint64_t>(rate)) + "/s"; };
    if (report.streamBytesPerSecond > 0)
        terminal.outLine("plain read    {}", bytesPerSecond(report.streamBytesPerSecond));
    for (const PrefillRate& rate : report.prefill) {
        terminal.outLine("prefill {:>6}  {:.1f} tokens/s, matrices at {:.1f} GFLOP/s", rate.tokens,
                         perSecond(static_cast<double>(rate.tokens), rate.seconds), rate.flops / 1e9);
    }
    for (const DecodeRate& rate : report.decode) {
        std::string parts;
        for (const PartCost& part : rate.parts) parts += fmt::format("  {} {:.2f}", part.part, part.seconds * 1e3);
        terminal.outLine("decode  {:>6}  {:.2f} tokens/s, {} of weights per token at {}{}", rate.context,
                         perSecond(1, rate.secondsPerToken), formatBytes(rate.weightBytes),
                         bytesPerSecond(weightRate(rate)),
                         report.streamBytesPerSecond > 0
                             ? fmt::format(" ({:.0f} % of the plain read)", 100 * shareOfStream(report, rate))
                             : "");
        terminal.outLine("                ms per token:{}", parts);
    }
}

int runBench(Terminal& terminal, const BenchFlags& flags) {
    BenchRequest request = flags.request;
    const auto model = chooseModel(flags.model);
    if (!model.has_value()) return terminal.report(model.error());
    tellModel(terminal, *model);
    request.model = model->path;
    request.engine = engineOptions(flags.engine);
    const auto report = benchModel(request, [&](std::string_view step) { terminal.status(step); });
    if (!report.has_value()) return terminal.report(report.error());
    if (flags.json) {
        printJson(terminal, benchJson(*report));
    } else {
        printTable(terminal, *report);
    }
    return kExitOk;
}

}  // namespace

void addBenchCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<BenchFlags>();
    BenchRequest& request = flags->request;
    CLI::App* command = app.add_subcommand("bench", "Measure how fast a model runs");
    addModelOption(*command, flags->model);
    command->add_option("-p,--prefill", request.prefillTokens, "Prompt lengths in tokens")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("-c,--contexts", request.decodeContexts, "Tokens before the decoded ones")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("-n,--predict", request.decodeTokens, "Tokens to decode per context")->capture_default_str();
    addEngineOptions(*command, flags->engine);
    command->add_flag("--json", flags->json, "Write one JSON object: seconds, bytes, flops");
    command->footer(
        "The plain read goes over the weights with the same threads in the same run; decoding cannot be faster than it "
        "for\n"
        "models larger than the caches. Parts are timed in a second pass.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runBench(terminal, *flags); }; });
}

}  // namespace pal::cli
