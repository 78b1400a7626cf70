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

std::string bytesPerSecond(double rate) {
    return formatBytes(static_cast<uint64_t>(rate)) + "/s";
}

// What each op took, and how much of the device's limits it used.
void printOps(Terminal& terminal, const std::vector<OpUse>& ops, const BenchLimits& limits) {
    double all = 0;
    for (const OpUse& op : ops) all += op.seconds;
    terminal.outLine("    {:<14}{:<8}{:>8}{:>12}{:>8}{:>12}{:>10}{:>8}{:>10}", "op", "part", "calls", "time", "share",
                     "bytes", "GFLOP", "% copy", "% product");
    for (const OpUse& op : ops) {
        const auto percent = [](double rate, double limit) { return 100 * perSecond(rate, limit); };
        terminal.outLine("    {:<14}{:<8}{:>8}{:>9.2f} ms{:>6.1f} %{:>12}{:>10.1f}{:>8.1f}{:>10.1f}", op.op, op.part,
                         op.calls, op.seconds * 1e3, percent(op.seconds, all), formatBytes(op.bytes), op.flops / 1e9,
                         percent(perSecond(static_cast<double>(op.bytes), op.seconds), limits.bytesPerSecond),
                         percent(perSecond(op.flops, op.seconds), limits.flopsPerSecond));
    }
}

void printPrediction(Terminal& terminal, const Prediction& prediction, double seconds) {
    if (prediction.linkBytes == 0) return;
    terminal.outLine("                over the link: {} predicted, {} measured; {:.2f} ms at least, {:.2f} measured",
                     formatBytes(prediction.linkBytes), formatBytes(prediction.measuredLinkBytes),
                     prediction.seconds * 1e3, seconds * 1e3);
}

void printLimits(Terminal& terminal, const BenchReport& report) {
    terminal.outLine("{}, {} of weights, loaded in {}", report.device, formatBytes(report.modelBytes),
                     formatDuration(report.loadSeconds));
    if (report.streamBytesPerSecond > 0) {
        terminal.outLine("plain read    {}", bytesPerSecond(report.streamBytesPerSecond));
    } else {
        terminal.outLine("copy          {}, from RAM {}", bytesPerSecond(report.limits.bytesPerSecond),
                         bytesPerSecond(report.limits.linkBytesPerSecond));
    }
    terminal.outLine("product       {:.2f} TFLOP/s", report.limits.flopsPerSecond / 1e12);
    if (report.plan.ramLayers > 0) {
        terminal.outLine("experts of {} of {} layers in RAM, {}", report.plan.ramLayers, report.plan.inRam.size(),
                         formatBytes(report.plan.ramBytes));
    }
}

void printTable(Terminal& terminal, const BenchReport& report) {
    printLimits(terminal, report);
    for (const PrefillRate& rate : report.prefill) {
        terminal.outLine("prefill {:>6}  {:.1f} tokens/s, matrices at {:.1f} GFLOP/s", rate.tokens,
                         perSecond(static_cast<double>(rate.tokens), rate.seconds), rate.flops / 1e9);
        printPrediction(terminal, rate.prediction, rate.seconds);
        printOps(terminal, rate.ops, report.limits);
    }
    for (const DecodeRate& rate : report.decode) {
        std::string parts;
        for (const PartCost& part : rate.parts) parts += fmt::format("  {} {:.2f}", part.part, part.seconds * 1e3);
        terminal.outLine("decode  {:>6}  {:.2f} tokens/s, {} of weights per token at {}{}", rate.context,
                         perSecond(1, rate.secondsPerToken), formatBytes(rate.weightBytes),
                         bytesPerSecond(weightRate(rate)),
                         report.streamBytesPerSecond > 0
                             ? fmt::format(" ({:.0f} % of the best plain read, {:.0f} % of those in turn)",
                                           100 * shareOfStream(report, rate), 100 * medianRoundShare(rate))
                             : "");
        terminal.outLine("                ms per token:{}", parts);
        printPrediction(terminal, rate.prediction, rate.secondsPerToken);
        printOps(terminal, rate.ops, report.limits);
    }
}

int runBench(Terminal& terminal, const BenchFlags& flags) {
    BenchRequest request = flags.request;
    const auto model = chooseModel(flags.model);
    if (!model.has_value()) return terminal.report(model.error());
    tellModel(terminal, *model);
    request.model = model->path;
    auto options = engineOptionsFor(flags.engine, model->path);
    if (!options.has_value()) return terminal.report(options.error());
    request.engine = std::move(*options);
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
    command->add_flag("--json", flags->json, "Write one JSON object instead of a table");
    command->footer(
        "On a CPU decoding takes turns with a plain read of the weights by the same threads; a share is of\n"
        "the best of these reads. Ops are timed in a second pass: on a CPU by a clock around each, on a GPU\n"
        "by events, in steps that run op by op and not as one graph. Their bytes and FLOPs are what an op\n"
        "cannot do without; their shares are of that plain read, or of a device copy on a GPU, and of a\n"
        "large bfloat16 product in the same run.\n"
        "JSON: rates per second, times in seconds (of ops: over all `op_tokens`), sizes in bytes, shares\n"
        "from 0 to 1; `rounds` are the turns, `median_round_share` the median share of a turn's own read.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runBench(terminal, *flags); }; });
}

}  // namespace pal::cli
