// SPDX-License-Identifier: Apache-2.0
// The engine thread and its sessions, on the small checkpoint tiny-k3 (K3 with vision).
#include "engine/api/engine.h"
#include "engine/api/model_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "tests/support/request_outcome.h"

namespace pal {
namespace {

using test::Outcome;
using test::waitFor;

const char* const kModel = "tests/golden/tiny-k3/checkpoint";
constexpr TokenId kPad = 503;
constexpr std::chrono::milliseconds kTimeToFill(100);  // for a request to run into its full channel

std::vector<TokenId> someTokens(int64_t count, int64_t salt = 0) {
    std::vector<TokenId> out;
    for (int64_t i = 0; i < count; ++i) out.push_back(static_cast<TokenId>((37 * i + 11 + salt * (i % 7 + 1)) % 500));
    return out;
}

Prompt textPrompt(std::vector<TokenId> ids, std::vector<int64_t> boundaries = {}) {
    return {std::move(ids), {}, std::move(boundaries)};
}

std::shared_ptr<const MediaInput> picture(float tint) {
    MediaInput media{1, 4, 6, {}};
    for (int i = 0; i < 24 * 588; ++i) media.patches.push_back(tint * static_cast<float>(i % 13 - 6) / 6);
    return std::make_shared<const MediaInput>(std::move(media));
}

SamplingParams greedy() {
    SamplingParams params;
    params.temperature = 0;
    return params;
}

class EngineTest : public ::testing::Test {
  protected:
    EngineTest() { reload({}); }

    void reload(EngineOptions options) {
        options.threads = 1;
        options.chunkTokens = 64;
        engine_.reset();
        auto engine = loadEngine(kModel, options);
        EXPECT_TRUE(engine.has_value()) << engine.error().message;
        engine_ = std::move(*engine);
    }
    std::unique_ptr<Session> open() { return std::move(engine_->openSession({}).value()); }

    static Outcome generate(Session& session, Prompt prompt, int64_t tokens,
                            const SamplingParams& sampling = greedy()) {
        const auto request = session.generate(std::move(prompt), sampling, {tokens, {}});
        EXPECT_TRUE(request.has_value());
        return waitFor(session, *request);
    }
    static Outcome sync(Session& session, Prompt prompt) {
        const auto request = session.sync(std::move(prompt));
        EXPECT_TRUE(request.has_value());
        return waitFor(session, *request);
    }
    // What a session that knows nothing answers.
    std::vector<TokenId> freshReply(const Prompt& prompt, int64_t tokens) {
        return generate(*open(), prompt, tokens).tokens;
    }

