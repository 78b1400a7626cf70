// SPDX-License-Identifier: Apache-2.0
#include "app/cli/eval_runner.h"

#include <algorithm>

namespace pal::cli {
namespace {

// The tokens of a reply that are scored: its thoughts (in thinking mode) and its answer, each with the <|close|> that ends it.
struct ScoredRuns {
    size_t thinkEnd = 0;  // [0, thinkEnd)
    size_t answerBegin = 0, answerEnd = 0;
};

ScoredRuns scoredRuns(const std::vector<TokenId>& gold, TokenId close, TokenId separator, Thinking thinking) {
    const auto after = [&](TokenId id, size_t from) {
        const auto at = std::find(gold.begin() + static_cast<ptrdiff_t>(from), gold.end(), id);
        return static_cast<size_t>(at - gold.begin()) + (at != gold.end() ? 1U : 0U);
    };
    ScoredRuns runs;
    if (thinking == Thinking::kOn) {
        runs.thinkEnd = after(close, 0);
        runs.answerBegin = after(separator, after(separator, runs.thinkEnd));  // closes think, opens response
    }
    runs.answerEnd = after(close, runs.answerBegin);
    return runs;
}

bool sameTokens(const std::vector<TokenId>& gold, size_t begin, size_t end, const std::vector<TokenId>& said,
                size_t saidBegin) {
    if (said.size() < saidBegin + (end - begin)) return false;
    return std::equal(gold.begin() + static_cast<ptrdiff_t>(begin), gold.begin() + static_cast<ptrdiff_t>(end),
                      said.begin() + static_cast<ptrdiff_t>(saidBegin));
}

ChatMessage assistantMessage(const EvalTurn& turn) {
    ChatMessage message;
    message.role = "assistant";
    message.content.push_back({ContentPart::Kind::kText, turn.answer});
    message.reasoning = turn.think;
    return message;
}

ChatRequest requestOf(const EvalConversation& conversation) {
    ChatRequest request;
    request.thinking = conversation.thinking;
    if (conversation.thinking == Thinking::kOn) request.effort = conversation.effort;
    if (!conversation.system.empty()) {
        ChatMessage system;
        system.role = "system";
        system.content.push_back({ContentPart::Kind::kText, conversation.system});
        request.messages.push_back(std::move(system));
    }
    return request;
}

}  // namespace

Result<EvalRunner> EvalRunner::open(Engine& engine, Tokenizer tokenizer, std::optional<MediaConfig> media,
                                    Blinding blinding) {
    if (tokenizer.style() != ChatStyle::kK3)
        return fail(ErrorCode::kUnsupported, "the suites are written for the chat format of Kimi K3");
    EvalRunner runner(engine, std::move(tokenizer), std::move(media), blinding);
    PAL_ASSIGN(runner.session_, engine.openSession({}));
    return runner;
}

Result<> EvalRunner::begin(const EvalConversation& conversation) {
    conversation_ = &conversation;
    users_.clear();
    userMedia_.clear();
    for (const EvalTurn& turn : conversation.turns) {
        ChatMessage user;
        user.role = "user";
        std::vector<EvalMedium>& all = userMedia_.emplace_back();
        for (const EvalPart& part : turn.user) {
            if (!part.media) {
                user.content.push_back({ContentPart::Kind::kText, part.text});
                continue;
            }
            if (!media_) return fail(ErrorCode::kUnsupported, "{}: this model cannot see", conversation.id);
            PAL_ASSIGN(std::vector<EvalMedium> media, loadEvalMedia(*part.media, *media_, blinding_));
            for (EvalMedium& medium : media) {
                user.content.push_back({ContentPart::Kind::kImage, medium.prompt});
                all.push_back(std::move(medium));
            }
        }
        users_.push_back(std::move(user));
    }
    return {};
}

Result<Prompt> EvalRunner::makePrompt(size_t index, Upto upto) const {
    ChatRequest request = requestOf(*conversation_);
    Prompt prompt;
    std::vector<uint32_t> counts;
    for (size_t i = 0; i <= index; ++i) {
        request.messages.push_back(users_[i]);
        for (const EvalMedium& medium : userMedia_[i]) {
            PAL_ASSIGN(const int64_t rows, engine_.mediaRows(*medium.input));
            counts.push_back(static_cast<uint32_t>(rows));
            prompt.media.push_back(medium.input);
        }
        if (i < index || upto == Upto::kReply) request.messages.push_back(assistantMessage(conversation_->turns[i]));
    }
    const auto encode = [&]() -> Result<std::vector<TokenId>> {
        PAL_ASSIGN(const std::vector<Segment> segments, renderChat(request, tokenizer_.style()));
        const std::vector<TokenId> ids = encodeSegments(tokenizer_, segments);
        if (counts.empty()) return ids;
        return expandMediaPads(ids, counts, tokenizer_.mediaPadId().value_or(-1));
    };
    request.generationPrompt = GenerationPrompt::kNone;
    PAL_ASSIGN(prompt.ids, encode());
    if (upto == Upto::kReply) return prompt;
    prompt.boundaries.push_back(std::ssize(prompt.ids));  // the next question parts from this one behind here
    request.generationPrompt = GenerationPrompt::kAdd;
    PAL_ASSIGN(prompt.ids, encode());
    return prompt;
}

Result<std::vector<TokenId>> EvalRunner::generate(Prompt prompt, int64_t most, const std::stop_token& stop) {
    SamplingParams greedy;
    greedy.temperature = 0;
    PAL_ASSIGN(const RequestId request, session_->generate(std::move(prompt), greedy, {most, tokenizer_.stopIds()}));
    std::vector<TokenId> out;
    while (true) {
        session_->wait(stop.stop_requested() ? std::stop_token() : stop);
        if (stop.stop_requested()) session_->cancel();
        for (const Event& event : session_->drain()) {
            if (const auto* token = std::get_if<TokenGenerated>(&event)) out.push_back(token->token);
            const auto* done = std::get_if<RequestDone>(&event);
            if (done == nullptr || done->request != request) continue;
            if (done->error) return fail(*done->error);
            if (done->cause == EndCause::kCancelled) return fail(ErrorCode::kCancelled, "interrupted");
            return out;
        }
    }
}

Result<EvalOutcome> EvalRunner::ask(size_t index, const std::stop_token& stop) {
    PAL_ASSIGN(const Prompt question, makePrompt(index, Upto::kQuestion));
    PAL_ASSIGN(const Prompt whole, makePrompt(index, Upto::kReply));
    const std::vector<TokenId> gold(whole.ids.begin() + std::ssize(question.ids), whole.ids.end());
    // Room for an answer in other words; a reply that runs on is wrong anyway.
    PAL_ASSIGN(const std::vector<TokenId> said, generate(question, 2 * std::ssize(gold) + 32, stop));

    EvalOutcome outcome;
    PAL_ASSIGN(outcome.exact, isExact(question, gold, said, stop));
    OutputParser parser(tokenizer_,
                        conversation_->thinking == Thinking::kOn ? OutputStart::kThink : OutputStart::kResponse);
    std::vector<OutputDelta> deltas;
    for (const TokenId id : said) parser.push(id, deltas);
    parser.finish(deltas);
    outcome.reply = parser.message().content;
    outcome.right = isRightReply(outcome.reply, conversation_->turns[index]);
    return outcome;
}

// A greedy reply that begins with the gold tokens proves each the most likely after those before. Only when it leaves them in the tags
// between thoughts and answer, the answer has to be tried after the gold ones.
Result<bool> EvalRunner::isExact(const Prompt& question, const std::vector<TokenId>& gold,
                                 const std::vector<TokenId>& said, const std::stop_token& stop) {
    const TokenId close = tokenizer_.controlId("<|close|>").value_or(-1);
    const TokenId separator = tokenizer_.controlId("<|sep|>").value_or(-1);
    const ScoredRuns runs = scoredRuns(gold, close, separator, conversation_->thinking);
    if (!sameTokens(gold, 0, runs.thinkEnd, said, 0)) return false;
    if (sameTokens(gold, 0, runs.answerBegin, said, 0))
        return sameTokens(gold, runs.answerBegin, runs.answerEnd, said, runs.answerBegin);
    Prompt answer = question;
    answer.ids.insert(answer.ids.end(), gold.begin(), gold.begin() + static_cast<ptrdiff_t>(runs.answerBegin));
    PAL_ASSIGN(const std::vector<TokenId> then,
               generate(std::move(answer), static_cast<int64_t>(runs.answerEnd - runs.answerBegin), stop));
    return sameTokens(gold, runs.answerBegin, runs.answerEnd, then, 0);
}

}  // namespace pal::cli
