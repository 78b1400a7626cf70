// SPDX-License-Identifier: Apache-2.0
#include "app/cli/memory_need.h"

#include "app/cli/format.h"

namespace pal::cli {

Result<ModelSummary> describeFor(const std::filesystem::path& model, uint64_t contextTokens, const EngineFlags& flags) {
    const int64_t counted = EngineOptions{}.chunkTokens;
    if (flags.device == "cpu" && flags.options.chunkTokens != counted) {
        return fail(ErrorCode::kInvalidArgument,
                    "--batch-size {}: the estimate for the CPU is for prefill steps of {} tokens; others are planned "
                    "with --device cuda",
                    flags.options.chunkTokens, counted);
    }
    PAL_ASSIGN(ModelSummary summary, describeModel(model, contextTokens));
    if (flags.cacheType != "bf16") return summary;
    const uint64_t saved = (summary.stateBytes - summary.checkpointBytes) / 2;  // of latents in float32
    summary.latentType = flags.cacheType;
    summary.latentBytesPerToken /= 2;
    summary.stateBytes -= saved;
    summary.memoryBytes -= saved;
    return summary;
}

void printMemoryNeed(Terminal& terminal, const ModelSummary& m) {
    const auto row = [&](std::string_view name, uint64_t bytes) {
        terminal.outLine("  {:<32}{:>12}", name, formatBytes(bytes));
    };
    terminal.outLine("Memory at {} tokens of context (estimate)", groupDigits(m.contextTokens));
    row("weights", m.weightBytes);
    row("state", m.stateBytes);
    row("workspace", m.workspaceBytes);
    row("total", m.memoryBytes);
}

nlohmann::json memoryNeedJson(const ModelSummary& m) {
    return {{"context_tokens", m.contextTokens},
            {"weight_bytes", m.weightBytes},
            {"state_bytes", m.stateBytes},
            {"workspace_bytes", m.workspaceBytes},
            {"total_bytes", m.memoryBytes}};
}

}  // namespace pal::cli