    std::unique_ptr<Engine> engine_;
};

TEST_F(EngineTest, TellsWhatTheModelIs) {
    const ModelInfo& model = engine_->model();
    EXPECT_EQ(model.vocabulary, 512);
    EXPECT_EQ(model.contextTokens, 1048576);
    EXPECT_TRUE(model.vision);
    EXPECT_EQ(model.mediaPlaceholder, kPad);
    EXPECT_EQ(model.stopIds, std::vector<TokenId>{501});
    EXPECT_EQ(model.stateBytesPerToken, 3U * 576 * 4);
    EXPECT_EQ(engine_->mediaRows(*picture(1)).value(), 6);
    const auto shown = describeModel(kModel, 0);
    ASSERT_TRUE(shown.has_value());
    EXPECT_EQ(model.stateBytes, shown->checkpointBytes);
    EXPECT_EQ(model.stateBytesPerToken, shown->latentBytesPerToken);
    EXPECT_EQ(shown->convTailType + shown->latentType, "f32f32");
}

TEST_F(EngineTest, AReplyIsTheSameInOneRequestAndTokenByToken) {
    constexpr int64_t kTokens = 24;
    auto session = open();
    const Outcome whole = generate(*session, textPrompt(someTokens(203)), kTokens);
    EXPECT_EQ(whole.ready.reused, 0);
    EXPECT_EQ(whole.ready.computed, 203);
    EXPECT_EQ(whole.done.cause, EndCause::kLength);
    EXPECT_EQ(whole.done.generated, kTokens);
    ASSERT_EQ(std::ssize(whole.tokens), kTokens);
    for (size_t i = 0; i < kTokens; ++i) EXPECT_EQ(whole.positions[i], 203 + static_cast<int64_t>(i));

    std::vector<TokenId> soFar = someTokens(203);
    for (const TokenId token : whole.tokens) {
        const Outcome one = generate(*session, textPrompt(soFar), 1);
        ASSERT_EQ(one.tokens, std::vector<TokenId>{token});
        soFar.push_back(token);
    }
}

TEST_F(EngineTest, TheNextTurnComputesOnlyWhatIsNew) {
    auto session = open();
    const Outcome first = generate(*session, textPrompt(someTokens(300)), 8);
    std::vector<TokenId> next = someTokens(300);
    next.insert(next.end(), first.tokens.begin(), first.tokens.end());
    for (const TokenId id : someTokens(20, 3)) next.push_back(id);
    const Outcome second = generate(*session, textPrompt(next), 8);
    EXPECT_EQ(second.ready.reused, 307) << "the last token of a reply is drawn but not read";
    EXPECT_EQ(second.ready.computed, 21);
    EXPECT_EQ(second.tokens, freshReply(textPrompt(next), 8));
}

TEST_F(EngineTest, AnotherReplyToTheSamePromptComputesNothing) {
    auto session = open();
    const Prompt prompt = textPrompt(someTokens(150));
    const Outcome first = generate(*session, prompt, 8);
    const Outcome again = generate(*session, prompt, 8);
    EXPECT_EQ(again.ready.reused, 150);
    EXPECT_EQ(again.ready.computed, 0);
    EXPECT_EQ(again.tokens, first.tokens);
}

TEST_F(EngineTest, AnEditStartsAtTheNearestCheckpoint) {
    auto session = open();
    generate(*session, textPrompt(someTokens(1000), {400, 720}), 4);
    std::vector<TokenId> edited = someTokens(1000);
    edited[750] = 7;
    const Outcome reply = generate(*session, textPrompt(edited, {400, 720}), 6);
    EXPECT_EQ(reply.ready.reused, 720) << "the end of the message before the edit";
    EXPECT_EQ(reply.ready.computed, 280);
    EXPECT_EQ(reply.tokens, freshReply(textPrompt(edited, {400, 720}), 6));
}

TEST_F(EngineTest, AnEditInsideALongMessageRecomputesAboutItsDistance) {
    auto session = open();
    sync(*session, textPrompt(someTokens(2000)));
    std::vector<TokenId> edited = someTokens(2000);
    edited[1700] = 7;
    const Outcome reply = sync(*session, textPrompt(edited));
    EXPECT_GE(reply.ready.reused, 2000 - 2 * 300 - 64);
    EXPECT_LE(reply.ready.reused, 1700);
}

TEST_F(EngineTest, WithoutCheckpointsAnEditStartsOver) {
    EngineOptions options;
    options.checkpointBytes = 0;
    reload(options);
    auto session = open();
    sync(*session, textPrompt(someTokens(300)));
    const Outcome shorter = sync(*session, textPrompt(someTokens(200)));
    EXPECT_EQ(shorter.ready.reused, 0);
    EXPECT_EQ(shorter.ready.computed, 200);
}

TEST_F(EngineTest, CancelStopsWithinAChunkAndKeepsWhatIsDone) {
    constexpr int64_t kTokens = 20000;  // far from done when the first chunks are reported
    auto session = open();
    const Prompt prompt = textPrompt(someTokens(kTokens));
    const auto request = session->generate(prompt, greedy(), {4, {}});
    ASSERT_TRUE(request.has_value());
    int64_t seen = 0;
    while (seen < 128) {
        session->wait({});
        for (const Event& event : session->drain()) {
            if (const auto* progress = std::get_if<PrefillProgress>(&event)) seen = progress->computed;
        }
    }
    session->cancel();
    session->cancel();
    const Outcome stopped = waitFor(*session, *request);
    EXPECT_EQ(stopped.done.cause, EndCause::kCancelled);
    EXPECT_GE(stopped.done.position, seen);
    EXPECT_LT(stopped.done.position, kTokens);
    EXPECT_TRUE(stopped.tokens.empty());

    const Prompt shorter = textPrompt(someTokens(stopped.done.position + 100));
    const Outcome resumed = generate(*session, shorter, 4);
    EXPECT_EQ(resumed.ready.reused, stopped.done.position);
    EXPECT_EQ(resumed.ready.computed, 100);
    EXPECT_EQ(resumed.tokens, freshReply(shorter, 4));
}

TEST_F(EngineTest, CancelStopsAReplyAndQueuedRequests) {
    auto session = open();
    const auto first = session->generate(textPrompt(someTokens(10)), greedy(), {100000, {}});
    const auto second = session->generate(textPrompt(someTokens(20)), greedy(), {100000, {}});
    ASSERT_TRUE(first && second);
    std::vector<TokenId> tokens;
    while (tokens.size() < 3) {
        session->wait({});
        for (const Event& event : session->drain()) {
            if (const auto* token = std::get_if<TokenGenerated>(&event)) tokens.push_back(token->token);
        }
    }
    session->cancel();
    std::vector<RequestDone> ends;
    while (ends.size() < 2) {
        session->wait({});
        for (const Event& event : session->drain()) {
            if (const auto* done = std::get_if<RequestDone>(&event)) ends.push_back(*done);
        }
    }
    EXPECT_EQ(ends[0].request, *first);
    EXPECT_EQ(ends[0].cause, EndCause::kCancelled);
    EXPECT_GE(ends[0].position, 12);
    EXPECT_EQ(ends[1].request, *second);
    EXPECT_EQ(ends[1].cause, EndCause::kCancelled);
    EXPECT_EQ(generate(*session, textPrompt(someTokens(10)), 3).tokens.size(), 3U) << "later requests are not affected";
}

TEST_F(EngineTest, RefusedPromptsChangeNothing) {
    EngineOptions options;
    options.contextTokens = 500;
    reload(options);
    auto session = open();
    const Prompt good = textPrompt(someTokens(100));
    sync(*session, good);

    const auto refusal = [&](Prompt prompt) {
        const Outcome outcome = sync(*session, std::move(prompt));
        EXPECT_EQ(outcome.done.cause, EndCause::kFailed);
        EXPECT_EQ(outcome.done.position, 100);
        return outcome.done.error ? outcome.done.error->message : "";
    };
    EXPECT_EQ(refusal(textPrompt({})), "the prompt is empty: 0 tokens, at least 1 is needed");
    EXPECT_EQ(refusal(textPrompt(someTokens(501))), "the prompt has 501 tokens, the context holds 500: 1 too many");
    EXPECT_EQ(refusal(textPrompt({1, 2, 512})), "token 2 of the prompt is 512, the vocabulary is 0 to 511");
    EXPECT_EQ(refusal(textPrompt({1, -1, 3})), "token 1 of the prompt is -1, the vocabulary is 0 to 511");
    EXPECT_EQ(refusal(textPrompt({1, kPad, 3})), "the prompt has 1 media placeholders, its 0 media fill 0");
    Prompt apart{{kPad, kPad, 1, kPad, kPad, kPad, kPad}, {picture(1)}, {}};
    EXPECT_EQ(refusal(apart), "medium 0 fills 6 placeholders, 2 stand together at token 0");
    auto broken = std::make_shared<MediaInput>(*picture(1));
    broken->patches.pop_back();
    EXPECT_EQ(refusal({{kPad}, {broken}, {}}), "a medium of 1 x 4 x 6 patches holds 14111 values, expected 14112");

    EXPECT_EQ(refusal({{kPad}, {nullptr}, {}}), "medium 0 of 1 is null");
    EXPECT_EQ(refusal({{kPad}, {std::make_shared<MediaInput>(MediaInput{1, 2, 514, {}})}, {}}),
              "a medium has 2 x 514 patches, the model reads at most 512 x 512");
    EXPECT_EQ(refusal({{kPad}, {std::make_shared<MediaInput>(MediaInput{1, 1LL << 62, 1LL << 62, {}})}, {}}),
              "a medium has 4611686018427387904 x 4611686018427387904 patches, the model reads at most 512 x 512");

    EXPECT_EQ(generate(*session, good, -1).done.error.value().message,
              "a reply of -1 tokens: at least 1, or 0 for no limit");
    SamplingParams bad;
    bad.topP = 2;
    const Outcome outcome = generate(*session, good, 1, bad);
    EXPECT_EQ(outcome.done.cause, EndCause::kFailed);
    EXPECT_EQ(sync(*session, good).ready.reused, 100);
}

TEST_F(EngineTest, AReplyEndsAtTheContextLimit) {
    EngineOptions options;
    options.contextTokens = 20;
    reload(options);
    const Outcome reply = generate(*open(), textPrompt(someTokens(15)), 100);
    EXPECT_EQ(reply.done.cause, EndCause::kContextFull);
    EXPECT_EQ(reply.tokens.size(), 5U);
    EXPECT_EQ(reply.positions.back(), 19);
    EXPECT_FALSE(loadEngine(kModel,
                            [] {
                                EngineOptions tooLong;
                                tooLong.contextTokens = 1048577;
                                return tooLong;
                            }())
                     .has_value());
}

TEST_F(EngineTest, AStopIdEndsTheReply) {
    auto session = open();
    const Outcome free = generate(*session, textPrompt(someTokens(50)), 12);
    const TokenId stop = free.tokens[7];
    const auto first = std::find(free.tokens.begin(), free.tokens.end(), stop) - free.tokens.begin();
    const auto request = session->generate(textPrompt(someTokens(50)), greedy(), {12, {stop}});
    const Outcome stopped = waitFor(*session, *request);
    EXPECT_EQ(stopped.done.cause, EndCause::kStop);
    EXPECT_EQ(std::ssize(stopped.tokens), first + 1);
}

TEST_F(EngineTest, ASeedRepeatsAReply) {
    auto session = open();
    SamplingParams params;
    params.seed = 5;
    const Prompt prompt = textPrompt(someTokens(40));
    const auto first = generate(*session, prompt, 20, params).tokens;
    EXPECT_EQ(generate(*session, prompt, 20, params).tokens, first);
    EXPECT_EQ(generate(*open(), prompt, 20, params).tokens, first);
    params.seed = 6;
    EXPECT_NE(generate(*session, prompt, 20, params).tokens, first);
}

TEST_F(EngineTest, SessionsDoNotMix) {
    auto one = open();
    auto two = open();
    const Prompt a = textPrompt(someTokens(90, 1));
    const Prompt b = textPrompt(someTokens(90, 2));
    const auto requestA = one->generate(a, greedy(), {10, {}});
    const auto requestB = two->generate(b, greedy(), {10, {}});
    const auto tokensB = waitFor(*two, *requestB).tokens;
    const auto tokensA = waitFor(*one, *requestA).tokens;
    EXPECT_EQ(tokensA, freshReply(a, 10));
    EXPECT_EQ(tokensB, freshReply(b, 10));
    EXPECT_NE(tokensA, tokensB);
}

TEST_F(EngineTest, ASessionMayGoWhileItWorksAndNobodyDrains) {
    auto session = open();
    ASSERT_TRUE(session->generate(textPrompt(someTokens(10)), greedy(), {0, {}}).has_value());
    session.reset();
    EXPECT_EQ(generate(*open(), textPrompt(someTokens(10)), 2).tokens.size(), 2U);
}

// Events of a reply without end stop at the channel's capacity; nobody drains.
TEST_F(EngineTest, ASessionThatNobodyDrainsParksAndOthersRun) {
    EngineOptions options;
    options.eventCapacity = 3;
    reload(options);
    const std::vector<TokenId> alone = freshReply(textPrompt(someTokens(10)), 12);
    auto silent = open();
    const auto parked = silent->generate(textPrompt(someTokens(10)), greedy(), {12, {}});
    const auto behind = silent->generate(textPrompt(someTokens(20)), greedy(), {2, {}});
    ASSERT_TRUE(parked && behind);
    for (int64_t round = 0; round < 3; ++round) {
        const Prompt prompt = textPrompt(someTokens(30, round));
        EXPECT_EQ(generate(*open(), prompt, 5).tokens.size(), 5U);
    }
    const Outcome late = waitFor(*silent, *parked);
    EXPECT_EQ(late.done.cause, EndCause::kLength);
    EXPECT_EQ(late.tokens, alone) << "what ran in between left no trace";
    EXPECT_EQ(waitFor(*silent, *behind).tokens.size(), 2U) << "requests of a session stay in order";
}

TEST_F(EngineTest, ManySessionsWithLittleRoomAllEnd) {
    EngineOptions options;
    options.eventCapacity = 1;
    reload(options);
    const std::vector<TokenId> alone = freshReply(textPrompt(someTokens(8)), 10);
    std::vector<std::jthread> users;
    std::atomic<int> right = 0;
    for (int user = 0; user < 4; ++user) {
        users.emplace_back([&] {
            auto session = open();
            for (int turn = 0; turn < 3; ++turn) {
                right += generate(*session, textPrompt(someTokens(8)), 10).tokens == alone ? 1 : 0;
            }
        });
    }
    users.clear();
    EXPECT_EQ(right.load(), 12);
}

TEST_F(EngineTest, AParkedSessionCanBeCancelled) {
    EngineOptions options;
    options.eventCapacity = 2;
    reload(options);
    auto silent = open();
    const auto endless = silent->generate(textPrompt(someTokens(10)), greedy(), {0, {}});
    ASSERT_TRUE(endless.has_value());
    std::this_thread::sleep_for(kTimeToFill);
    silent->cancel();
    const Outcome stopped = waitFor(*silent, *endless);
    EXPECT_EQ(stopped.done.cause, EndCause::kCancelled);
    EXPECT_LE(stopped.tokens.size(), 2U);
    EXPECT_EQ(generate(*silent, textPrompt(someTokens(10)), 2).tokens.size(), 2U);
}

TEST_F(EngineTest, ASessionTakesALimitedNumberOfRequests) {
    EngineOptions options;
    options.eventCapacity = 1;
    reload(options);
    auto silent = open();
    Result<RequestId> request = RequestId{0};
    int accepted = 0;
    for (; request && accepted < 1000; ++accepted) {
        request = silent->generate(textPrompt(someTokens(10)), greedy(), {0, {}});
        if (accepted % 16 == 0) generate(*open(), textPrompt(someTokens(5)), 1);  // the engine takes what is queued
    }
    EXPECT_EQ(accepted, 65);
    EXPECT_EQ(request.error().code, ErrorCode::kBusy);
    EXPECT_EQ(generate(*open(), textPrompt(someTokens(5)), 1).tokens.size(), 1U);
}

TEST_F(EngineTest, TheEngineEndsThoughSessionsAreFull) {
    EngineOptions options;
    options.eventCapacity = 2;
    reload(options);
    auto cancelled = open();
    ASSERT_TRUE(cancelled->generate(textPrompt(someTokens(10)), greedy(), {0, {}}).has_value());
    cancelled->cancel();
    auto full = open();
    const auto endless = full->generate(textPrompt(someTokens(10)), greedy(), {0, {}});
    ASSERT_TRUE(endless.has_value());
    std::this_thread::sleep_for(kTimeToFill);
    engine_.reset();
    const Outcome outcome = waitFor(*full, *endless);
    EXPECT_EQ(outcome.done.cause, EndCause::kCancelled);
}

// The engine's thread takes requests between two others: those behind an endless one are still in its queue when it ends.
TEST_F(EngineTest, RequestsThatNeverBeganHaveTheirEndToo) {
    EngineOptions options;
    options.eventCapacity = 1 << 20;  // it is not parked, which would let others run
    reload(options);
    auto busy = open();
    const auto endless = busy->generate(textPrompt(someTokens(10)), greedy(), {0, {}});
    ASSERT_TRUE(endless.has_value());
    busy->wait({});
    auto other = open();
    std::vector<std::pair<Session*, RequestId>> waiting;
    for (int i = 0; i < 8; ++i) {
        Session* session = i % 2 == 0 ? busy.get() : other.get();
        waiting.emplace_back(session, session->sync(textPrompt(someTokens(5))).value());
    }
    engine_.reset();
    std::map<std::pair<Session*, RequestId>, EndCause> ends;
    for (Session* session : {busy.get(), other.get()}) {
        for (const Event& event : session->drain()) {
            if (const auto* done = std::get_if<RequestDone>(&event)) ends[{session, done->request}] = done->cause;
        }
    }
    EXPECT_EQ(ends.size(), 9U);
    for (const auto& request : waiting) EXPECT_EQ(ends.at(request), EndCause::kCancelled);
}

TEST_F(EngineTest, NoWakeupComesAfterTheSessionIsGone) {
    for (int round = 0; round < 20; ++round) {
        auto gone = std::make_unique<std::atomic<bool>>(false);
        std::atomic<int> late = 0;
        auto session = std::move(engine_->openSession([&late, flag = gone.get()] { late += *flag ? 1 : 0; }).value());
        ASSERT_TRUE(session->generate(textPrompt(someTokens(5)), greedy(), {0, {}}).has_value());
        session->wait({});
        static_cast<void>(session->drain());  // arms the wakeup again
        session.reset();
        *gone = true;
        EXPECT_EQ(generate(*open(), textPrompt(someTokens(5)), 1).tokens.size(), 1U);
        EXPECT_EQ(late.load(), 0);
    }
}

TEST_F(EngineTest, WakesOncePerDrain) {
    std::atomic<int> wakeups = 0;
    auto session = std::move(engine_->openSession([&] { ++wakeups; }).value());
    ASSERT_TRUE(session->generate(textPrompt(someTokens(30)), greedy(), {5, {}}).has_value());
    sync(*open(), textPrompt(someTokens(5)));  // requests run in order: the one before is done
    EXPECT_EQ(wakeups.load(), 1) << "for all events of the first request together";
    EXPECT_GE(session->drain().size(), 7U);
    ASSERT_TRUE(session->generate(textPrompt(someTokens(30)), greedy(), {5, {}}).has_value());
    sync(*open(), textPrompt(someTokens(5)));
    EXPECT_EQ(wakeups.load(), 2);
}

TEST_F(EngineTest, APictureIsPartOfThePrefix) {
    const auto withPicture = [](float tint) {
        Prompt prompt{someTokens(100), {picture(tint)}, {40}};
        for (int64_t i = 50; i < 56; ++i) prompt.ids[static_cast<size_t>(i)] = kPad;
        return prompt;
    };
    auto session = open();
    const Outcome first = generate(*session, withPicture(1), 5);
    const Outcome same = generate(*session, withPicture(1), 5);
    EXPECT_EQ(same.ready.reused, 100);
    EXPECT_EQ(same.tokens, first.tokens);
    const Outcome other = generate(*session, withPicture(-0.5F), 5);
    EXPECT_EQ(other.ready.reused, 40) << "another picture of the same size is another prefix";
    EXPECT_EQ(other.tokens, freshReply(withPicture(-0.5F), 5));
}

TEST_F(EngineTest, ProgressIsMonotoneAndComplete) {
    auto session = open();
    const Outcome outcome = sync(*session, textPrompt(someTokens(700)));
    ASSERT_FALSE(outcome.progress.empty());
    int64_t last = -1;
    for (const PrefillProgress& at : outcome.progress) {
        EXPECT_GE(at.computed, last);
        EXPECT_EQ(at.total, 700);
        last = at.computed;
    }
    EXPECT_EQ(outcome.progress.back().reused + outcome.progress.back().computed, 700);
    EXPECT_EQ(outcome.done.cause, EndCause::kPromptDone);
}

}  // namespace
}  // namespace pal
