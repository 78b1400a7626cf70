// SPDX-License-Identifier: Apache-2.0
// A GPU that stops answering at any moment: one clear error for every request, nothing wrong is stored, and what was stored before goes on
// elsewhere.
#include <gtest/gtest.h>

#include <atomic>

#include "engine/exec/local_engine.h"
#include "engine/model/model_folder.h"
#include "tests/support/fragile_backend.h"
#include "tests/support/memory_state_store.h"
#include "tests/support/request_outcome.h"

namespace pal {
namespace {

using test::Outcome;

const char* const kModel = "tests/golden/tiny-k3/checkpoint";
constexpr int64_t kPromptTokens = 560;  // more than a group of latent pages
constexpr int64_t kReplyTokens = 6;

Outcome generate(Session& session) {
    SamplingParams greedy;
    greedy.temperature = 0;
    return test::waitFor(session,
                         session.generate(test::somePrompt(kPromptTokens), greedy, {kReplyTokens, {}}).value());
}

class DeviceLost : public ::testing::Test {
  protected:
    // An engine whose device works for so many calls.
    std::unique_ptr<Engine> engine(int64_t calls, std::shared_ptr<StateStore> states) {
        callsLeft_ = calls;
        EngineOptions options;
        options.contextTokens = 4096;
        options.chunkTokens = 128;
        options.states = std::move(states);
        auto backend = std::make_unique<FragileBackend>(createCpuBackend({1, CpuIsa::kBest}).backend, callsLeft_);
        auto runtime = Runtime::create(loadModel(kModel).value(), std::move(backend), {}).value();
        return std::make_unique<LocalEngine>(std::move(runtime), kModel, options);
    }

    std::atomic<int64_t> callsLeft_ = 0;
};

TEST_F(DeviceLost, AtAnyMomentStoresNothingWrongAndTheSessionGoesOnElsewhere) {
    constexpr int64_t kForever = 1 << 30;
    const auto untouched = std::make_shared<MemoryStore>();
    const auto healthy = engine(kForever, untouched);
    const Outcome want = generate(*healthy->openSession({}).value());
    const int64_t calls = kForever - callsLeft_;
    ASSERT_EQ(want.done.cause, EndCause::kLength);
    ASSERT_GT(calls, 80);

    int64_t reusedMost = 0;
    for (int64_t at = 1; at <= calls; at += 5) {
        const auto states = std::make_shared<MemoryStore>();
        auto broken = engine(at, states);
        auto session = broken->openSession({}).value();
        const Outcome lost = generate(*session);
        if (lost.done.cause != EndCause::kFailed) {
            EXPECT_EQ(lost.tokens, want.tokens) << "lost at call " << at << ", after the reply";
        } else {
            EXPECT_EQ(lost.done.error.value().code, ErrorCode::kDeviceLost);
            EXPECT_EQ(lost.done.position, 0);
            ASSERT_LE(lost.tokens.size(), want.tokens.size());
            EXPECT_TRUE(std::equal(lost.tokens.begin(), lost.tokens.end(), want.tokens.begin())) << "call " << at;
            const Outcome next = generate(*session);
            EXPECT_EQ(next.done.cause, EndCause::kFailed);
            EXPECT_EQ(next.done.position, 0);
            EXPECT_EQ(next.done.error.value().code, ErrorCode::kDeviceLost) << "nobody may wait for a lost device";
        }
        session.reset();
        broken.reset();

        const auto elsewhere = engine(kForever, states);
        const Outcome resumed = generate(*elsewhere->openSession({}).value());
        EXPECT_EQ(resumed.ready.logitsXxh3, want.ready.logitsXxh3) << "lost at call " << at;
        EXPECT_EQ(resumed.tokens, want.tokens) << "lost at call " << at;
        reusedMost = std::max(reusedMost, resumed.ready.reused);
    }
    EXPECT_EQ(reusedMost, kPromptTokens) << "what was stored before the loss is used";
}

// All numbers of a look: an empty list has its place, too.
std::vector<float> numbersOf(const TokenProbe& probe) {
    std::vector<float> out;
    const auto add = [&](const auto& list) {
        out.push_back(static_cast<float>(list.size()));
        for (const auto value : list) out.push_back(static_cast<float>(value));
    };
    for (const LayerProbe& layer : probe.layers) {
        for (const auto* list : {&layer.mixAttention, &layer.mixMlp, &layer.kda.halfLife, &layer.kda.beta,
                                 &layer.kda.write, &layer.kda.stateNorm, &layer.kda.gate.mean, &layer.mla.mass,
                                 &layer.mla.entropy, &layer.mla.topMass, &layer.mla.gate.mean, &layer.routing.weight})
            add(*list);
        add(layer.mla.topKey);
        add(layer.routing.expert);
    }
    add(probe.mixOutput);
    out.push_back(probe.nextEntropy);
    return out;
}

TEST_F(DeviceLost, AtAnyMomentNothingWrongIsShown) {
    constexpr int64_t kForever = 1 << 30;
    constexpr int64_t kWindow = 70;  // more than a step of it
    const auto look = [](Session& session) {
        Prompt prompt = test::somePrompt(150);
        prompt.probes = {ProbeLevel::kFull, {20, 100}, 4, 150 - kWindow, 150, {0, 3}};
        SamplingParams greedy;
        greedy.temperature = 0;
        return test::waitFor(session, session.generate(std::move(prompt), greedy, {3, {}}).value());
    };
    const auto healthy = engine(kForever, nullptr);
    const Outcome want = look(*healthy->openSession({}).value());
    const int64_t calls = kForever - callsLeft_;
    ASSERT_EQ(want.done.cause, EndCause::kLength);
    ASSERT_EQ(want.window->tokens.size(), static_cast<size_t>(kWindow));
    ASSERT_EQ(want.probes.size(), 3U);
    int windows = 0;
    for (int64_t at = 1; at <= calls; ++at) {
        const auto broken = engine(at, nullptr);
        const Outcome seen = look(*broken->openSession({}).value());
        ASSERT_LE(seen.probes.size(), want.probes.size());
        for (size_t i = 0; i < seen.probes.size(); ++i)
            EXPECT_EQ(numbersOf(*seen.probes[i]), numbersOf(*want.probes[i])) << "lost at call " << at;
        if (!seen.window) continue;
        ++windows;
        for (size_t i = 0; i < want.window->tokens.size(); ++i)
            EXPECT_EQ(numbersOf(seen.window->tokens[i]), numbersOf(want.window->tokens[i])) << "lost at call " << at;
        ASSERT_EQ(seen.window->raw.size(), 2U);
        EXPECT_EQ(seen.window->raw[0].kda.stateAfter, want.window->raw[0].kda.stateAfter) << "lost at call " << at;
        EXPECT_EQ(seen.window->raw[0].kda.read, want.window->raw[0].kda.read) << "lost at call " << at;
        EXPECT_EQ(seen.window->raw[1].mla.attention, want.window->raw[1].mla.attention) << "lost at call " << at;
    }
    EXPECT_GT(windows, 0);
}

}  // namespace
}  // namespace pal
