// SPDX-License-Identifier: Apache-2.0
// `pal show`: what a model is and what it needs, without running it.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/estimate.h"
#include "app/cli/format.h"
#include "app/cli/memory_need.h"
#include "app/cli/placement_json.h"
#include "app/cli/print_json.h"

namespace pal::cli {
namespace {

nlohmann::json toJson(const ModelSummary& m) {
    nlohmann::json parts = nlohmann::json::array();
    for (const ModelPartSize& part : m.parts) {
        parts.push_back({{"name", part.name}, {"parameters", part.parameters}, {"bytes", part.bytes}});
    }
    return {
        {"folder", m.folder.string()},
        {"architecture", m.architecture},
        {"has_weights", m.hasWeights},
        {"layers", {{"all", m.layers}, {"kda", m.kdaLayers}, {"mla", m.mlaLayers}, {"with_experts", m.expertLayers}}},
        {"hidden_size", m.hiddenSize},
        {"vocabulary", m.vocabulary},
        {"heads", {{"kda", m.kdaHeads}, {"mla", m.mlaHeads}}},
        {"context_limit", m.contextLimit},
        {"experts", {{"all", m.experts}, {"per_token", m.expertsPerToken}, {"shared", m.sharedExperts}}},
        {"attention_residual_snapshots", m.snapshots},
        {"vision", m.vision},
        {"parameters", m.parameters},
        {"active_parameters", m.activeParameters},
        {"tensors", m.tensors},
        {"shards", m.shards},
        {"weight_bytes", m.weightBytes},
        {"parts", std::move(parts)},
        {"state",
         {{"kda_bytes", m.kdaStateBytes},
          {"conv_tail_bytes", m.convTailBytes},
          {"checkpoint_bytes", m.checkpointBytes},
          {"latent_bytes_per_token", m.latentBytesPerToken},
          {"conv_tail_type", m.convTailType},
          {"latent_type", m.latentType}}},
        {"memory", memoryNeedJson(m)},
        {"fingerprint", m.fingerprint},
        {"notes", m.notes},
    };
}

std::string groups(int64_t value) {
    return groupDigits(static_cast<uint64_t>(value));
}

void printArchitecture(Terminal& terminal, const ModelSummary& m) {
    const auto line = [&](const char* name, const std::string& text) { terminal.outLine("{:<14}{}", name, text); };
    line("Architecture", m.architecture.empty() ? "(not named)" : m.architecture);
    line("Folder", m.folder.string());
    line("Layers", fmt::format("{}: {} KDA and {} MLA; {} with experts, {} dense", m.layers, m.kdaLayers, m.mlaLayers,
                               m.expertLayers, m.layers - m.expertLayers));
    line("Width", fmt::format("{} hidden, {} KDA heads, {} MLA heads", groups(m.hiddenSize), m.kdaHeads, m.mlaHeads));
    if (m.experts > 0) {
        line("Experts",
             fmt::format("{} per layer, {} per token, {} shared", m.experts, m.expertsPerToken, m.sharedExperts));
    }
    line("Residuals", m.snapshots > 0 ? fmt::format("attention over depth, {} snapshots", m.snapshots) : "plain");
    line("Vision", m.vision ? "images and video" : "no");
    line("Vocabulary", groups(m.vocabulary) + " tokens");
    line("Context", groups(m.contextLimit) + " tokens");
    line("Parameters",
         fmt::format("{}, {} active per token", formatCount(m.parameters), formatCount(m.activeParameters)));
    if (!m.fingerprint.empty()) line("Fingerprint", m.fingerprint);
}

void printSizes(Terminal& terminal, const ModelSummary& m) {
    const auto row = [&](std::string_view name, const std::string& middle, uint64_t bytes, const std::string& tail) {
        terminal.outLine("  {:<22}{:>10}{:>12}{}{}", name, middle, formatBytes(bytes), tail.empty() ? "" : "  ", tail);
    };
    terminal.outLine("\n{:<24}{:>10}{:>12}", m.hasWeights ? "Weights" : "Weights (by the config)", "parameters",
                     "size");
    for (const ModelPartSize& part : m.parts) {
        const double share =
            100.0 * static_cast<double>(part.bytes) / static_cast<double>(std::max<uint64_t>(m.weightBytes, 1));
        row(part.name, formatCount(part.parameters), part.bytes, fmt::format("{:5.1f} %", share));
    }
    const std::string where = m.hasWeights ? fmt::format(" in {} shard{}", m.shards, m.shards == 1 ? "" : "s") : "";
    row("total", formatCount(m.parameters), m.weightBytes, fmt::format("{} tensors{}", groupDigits(m.tensors), where));

    terminal.outLine("\nState of one session");
    row("KDA states", "", m.kdaStateBytes, "f32");
    row("convolution tails", "", m.convTailBytes, m.convTailType);
    row("one checkpoint", "", m.checkpointBytes, "both of these; the same for every length");
    row("latents", "", m.latentBytesPerToken, "per token, " + m.latentType);
}

int runShow(Terminal& terminal, const EstimateFlags& flags) {
    const auto estimate = estimateFor(terminal, flags);
    if (!estimate.has_value()) return terminal.report(estimate.error());
    const auto& [summary, placement] = *estimate;
    if (flags.json) {
        nlohmann::json out = toJson(summary);
        if (placement) out["placement"] = placementJson(placement->plan);
        printJson(terminal, out);
        return kExitOk;
    }
    printArchitecture(terminal, summary);
    printSizes(terminal, summary);
    terminal.outLine("");
    printMemoryNeed(terminal, summary);
    if (placement) terminal.outLine("");
    if (placement) printPlacement(terminal, *placement);
    if (!summary.notes.empty()) terminal.outLine("");
    for (const std::string& note : summary.notes) terminal.outLine("Note: {}", note);
    return kExitOk;
}

}  // namespace

void addShowCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<EstimateFlags>();
    CLI::App* command =
        app.add_subcommand("show", "Print a model's architecture, sizes per part, state and memory needs");
    addEstimateOptions(*command, *flags);
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runShow(terminal, *flags); }; });
}

}  // namespace pal::cli
