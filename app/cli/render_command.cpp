// SPDX-License-Identifier: Apache-2.0
// `pal render`: the prompt of a chat request, segment by segment.
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/print_json.h"
#include "app/cli/text_input.h"
#include "app/cli/tokenizer_option.h"
#include "engine/api/chat.h"

namespace pal::cli {
namespace {

struct RenderFlags {
    std::string request;
    TokenizerFlags tokenizer;
    bool json = false;
    bool strict = false;
};

struct Prompt {
    std::vector<Segment> segments;
    std::optional<std::vector<TokenId>> ids;  // where there is a vocabulary
};

Result<Prompt> renderRequest(const RenderFlags& flags) {
    PAL_ASSIGN(const std::string text, readInput(flags.request));
    // What is wrong with the request is the file's fault, not the command line's.
    const auto inFile = [&](const Error& error) {
        return Error{ErrorCode::kFormat, error.withContext(inputName(flags.request)).message};
    };
    const auto request = parseChatRequest(text);
    if (!request) return fail(inFile(request.error()));
    if (flags.strict) {
        if (const auto valid = validateChatRequest(*request); !valid) return fail(inFile(valid.error()));
    }
    std::optional<Tokenizer> tokenizer;
    if (flags.tokenizer.given()) {
        PAL_ASSIGN(tokenizer, loadTokenizer(flags.tokenizer));
    }
    const ChatStyle wanted = flags.tokenizer.style == "k2" ? ChatStyle::kK2 : ChatStyle::kK3;
    auto segments = renderChat(*request, tokenizer ? tokenizer->style() : wanted);
    if (!segments) return fail(inFile(segments.error()));
    Prompt prompt{std::move(*segments), std::nullopt};
    if (tokenizer) prompt.ids = encodeSegments(*tokenizer, prompt.segments);
    return prompt;
}

void printPrompt(Terminal& terminal, const Prompt& prompt) {
    nlohmann::ordered_json out;
    out["segments"] = nlohmann::ordered_json::array();
    for (const Segment& segment : prompt.segments) {
        out["segments"].push_back({segment.text, segment.special == SpecialTokens::kAllow});
    }
    if (prompt.ids) out["ids"] = *prompt.ids;
    printJson(terminal, out, JsonLayout::kOneLine);
}

int runRender(Terminal& terminal, const RenderFlags& flags) {
    const auto prompt = renderRequest(flags);
    if (!prompt) return terminal.report(prompt.error());
    if (flags.json) {
        printPrompt(terminal, *prompt);
        return kExitOk;
    }
    for (const Segment& segment : prompt->segments) {
        terminal.outLine("{}\t{}", segment.special == SpecialTokens::kAllow ? "control" : "text",
                         inQuotes(segment.text));
    }
    if (prompt->ids) terminal.outLine("ids\t{}", fmt::join(*prompt->ids, " "));
    return kExitOk;
}

}  // namespace

void addRenderCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<RenderFlags>();
    CLI::App* command = app.add_subcommand("render", "Print the prompt of a chat request, segment by segment");
    command->add_option("request", flags->request, "JSON file with the request; - for standard input")->required();
    addTokenizerOptions(*command, flags->tokenizer);
    command->add_flag("--json", flags->json, R"(Print {"segments": [[text, special], ...], "ids": [...]})");
    command->add_flag("--strict", flags->strict,
                      "Also refuse what a server refuses, such as a tool_choice without tools");
    command->footer(
        "The request has messages, and where wanted tools, tool_choice, response_format, response_schema, thinking, "
        "thinking_effort (low, high, max), add_generation_prompt and image_prompts.\n"
        "Each segment is encoded on its own; only `control` segments may become control tokens. With a model or "
        "--vocab the ids are "
        "printed, too, and the vocabulary decides the format.");
    command->callback(
        [flags, &selected] { selected = [flags](Terminal& terminal) { return runRender(terminal, *flags); }; });
}

}  // namespace pal::cli
