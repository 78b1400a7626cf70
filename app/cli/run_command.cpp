// SPDX-License-Identifier: Apache-2.0
// `pal run`: a chat with a model, or one answer when the question comes as an argument or through a pipe.
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/engine_flags.h"
#include "app/cli/format.h"
#include "app/cli/number_check.h"
#include "app/cli/print_json.h"
#include "app/cli/terminal_chat.h"

namespace pal::cli {
namespace {

struct RunFlags {
    std::string model;
    std::string prompt;
    std::vector<std::string> files;
    std::string think = "max";
    ChatOptions chat;
    EngineFlags engine;
    bool json = false;
};

// Blocks SIGINT while the engine starts its threads, so that later only the main thread and an Interrupt get it.
class QuietThreads {
  public:
    QuietThreads() {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGINT);
        pthread_sigmask(SIG_BLOCK, &set, &previous_);
    }
    QuietThreads(const QuietThreads&) = delete;
    QuietThreads& operator=(const QuietThreads&) = delete;
    ~QuietThreads() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

  private:
    sigset_t previous_{};
};

Result<std::string> readFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail(ErrorCode::kNotFound, "{}: cannot be read", path);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// Files first, then what comes through a pipe, then the question about them.
Result<std::string> collectText(const Terminal& terminal, const RunFlags& flags) {
    std::string text;
    const auto add = [&](const std::string& part) {
        if (part.empty()) return;
        if (!text.empty()) text += "\n\n";
        text += part;
    };
    for (const std::string& path : flags.files) {
        PAL_ASSIGN(const std::string part, readFile(path));
        add(part);
    }
    if (!terminal.inIsTerminal()) add(std::string(std::istreambuf_iterator<char>(std::cin), {}));
    add(flags.prompt);
    return text;
}

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
            {"reused_tokens", answer.prompt.reused},
            {"prompt_seconds", answer.prompt.seconds},
            {"first_token_seconds", answer.firstTokenSeconds},
            {"tokens", answer.done.generated},
            {"tokens_per_second", perSecond(answer.done.generated - 1, answer.done.decodeSeconds)}};
}

// Prints an answer's numbers; the exit code if it was the only one.
int conclude(Terminal& terminal, const RunFlags& flags, const Result<Answer>& answer) {
    if (!answer.has_value()) return terminal.report(answer.error());
    if (flags.json) {
        printJson(terminal, toJson(*answer), JsonLayout::kOneLine);
    } else {
        const bool colours = terminal.errIsTerminal();
        if (colours) terminal.err("\x1b[2m");  // a line would replace control characters
        terminal.errLine("{}", describeAnswer(*answer));
        if (colours) terminal.err("\x1b[0m");
    }
    return answer->done.cause == EndCause::kCancelled ? kExitInterrupted : kExitOk;
}

int converse(Terminal& terminal, const RunFlags& flags, TerminalChat& chat, std::string document) {
    terminal.errLine("Type a message; Ctrl-C stops an answer, Ctrl-C or Ctrl-D at the prompt leaves.");
    std::string line;
    while (true) {
        terminal.out("> ");
        if (!std::getline(std::cin, line)) break;
        if (line.empty()) continue;
        const std::string question = document.empty() ? line : document + "\n\n" + line;
        const auto answer = chat.ask(question);
        conclude(terminal, flags, answer);
        if (answer.has_value() && answer->done.generated > 0) document.clear();
        terminal.out("\n");
    }
    terminal.out("\n");
    return kExitOk;
}

