// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_turn.h"

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/print_json.h"

namespace pal::cli {
namespace {

nlohmann::json toJson(const Answer& answer) {
    const auto perSecond = [](int64_t count, double seconds) {
        return seconds > 0 ? static_cast<double>(count) / seconds : 0;
    };
    const char* causes[] = {"prompt", "stop", "length", "context_full", "cancelled", "failed"};
    nlohmann::json calls = nlohmann::json::array();
    for (const ToolCall& call : answer.message.toolCalls)
        calls.push_back({{"name", call.name}, {"arguments", call.arguments}});
    return {{"content", validUtf8(answer.message.content)},
            {"reasoning", validUtf8(answer.message.reasoning)},
            {"tool_calls", calls},
            {"finish", causes[static_cast<size_t>(answer.done.cause)]},
            {"prompt_tokens", answer.prompt.reused + answer.prompt.computed},
            {"prompt_tokens_by_kind",
             {{"text", answer.counts.text},
              {"image", answer.counts.image},
              {"video", answer.counts.video},
              {"markup", answer.counts.markup}}},
            {"reused_tokens", answer.prompt.reused},
            {"prompt_seconds", answer.prompt.seconds},
            {"first_token_seconds", answer.firstTokenSeconds},
            {"tokens", answer.done.generated},
            {"tokens_per_second", perSecond(answer.done.generated - 1, answer.done.decodeSeconds)}};
}

}  // namespace

int concludeTurn(Terminal& terminal, const RunOptions& options, const Result<Answer>& answer) {
    if (!answer.has_value()) return terminal.report(answer.error());
    terminal.log("turn", describeAnswer(*answer));
    if (options.json) {
        printJson(terminal, toJson(*answer), JsonLayout::kOneLine);
    } else {
        const bool colours = terminal.errIsTerminal();
        if (colours) terminal.err("\x1b[2m");  // a line would replace control characters
        terminal.errLine("{}", describeAnswer(*answer));
        if (colours) terminal.err("\x1b[0m");
    }
    return answer->done.cause == EndCause::kCancelled ? kExitInterrupted : kExitOk;
}

}  // namespace pal::cli
