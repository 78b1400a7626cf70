// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/terminal.h"
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
    double firstTokenSeconds = 0;  // from the question to the first token
};

// A conversation on a terminal: keeps the messages, streams replies, shows how far the prompt is. Main thread.
class TerminalChat {
  public:
    // Borrows terminal and engine.
    static Result<TerminalChat> open(Terminal& terminal, Engine& engine, Tokenizer tokenizer, ChatOptions options);

    // Asks and streams the answer. Ctrl-C ends it within a prefill step or token; the conversation then keeps what was said so far (or, without
    // an answer, forgets the question). Errors: what the engine reports; the conversation stays as it was.
    Result<Answer> ask(const std::string& question);

  private:
    TerminalChat(Terminal& terminal, Tokenizer tokenizer, ChatOptions options)
        : terminal_(terminal), tokenizer_(std::move(tokenizer)), options_(std::move(options)) {}
    Result<Prompt> makePrompt() const;
    Result<std::vector<TokenId>> encode(const ChatRequest& request) const;
    Result<Answer> follow(RequestId request);

    Terminal& terminal_;
    Tokenizer tokenizer_;
    ChatOptions options_;
    ChatRequest chat_;
    std::unique_ptr<Session> session_;
};

// "1,234 prompt tokens (1,000 reused), first token after 1.2 s, 56 tokens at 11.6 tokens/s"
[[nodiscard]] std::string describeAnswer(const Answer& answer);

}  // namespace pal::cli
