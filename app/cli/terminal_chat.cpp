// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal_chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/cli/attachment_options.h"
#include "app/cli/format.h"
#include "app/cli/reply_printer.h"

namespace pal::cli {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double rate(int64_t count, double seconds) {
    return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

void showProgress(Terminal& terminal, const PrefillProgress& at) {
    const int64_t left = at.total - at.reused - at.computed;
    const double speed = rate(at.computed, at.seconds);
    std::string line =
        fmt::format("Reading {} of {} tokens", groupDigits(static_cast<uint64_t>(at.reused + at.computed)),
                    groupDigits(static_cast<uint64_t>(at.total)));
    if (at.reused > 0) line += fmt::format(" ({} reused)", groupDigits(static_cast<uint64_t>(at.reused)));
    if (speed > 0) {
        line += fmt::format(", {:.1f} tokens/s, {} left", speed, formatDuration(static_cast<double>(left) / speed));
    }
    terminal.status(line);
}

}  // namespace

Result<TerminalChat> TerminalChat::open(Terminal& terminal, Engine& engine, Tokenizer tokenizer, ChatOptions options) {
    if (tokenizer.size() > engine.model().vocabulary) {
        return fail(ErrorCode::kConflict, "the vocabulary has {} tokens, the model has embeddings for {}",
                    tokenizer.size(), engine.model().vocabulary);
    }
    TerminalChat chat(terminal, std::move(tokenizer), std::move(options));
    PAL_TRY(chat.moveTo(engine));
    chat.chat_.thinking = chat.options_.thinking;
    chat.chat_.effort = chat.options_.effort;
    if (!chat.options_.system.empty()) {
        ChatMessage system;
        system.role = "system";
        system.content.push_back({ContentPart::Kind::kText, chat.options_.system});
        chat.chat_.messages.push_back(std::move(system));
    }
    return chat;
}

Result<> TerminalChat::moveTo(Engine& engine) {
    PAL_ASSIGN(session_, engine.openSession({}));
    contextTokens_ = engine.model().contextTokens;
    return {};
}

// Reads documents and probes media; the options' callbacks are this chat's.
Result<ComposedMessage> TerminalChat::compose(const Question& question, const Interrupt& interrupt) {
    ComposeOptions options = question.options;
    showComposing(terminal_, interrupt, options);
    PAL_ASSIGN(ComposedMessage message, composeMessage(question.attachments, question.text, options));
    for (const std::string& warning : message.warnings) terminal_.errLine("Note: {}", warning);
    return message;
}

Result<Answer> TerminalChat::ask(const Question& question) {
    const Interrupt interrupt;
    PAL_ASSIGN(ComposedMessage message, compose(question, interrupt));
    const size_t index = chat_.messages.size();
    chat_.messages.push_back(message.message);
    ComposedMessage& asked = composed_[index] = std::move(message);
    Result<Answer> said = answer(question, asked, interrupt);
    if (!said || said->done.generated == 0) {
        chat_.messages.pop_back();
        composed_.erase(index);
        return said;
    }
    ChatMessage reply;
    reply.role = "assistant";
    reply.content.push_back({ContentPart::Kind::kText, said->message.content});
    reply.reasoning = said->message.reasoning;
    reply.toolCalls = said->message.toolCalls;
    chat_.messages.push_back(std::move(reply));
    return said;
}

// What it costs is known before any picture is decoded.
Result<Answer> TerminalChat::answer(const Question& question, ComposedMessage& asked, const Interrupt& interrupt) {
    PAL_ASSIGN(const MappedPrompt planned, mapPrompt(chat_, composed_, tokenizer_));
    PAL_TRY(checkFits(planned, chat_.messages.size() - 1, composed_, {contextTokens_, 0}));
    constexpr uint64_t kMostMediaBytes = uint64_t{4} << 30;  // float32 pixels of one question
    PAL_TRY(checkMediaMemory(asked, kMostMediaBytes));
    const auto progress = [&](size_t done, size_t total) {
        if (total > 0) terminal_.status(fmt::format("Decoding {} of {} pictures", done, total));
    };
    PAL_TRY(loadMedia(asked, question.attachments, question.options, progress, interrupt.token()));
    const GenerationLimits limits{options_.maxTokens, tokenizer_.stopIds()};
    PAL_ASSIGN(const RequestId request, session_->generate(planned.loaded(composed_), options_.sampling, limits));
    PAL_ASSIGN(Answer said, follow(request, interrupt));
    said.counts = planned.counts();
    return said;
}

Result<Answer> TerminalChat::follow(RequestId request, const Interrupt& interrupt) {
    const auto start = Clock::now();
    OutputParser parser(tokenizer_, options_.thinking == Thinking::kOn ? OutputStart::kThink : OutputStart::kResponse,
                        options_.stops);
    ReplyPrinter printer(terminal_);
    Answer answer;
    std::vector<OutputDelta> deltas;
    const auto show = [&] {
        if (options_.output == ChatOptions::Output::kStream) printer.print(deltas);
        deltas.clear();
    };
    bool running = true;
    while (running) {
        session_->wait(interrupt.requested() ? std::stop_token() : interrupt.token());
        if (interrupt.requested()) session_->cancel();
        for (const Event& event : session_->drain()) {
            if (const auto* at = std::get_if<PrefillProgress>(&event)) {
                showProgress(terminal_, *at);
            } else if (const auto* ready = std::get_if<PromptReady>(&event)) {
                answer.prompt = *ready;
                terminal_.status("");
            } else if (const auto* token = std::get_if<TokenGenerated>(&event)) {
                if (answer.firstTokenSeconds == 0) answer.firstTokenSeconds = secondsSince(start);
                parser.push(token->token, deltas);
                show();
                if (parser.metStop()) session_->cancel();
            } else if (const auto* done = std::get_if<RequestDone>(&event);
                       done != nullptr && done->request == request) {
                answer.done = *done;
                running = false;
            }
        }
    }
    if (parser.metStop() && answer.done.cause == EndCause::kCancelled) answer.done.cause = EndCause::kStop;
    parser.finish(deltas);
    show();
    printer.finish();
    if (answer.done.error) return fail(*answer.done.error);
    answer.message = parser.message();
    return answer;
}

std::string describeAnswer(const Answer& answer) {
    const auto number = [](int64_t value) { return groupDigits(static_cast<uint64_t>(value)); };
    std::string line = fmt::format("{} prompt tokens", number(answer.prompt.reused + answer.prompt.computed));
    if (answer.counts.image > 0) line += fmt::format(", {} of pictures", number(answer.counts.image));
    if (answer.counts.video > 0) line += fmt::format(", {} of clips", number(answer.counts.video));
    if (answer.prompt.reused > 0) line += fmt::format(" ({} reused)", number(answer.prompt.reused));
    if (answer.prompt.computed > 0 && answer.prompt.seconds > 0) {
        line += fmt::format(" at {:.1f} tokens/s", rate(answer.prompt.computed, answer.prompt.seconds));
    }
    line += fmt::format(", first token after {}, {} tokens", formatDuration(answer.firstTokenSeconds),
                        number(answer.done.generated));
    if (answer.done.generated > 1) {
        line += fmt::format(" at {:.1f} tokens/s", rate(answer.done.generated - 1, answer.done.decodeSeconds));
    }
    if (answer.done.cause == EndCause::kCancelled) line += ", stopped";
    if (answer.done.cause == EndCause::kLength) line += ", token limit reached";
    if (answer.done.cause == EndCause::kContextFull) line += ", context full";
    return line;
}

}  // namespace pal::cli
