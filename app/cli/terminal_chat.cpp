// SPDX-License-Identifier: Apache-2.0
#include "app/cli/terminal_chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/cli/format.h"
#include "app/cli/interrupt.h"
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

// The ids of `part` when they are a prefix of `whole`: where the messages of `part` end in it.
bool isPrefix(const std::vector<TokenId>& part, const std::vector<TokenId>& whole) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

}  // namespace

Result<TerminalChat> TerminalChat::open(Terminal& terminal, Engine& engine, Tokenizer tokenizer, ChatOptions options) {
    if (tokenizer.size() > engine.model().vocabulary) {
        return fail(ErrorCode::kConflict, "the vocabulary has {} tokens, the model has embeddings for {}",
                    tokenizer.size(), engine.model().vocabulary);
    }
    TerminalChat chat(terminal, std::move(tokenizer), std::move(options));
    PAL_ASSIGN(chat.session_, engine.openSession({}));
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

Result<std::vector<TokenId>> TerminalChat::encode(const ChatRequest& request) const {
    PAL_ASSIGN(const std::vector<Segment> segments, renderChat(request, tokenizer_.style()));
    return encodeSegments(tokenizer_, segments);
}

// Boundaries: before the last question, so that it can be asked anew, and behind it.
Result<Prompt> TerminalChat::makePrompt() const {
    Prompt prompt;
    PAL_ASSIGN(prompt.ids, encode(chat_));
    ChatRequest part = chat_;
    part.generationPrompt = GenerationPrompt::kNone;
    for (int i = 0; i < 2 && !part.messages.empty(); ++i) {
        PAL_ASSIGN(const std::vector<TokenId> ids, encode(part));
        if (!ids.empty() && isPrefix(ids, prompt.ids)) prompt.boundaries.push_back(std::ssize(ids));
        part.messages.pop_back();
    }
    return prompt;
}

Result<Answer> TerminalChat::ask(const std::string& question) {
    ChatMessage message;
    message.role = "user";
    message.content.push_back({ContentPart::Kind::kText, question});
    chat_.messages.push_back(std::move(message));
    const auto answer = [&]() -> Result<Answer> {
        PAL_ASSIGN(Prompt prompt, makePrompt());
        const GenerationLimits limits{options_.maxTokens, tokenizer_.stopIds()};
        PAL_ASSIGN(const RequestId request, session_->generate(std::move(prompt), options_.sampling, limits));
        return follow(request);
    }();
    if (!answer || answer->done.generated == 0) {
        chat_.messages.pop_back();
        return answer;
    }
    ChatMessage reply;
    reply.role = "assistant";
    reply.content.push_back({ContentPart::Kind::kText, answer->message.content});
    reply.reasoning = answer->message.reasoning;
    reply.toolCalls = answer->message.toolCalls;
    chat_.messages.push_back(std::move(reply));
    return answer;
}

Result<Answer> TerminalChat::follow(RequestId request) {
    const Interrupt interrupt;
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
