// SPDX-License-Identifier: Apache-2.0
// `pal run`: a chat with a model, or one answer when the question comes as an argument or through a pipe.
// run_options is its command line, run_prompt what it asks, terminal_chat the conversation, run_turn what it prints of a turn.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/commands.h"
#include "app/cli/format.h"
#include "app/cli/interrupt.h"
#include "app/cli/lost_device.h"
#include "app/cli/model_option.h"
#include "app/cli/run_options.h"
#include "app/cli/run_prompt.h"
#include "app/cli/run_turn.h"
#include "app/cli/stored_chat.h"
#include "app/cli/stored_options.h"
#include "app/cli/text_input.h"

namespace pal::cli {
namespace {

Result<std::unique_ptr<Engine>> loadModel(Terminal& terminal, const ModelChoice& model, const RunOptions& options) {
    tellModel(terminal, model);
    terminal.status("Loading " + model.path.string());
    PAL_ASSIGN(const EngineOptions engine, engineOptionsFor(options.engine, model.path));
    const QuietThreads quiet;
    return loadEngine(model.path, engine);
}

// What answers. The engine goes when its device is lost and the user wants to go on with the CPU; there is none when that could not be loaded.
struct Answering {
    const ModelChoice& model;
    RunOptions& options;
    std::unique_ptr<Engine> engine;
};

Result<Answer> ask(Terminal& terminal, Answering& with, TerminalChat& chat, const Question& question) {
    Result<Answer> answer = chat.ask(question);
    if (answer.has_value() || !goOnWithCpu(terminal, answer.error(), with.options.engine)) return answer;
    chat.leave();
    with.engine.reset();  // its memory goes before the model is loaded anew
    PAL_ASSIGN(with.engine, loadModel(terminal, with.model, with.options));
    terminal.status("");
    PAL_TRY(chat.moveTo(*with.engine));
    return chat.ask(question);
}

// Attachments belong to the first question that is answered.
int converse(Terminal& terminal, Answering& with, TerminalChat& chat, Question question) {
    terminal.errLine("Type a message; Ctrl-C stops an answer, Ctrl-C or Ctrl-D at the prompt leaves.");
    while (true) {
        terminal.out("> ");
        if (!std::getline(std::cin, question.text)) break;
        if (question.text.empty()) continue;
        const auto answer = ask(terminal, with, chat, question);
        const int code = concludeTurn(terminal, with.options, answer);
        if (with.engine == nullptr) return code;
        const bool failed = !answer.has_value() && answer.error().code != ErrorCode::kCancelled;
        if (failed && !question.attachments.empty())
            terminal.errLine("The attachments are left out from here on; to change them, leave and start again.");
        if (failed || (answer.has_value() && answer->done.generated > 0)) question.attachments.clear();
        terminal.out("\n");
    }
    terminal.out("\n");
    return kExitOk;
}

Result<Question> questionOf(RunPrompt prompt, const RunOptions& options, const ModelInfo& model) {
    std::optional<MediaConfig> media;
    if (model.vision) {
        PAL_ASSIGN(media, mediaConfigOf(model.folder));
    }
    ComposeOptions compose = composeOptionsOf(options.attachments, std::move(media));
    return Question{std::move(prompt.attachments), std::move(prompt.question), std::move(compose)};
}

int reportModel(Terminal& terminal, const RunOptions& options, const Error& error) {
    const int code = terminal.report(error);
    if (!options.modelHint.empty()) terminal.errLine("{}", options.modelHint);
    return code;
}

// With a stored session: the same conversation, kept.
int runStored(Terminal& terminal, RunOptions& options, const StoredOptions& stored) {
    const bool interactive = terminal.inIsTerminal() && options.prompt.empty() && stored.again == 0;
    const bool inputIsFile = options.attachments.readsInput();
    if (options.prompt.empty() && !terminal.inIsTerminal() && !inputIsFile && stored.again == 0) {
        auto question = readTextInput("-");
        if (!question.has_value()) return terminal.report(question.error());
        options.prompt = std::move(*question);
    }
    auto chat = StoredChat::open(terminal, options, stored, StoredChat::Missing::kMake);
    if (!chat.has_value()) return reportModel(terminal, options, chat.error());
    return (*chat)->close(interactive ? (*chat)->converse() : (*chat)->ask(options.prompt));
}

int runChat(Terminal& terminal, RunOptions& options, const StoredOptions& stored) {
    signal(SIGINT, [](int) { _exit(kExitInterrupted); });  // outside of an answer, see Interrupt
    if (const auto complete = completeOptions(options); !complete.has_value()) return terminal.report(complete.error());
    if (!stored.wanted() && stored.parent + stored.edit + stored.again > 0)
        return terminal.report({ErrorCode::kInvalidArgument, "--parent, --edit and --again need --session"});
    if (stored.wanted()) return runStored(terminal, options, stored);
    const auto choice = chooseModel(options.model);
    if (!choice.has_value()) return reportModel(terminal, options, choice.error());
    auto prompt = readPrompt(terminal, options);
    if (!prompt.has_value()) return terminal.report(prompt.error());
    const bool interactive = terminal.inIsTerminal() && options.prompt.empty();
    if (!interactive && prompt->question.empty() && prompt->attachments.empty())
        return terminal.report({ErrorCode::kInvalidArgument, "the prompt is empty"});
    auto engine = loadModel(terminal, *choice, options);
    if (!engine.has_value()) return reportModel(terminal, options, engine.error());
    Answering with{*choice, options, std::move(*engine)};
    const ModelInfo model = with.engine->model();
    const auto tokenizer = Tokenizer::loadModelFolder(model.folder);
    if (!tokenizer.has_value()) return terminal.report(tokenizer.error());
    terminal.status("");
    const std::string loaded = fmt::format("{} on {}, context {} tokens", model.architecture, model.device,
                                           groupDigits(static_cast<uint64_t>(model.contextTokens)));
    terminal.log("model", loaded);
    terminal.errLine("{}", loaded);

    auto chat = TerminalChat::open(terminal, *with.engine, *tokenizer, options.chat);
    if (!chat.has_value()) return terminal.report(chat.error());
    auto question = questionOf(std::move(*prompt), options, model);
    if (!question.has_value()) return terminal.report(question.error());
    if (interactive) return converse(terminal, with, *chat, std::move(*question));
    return concludeTurn(terminal, options, ask(terminal, with, *chat, *question));
}

}  // namespace

void addRunCommand(CLI::App& app, Runner& selected) {
    const auto options = std::make_shared<RunOptions>();
    const auto stored = std::make_shared<StoredOptions>();
    CLI::App* command = app.add_subcommand("run", "Chat with a model");
    addRunOptions(*command, *options);
    addStoredOptions(*command, *stored);
    command->footer(
        "pal run \"QUESTION\", pal run MODEL \"QUESTION\" and pal run -m MODEL \"QUESTION\" answer once; without a "
        "question\n"
        "standard input is the question, or, at a terminal, a conversation starts. A single argument is the model when "
        "it is a\n"
        "folder or has a slash and no blank. Files go before the question, then --image, then --video; -f - is text on "
        "standard\n"
        "input. The prompt is refused with its numbers when it does not fit the context.\n"
        "Answers go to standard output, progress and statistics to standard error.\n"
        "Ctrl-C stops an answer within one prefill step or token; at the prompt it leaves (130).");
    command->callback([options, stored, command, &selected] {
        noteGiven(*command, *stored);
        selected = [options, stored](Terminal& terminal) { return runChat(terminal, *options, *stored); };
    });
}

}  // namespace pal::cli
