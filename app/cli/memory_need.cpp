// SPDX-License-Identifier: Apache-2.0
#include "app/cli/memory_need.h"

#include "app/cli/format.h"

namespace pal::cli {

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
