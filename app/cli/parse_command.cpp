// SPDX-License-Identifier: Apache-2.0
// `pal parse`: the messages of a token stream.
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/print_json.h"
#include "app/cli/text_input.h"
#include "app/cli/tokenizer_option.h"
#include "engine/api/chat.h"

namespace pal::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ParseFlags {
    TokenizerFlags tokenizer;
    std::string file = "-";
    bool thinking = true;
};

const char* reasonName(FinishReason reason) {
    switch (reason) {
        case FinishReason::kStop:
            return "stop";
        case FinishReason::kToolCalls:
            return "tool_calls";
        case FinishReason::kLength:
            break;
    }
    return "length";
}

// Attributes that the format gives a message header. Others are text of the stream: copied, they could pass for members that this
// program writes (content, tool_calls).
bool isHeaderAttribute(std::string_view key) {
    constexpr std::array<std::string_view, 5> kKeys = {"role", "name", "type", "tool", "index"};
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

Json toJson(const ParsedMessage& message) {
    Json out;
    out["role"] = "assistant";
    for (const auto& [key, value] : message.attributes) {
        if (isHeaderAttribute(key)) out[key] = value;
    }
    const bool isReply = out["role"] == "assistant";
    if (!message.reasoning.empty()) out["reasoning_content"] = message.reasoning;
    out["content"] = message.content;
    for (const ToolCall& call : message.toolCalls) {
        out["tool_calls"].push_back({{"id", call.id},
                                     {"type", "function"},
                                     {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
    }
    if (isReply) out["finish_reason"] = reasonName(message.finishReason);
    return out;
}

int runParse(Terminal& terminal, const ParseFlags& flags) {
    const auto tokenizer = loadTokenizer(flags.tokenizer);
    if (!tokenizer) return terminal.report(tokenizer.error());
    const auto input = readInput(flags.file);
    if (!input) return terminal.report(input.error());
    const auto ids = parseIds(*input, flags.file, *tokenizer);
    if (!ids) return terminal.report(ids.error());
    Json messages = Json::array();
    for (const ParsedMessage& message :
         parseTranscript(*tokenizer, *ids, flags.thinking ? OutputStart::kThink : OutputStart::kResponse)) {
        messages.push_back(toJson(message));
    }
    printJson(terminal, Json{{"messages", std::move(messages)}});
    return kExitOk;
}

}  // namespace

void addParseCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<ParseFlags>();
    CLI::App* command = app.add_subcommand("parse", "Read the messages of a token stream and print them as JSON");
    addTokenizerOptions(*command, flags->tokenizer);
    command->add_option("-f,--file", flags->file, "Read the ids from this file instead of standard input");
    command->add_flag(
        "--thinking,!--no-thinking", flags->thinking,
        "Whether ids that begin without a message header begin in the think channel, as a reply to a prompt with "
        "thinking does (default), or in the answer");
    command->add_flag("--json")->description("Changes nothing: messages are always printed as JSON");
    command->footer(
        R"(Prints {"messages": [...]} with role, reasoning_content, content, tool_calls and finish_reason: stop, tool_calls, or length )"
        "when the ids end before the message.\n"
        "Example: pal render request.json --vocab tiktoken.model --json | jq .ids | pal parse --vocab tiktoken.model");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runParse(terminal, *flags); }; });
}

}  // namespace pal::cli
