// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/terminal.h"
#include "app/compose/prompt.h"
#include "engine/api/chat.h"
#include "engine/api/engine.h"
#include "engine/api/tokenizer.h"

namespace pal::cli {

struct ChatOptions {
    std::string system;
    Thinking thinking = Thinking::kOn;
    ThinkingEffort effort = ThinkingEffort::kMax;
    SamplingParams sampling;
    int64_t maxTokens = 0;           // of a reply; 0: up to the context limit
    std::vector<std::string> stops;  // texts that end an answer
    enum class Output { kStream, kSilent } output = Output::kStream;
};

// One answer with its numbers.
struct Answer {
    ParsedMessage message;
    PromptReady prompt;
    RequestDone done;
    TokenCounts counts;            // of the prompt
    double firstTokenSeconds = 0;  // from the question to the first token
};

// What a turn asks: text, and what is attached to it.
struct Question {
    std::vector<AttachedFile> attachments;
    std::string text;
    ComposeOptions options;
};

// A conversation on a terminal: keeps the messages, streams replies, shows how far the prompt is. Main thread.
class TerminalChat {
  public:
    // Borrows terminal and engine.
    static Result<TerminalChat> open(Terminal& terminal, Engine& engine, Tokenizer tokenizer, ChatOptions options);

    // Asks and streams the answer. Ctrl-C ends it within a prefill step or token; the conversation then keeps what was said so far (or, without
    // an answer, forgets the question). Errors: kInvalidArgument with the numbers when the prompt does not fit, what reading the media and
    // the engine report; the conversation stays as it was.
    Result<Answer> ask(const Question& question);
    // Lets go of the engine; moveTo() comes before the next question.
    void leave() { session_.reset(); }
    // Goes on with another engine of the same model, which it borrows; the conversation stays. Errors: those of Engine::openSession.
    Result<> moveTo(Engine& engine);

  private:
    TerminalChat(Terminal& terminal, Tokenizer tokenizer, ChatOptions options)
        : terminal_(terminal), tokenizer_(std::move(tokenizer)), options_(std::move(options)) {}
    Result<Answer> answer(const Question& question, ComposedMessage& asked, const Interrupt& interrupt);
    Result<ComposedMessage> compose(const Question& question, const Interrupt& interrupt);
    Result<Answer> follow(RequestId request, const Interrupt& interrupt);

    Terminal& terminal_;
    Tokenizer tokenizer_;
    ChatOptions options_;
    ChatRequest chat_;
    ComposedMessages composed_;  // the questions of chat_
    int64_t contextTokens_ = 0;
    std::unique_ptr<Session> session_;
};

// "1,234 prompt tokens (1,000 reused), first token after 1.2 s, 56 tokens at 11.6 tokens/s"
[[nodiscard]] std::string describeAnswer(const Answer& answer);

}  // namespace pal::cli
