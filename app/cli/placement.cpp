// SPDX-License-Identifier: Apache-2.0
#include "app/cli/placement.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/format.h"

namespace pal::cli {
namespace {

// The machine's numbers, with those that are given in their place.
Result<GpuMemory> memoryOf(const EngineFlags& flags, const GivenMemory& given) {
    GpuMemory out;
    auto found = gpuMemory();
    if (found) {
        out = *found;
    } else if (flags.options.gpuBytes == 0) {
        return fail(found.error().code, "{}; --gpu-memory plans for a GPU that is not here", found.error().message);
    }
    if (flags.options.gpuBytes != 0) out.freeBytes = flags.options.gpuBytes;
    if (given.ramBytes != 0) out.ramBytes = given.ramBytes;
    if (given.gpuRate != 0) out.copyRate = static_cast<double>(given.gpuRate);
    if (given.linkRate != 0) out.linkRate = static_cast<double>(given.linkRate);
    return out;
}

std::string rate(double bytesPerSecond) {
    return formatBytes(static_cast<uint64_t>(bytesPerSecond)) + "/s";
}

// "1.25 GiB, 0.61 ms at 2.05 GiB/s"
std::string timed(uint64_t bytes, double seconds, double bytesPerSecond) {
    if (bytesPerSecond <= 0) return formatBytes(bytes);
    return fmt::format("{}, {:.2f} ms at {}", formatBytes(bytes), seconds * 1e3, rate(bytesPerSecond));
}

}  // namespace

void addGivenMemory(CLI::App& command, GivenMemory& given) {
    const auto size = CLI::AsSizeValue(true);
    command
        .add_option("--ram", given.ramBytes, "RAM that experts may take, instead of what is available (--device cuda)")
        ->transform(size);
    command
        .add_option("--gpu-rate", given.gpuRate,
                    "Bytes per second of the GPU's memory, instead of what is measured (4TB)")
        ->transform(size);
    command
        .add_option("--link-rate", given.linkRate,
                    "Bytes per second from RAM to the GPU, instead of what is measured (50GB)")
        ->transform(size);
}

Result<Placement> placementOf(const ModelSummary& model, uint64_t contextTokens, const EngineFlags& flags,
                              const GivenMemory& given) {
    Placement out;
    GpuPlanRequest& request = out.request;
    PAL_TRY(checkGpuLayers(flags, model));
    PAL_ASSIGN(request.memory, memoryOf(flags, given));
    const EngineOptions options = engineOptions(flags);
    request.contextTokens = contextTokens > 0 ? contextTokens : std::min(kPlannedContext, model.contextTokens);
    request.chunkTokens = static_cast<uint64_t>(options.chunkTokens);
    request.latents = options.latents;
    request.ramLayers = options.ramLayers;
    PAL_ASSIGN(out.plan, planGpu(model.gpu, request));
    return out;
}

void printPlacement(Terminal& terminal, const Placement& placement) {
    const auto& [request, plan] = placement;
    const GpuMemory& memory = request.memory;
    const auto row = [&](std::string_view name, uint64_t bytes, const std::string& tail = {}) {
        terminal.outLine("  {:<32}{:>12}{}{}", name, formatBytes(bytes), tail.empty() ? "" : "  ", tail);
    };
    const size_t layers = plan.inRam.size();
    terminal.outLine("On {} with room for {}, {} tokens of context in steps of {}",
                     memory.name.empty() ? "a GPU" : memory.name, formatBytes(memory.freeBytes),
                     groupDigits(request.contextTokens), groupDigits(request.chunkTokens));
    row("weights but routed experts", plan.weightBytes);
    if (layers > 0) {
        row("routed experts", plan.expertBytes,
            fmt::format("of {} of {} layers", static_cast<int64_t>(layers) - plan.ramLayers, layers));
    }
    if (plan.ramLayers > 0) row("places for experts from RAM", plan.placeBytes);
    row("state and latents", plan.stateBytes + plan.latentBytes);
    row("workspace and reserve", plan.workspaceBytes + plan.reserveBytes);
    row("on the GPU", plan.gpuBytes());
    if (plan.ramLayers > 0) {
        row("in RAM, page-locked", plan.ramBytes,
            fmt::format("routed experts of {} layers{}", plan.ramLayers,
                        memory.ramBytes > 0 ? ", of " + formatBytes(memory.ramBytes) + " available" : ""));
    }
    terminal.outLine("  a token at the end of the context reads");
    terminal.outLine("    from the GPU's memory  {}", timed(plan.gpuReadBytes, plan.gpuSeconds, memory.copyRate));
    terminal.outLine("    over the link          {}", timed(plan.linkReadBytes, plan.linkSeconds, memory.linkRate));
    if (plan.tokensPerSecond() > 0)
        terminal.outLine("    at most                {:.1f} tokens/s", plan.tokensPerSecond());
    if (plan.chunkLinkBytes == 0) return;
    terminal.outLine("  a prefill step brings    {}",
                     timed(plan.chunkLinkBytes, plan.chunkLinkSeconds, memory.linkRate));
    if (plan.chunkLinkSeconds > 0) {
        terminal.outLine("    at most                {:.0f} tokens/s; larger steps (-b) bring less per token",
                         static_cast<double>(request.chunkTokens) / plan.chunkLinkSeconds);
    }
}

}  // namespace pal::cli
