// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/eval_media.h"
#include "app/cli/eval_suite.h"
#include "engine/api/engine.h"
#include "engine/api/tokenizer.h"

namespace pal::cli {

struct EvalOutcome {
    // Every token of the gold reply, of its thoughts too, is the most likely one after the gold prefix (teacher forcing). The tags between
    // the two do not count.
    bool exact = false;
    bool right = false;  // the model's own greedy reply is an accepted one
    std::string reply;   // that reply, without its thoughts
};

// Asks a model the questions of suites, always the most likely token. Main thread. Borrows the engine.
class EvalRunner {
  public:
    // `media` is nothing for a model that cannot see. Errors: those of openSession.
    static Result<EvalRunner> open(Engine& engine, Tokenizer tokenizer, std::optional<MediaConfig> media,
                                   Blinding blinding = Blinding::kNone);

    // Loads a conversation's pictures and clips; ask() is about this one from then on.
    Result<> begin(const EvalConversation& conversation);
    // Turn `index`, after the gold replies of those before. Errors: kCancelled; the engine's.
    Result<EvalOutcome> ask(size_t index, const std::stop_token& stop);

  private:
    EvalRunner(Engine& engine, Tokenizer tokenizer, std::optional<MediaConfig> media, Blinding blinding)
        : engine_(engine), tokenizer_(std::move(tokenizer)), media_(std::move(media)), blinding_(blinding) {}

    // The prompt of all messages up to the question of turn `index`, or with `reply` up to its answer.
    enum class Upto { kQuestion, kReply };
    Result<Prompt> makePrompt(size_t index, Upto upto) const;
    Result<std::vector<TokenId>> generate(Prompt prompt, int64_t most, const std::stop_token& stop);
    Result<bool> isExact(const Prompt& question, const std::vector<TokenId>& gold, const std::vector<TokenId>& said,
                         const std::stop_token& stop);

    Engine& engine_;
    Tokenizer tokenizer_;
    std::optional<MediaConfig> media_;
    Blinding blinding_;
    std::unique_ptr<Session> session_;
    const EvalConversation* conversation_ = nullptr;
    std::vector<ChatMessage> users_;                  // the user message of each turn
    std::vector<std::vector<EvalMedium>> userMedia_;  // its media
};

}  // namespace pal::cli