int runChat(Terminal& terminal, const RunFlags& flags) {
    signal(SIGINT, [](int) { _exit(kExitInterrupted); });  // outside of an answer, see Interrupt
    terminal.status("Loading " + flags.model);
    Result<std::unique_ptr<Engine>> engine = [&] {
        const QuietThreads quiet;
        return loadEngine(flags.model, engineOptions(flags.engine));
    }();
    if (!engine.has_value()) return terminal.report(engine.error());
    const ModelInfo& model = (*engine)->model();
    const auto tokenizer = Tokenizer::loadModelFolder(model.folder);
    if (!tokenizer.has_value()) return terminal.report(tokenizer.error());
    terminal.status("");
    terminal.errLine("{} on {}, context {} tokens", model.architecture, model.device,
                     groupDigits(static_cast<uint64_t>(model.contextTokens)));

    ChatOptions options = flags.chat;
    if (flags.json) options.output = ChatOptions::Output::kSilent;
    auto chat = TerminalChat::open(terminal, **engine, *tokenizer, std::move(options));
    if (!chat.has_value()) return terminal.report(chat.error());
    auto text = collectText(terminal, flags);
    if (!text.has_value()) return terminal.report(text.error());
    if (terminal.inIsTerminal() && flags.prompt.empty()) return converse(terminal, flags, *chat, std::move(*text));
    if (text->empty()) return terminal.report({ErrorCode::kInvalidArgument, "the prompt is empty"});
    return conclude(terminal, flags, chat->ask(*text));
}

void applyThinking(RunFlags& flags) {
    ChatOptions& chat = flags.chat;
    chat.thinking = flags.think == "off" ? Thinking::kOff : Thinking::kOn;
    chat.effort = flags.think == "low"    ? ThinkingEffort::kLow
                  : flags.think == "high" ? ThinkingEffort::kHigh
                  : flags.think == "max"  ? ThinkingEffort::kMax
                                          : ThinkingEffort::kUnset;
}

void addSamplingOptions(CLI::App& command, ChatOptions& chat) {
    SamplingParams& sampling = chat.sampling;
    sampling.topP = 0.95F;
    command.add_option("--temp", sampling.temperature, "Temperature; 0 always takes the most likely token")
        ->capture_default_str();
    command.add_option("--top-p", sampling.topP, "Draw from the most likely tokens that hold this share")
        ->capture_default_str();
    command.add_option("--top-k", sampling.topK, "Draw from so many most likely tokens; 0: all")->capture_default_str();
    command.add_option("--min-p", sampling.minP, "Drop tokens less likely than this share of the best one")
        ->capture_default_str();
    command
        .add_option("--repeat-penalty", sampling.repetitionPenalty, "Makes tokens that occurred less likely; 1: off")
        ->capture_default_str();
    command.add_option("--presence-penalty", sampling.presencePenalty, "Once per token of the reply")
        ->capture_default_str();
    command.add_option("--frequency-penalty", sampling.frequencyPenalty, "Per occurrence in the reply")
        ->capture_default_str();
    command.add_option("-s,--seed", sampling.seed, "The same seed gives the same answer")->capture_default_str();
    command.add_option("-n,--predict", chat.maxTokens, "Longest answer in tokens; 0: up to the context limit")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

}  // namespace

void addRunCommand(CLI::App& app, Runner& selected) {
    const auto flags = std::make_shared<RunFlags>();
    CLI::App* command = app.add_subcommand("run", "Chat with a model");
    command->add_option("model,-m,--model", flags->model, "Model folder")->required();
    command->add_option("prompt", flags->prompt, "Question; without one a conversation starts");
    command->add_option("-f,--file", flags->files, "Text to read before the question; may be repeated")
        ->allow_extra_args(false);
    command->add_option("--think", flags->think, "How much to think before answering")
        ->check(CLI::IsMember({"off", "low", "high", "max"}))
        ->capture_default_str();
    command->add_option("--sys,--system-prompt", flags->chat.system, "What the model is told first; also as -sys");
    command
        ->add_option("-c,--ctx-size", flags->engine.options.contextTokens,
                     "Context in tokens; 0: what the model allows")
        ->check(wholeNumber(0, kMaxContextTokens))
        ->capture_default_str();
    addSamplingOptions(*command, flags->chat);
    addEngineOptions(*command, flags->engine);
    command->add_flag("--json", flags->json, "Write the answer and its numbers as one JSON object");
    command->footer(
        "Standard input is part of the prompt when it is not a terminal: files, then standard input, then PROMPT.\n"
        "Answers go to standard output, progress and statistics to standard error.\n"
        "Ctrl-C stops an answer within one prefill step or token; at the prompt it leaves (130).");
    command->callback([flags, &selected] {
        applyThinking(*flags);
        selected = [flags](Terminal& terminal) { return runChat(terminal, *flags); };
    });
}

}  // namespace pal::cli
