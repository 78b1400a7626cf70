// SPDX-License-Identifier: Apache-2.0
// A device that has no room says what wanted how much and how much is free, and the session goes on as if it had not been asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "engine/exec/local_engine.h"
#include "engine/model/model_folder.h"
#include "tests/support/forwarding_backend.h"
#include "tests/support/request_outcome.h"

namespace pal {
namespace {

using test::Outcome;

constexpr const char* kModel = "tests/golden/tiny-k3/checkpoint";
constexpr uint64_t kFree = 4321;  // what the device says it has while it refuses
constexpr int64_t kForever = 1 << 30;

struct Room {
    std::atomic<int64_t> left = kForever;       // allocations
    std::atomic<bool> queued = false;           // ops of a token wait for finish()
    std::atomic<int64_t> freedUnderQueued = 0;  // allocations that went meanwhile
};

// A device that has room for so many more allocations, and that runs the ops of a token only at finish(), as a GPU does: what they use must be there
// until then.
class FullBackend final : public ForwardingBackend {
  public:
    FullBackend(std::unique_ptr<Backend> inner, Room& room) : ForwardingBackend(std::move(inner)), room_(room) {}

    Buffer allocate(size_t bytes) override {
        return hasRoom() ? watched(ForwardingBackend::allocate(bytes)) : Buffer();
    }
    Buffer allocateHost(size_t bytes) override {
        return hasRoom() ? watched(ForwardingBackend::allocateHost(bytes)) : Buffer();
    }
    WeightView importWeight(const WeightView& host) override {
        return hasRoom() ? ForwardingBackend::importWeight(host) : WeightView();
    }
    uint64_t freeBytes() override { return kFree; }
    void embed(const EmbedArgs& args) override {
        room_.queued = args.ids.size() == 1;
        ForwardingBackend::embed(args);
    }
    KernelStatus finish() override {
        room_.queued = false;
        return ForwardingBackend::finish();
    }

  private:
    bool hasRoom() { return room_.left > 0 && room_.left-- > 0; }
    Buffer watched(Buffer buffer) {
        auto held = std::make_shared<Buffer>(std::move(buffer));
        return {held->data(), held->size(), [&room = room_, held](void*) {
                    if (room.queued) ++room.freedUnderQueued;
                    held->reset();
                }};
    }

    Room& room_;
};

class OutOfMemory : public ::testing::Test {
  protected:
    Result<std::unique_ptr<Runtime>> runtime() {
        auto backend = std::make_unique<FullBackend>(createCpuBackend({1, CpuIsa::kBest}).backend, room_);
        return Runtime::create(loadModel(kModel).value(), std::move(backend), {});
    }
    std::unique_ptr<Engine> engine() {
        room_.left = kForever;
        EngineOptions options;
        options.contextTokens = 4096;
        options.chunkTokens = 128;
        return std::make_unique<LocalEngine>(runtime().value(), kModel, options);
    }

    // A reply of a few tokens to a prompt of `tokens` tokens.
    static Outcome generate(Session& session, int64_t tokens) {
        SamplingParams params;
        params.temperature = 0.8F;
        params.topP = 0.9F;
        params.seed = 5;
        return test::waitFor(session, session.generate(test::somePrompt(tokens), params, {6, {}}).value());
    }

    static void expectNumbers(const Error& error) {
        EXPECT_EQ(error.code, ErrorCode::kOutOfMemory) << error.message;
        EXPECT_TRUE(std::ranges::any_of(error.message, [](char c) { return c >= '0' && c <= '9'; })) << error.message;
        EXPECT_NE(error.message.find("bytes"), std::string::npos) << error.message;
        EXPECT_TRUE(error.message.find("4321 free") != std::string::npos ||
                    error.message.find("the computer's memory") != std::string::npos)
            << error.message;
    }

    Room room_;
};

TEST_F(OutOfMemory, AtEveryAllocationOfARequestItSaysSoAndTheSessionGoesOn) {
    const Outcome want = generate(*engine()->openSession({}).value(), 400);
    ASSERT_EQ(want.done.cause, EndCause::kLength);
    int failures = 0;
    for (int64_t room = 0;; ++room) {
        const auto full = engine();
        const auto session = full->openSession({}).value();
        room_.left = room;
        const Outcome first = generate(*session, 400);
        const bool enough = room_.left > 0;
        room_.left = kForever;
        if (first.done.cause == EndCause::kFailed) {
            ++failures;
            expectNumbers(first.done.error.value());
        } else {
            EXPECT_EQ(first.tokens, want.tokens) << room << " allocations";  // what was refused was a checkpoint
        }
        const Outcome again = generate(*session, 400);
        EXPECT_EQ(again.done.cause, EndCause::kLength);
        EXPECT_EQ(again.ready.logitsXxh3, want.ready.logitsXxh3) << room << " allocations";
        EXPECT_EQ(again.tokens, want.tokens) << room << " allocations";
        if (enough) break;
    }
    EXPECT_GE(failures, 4) << "state, pages, working memory, undo, logits";
    EXPECT_EQ(room_.freedUnderQueued, 0) << "a GPU would have used memory that is gone";
}

TEST_F(OutOfMemory, WhatWasReadBeforeIsStillThere) {
    const auto full = engine();
    const auto session = full->openSession({}).value();
    const Outcome before = generate(*session, 300);
    ASSERT_EQ(before.done.cause, EndCause::kLength);
    room_.left = 0;
    const Outcome refused = generate(*session, 2000);
    ASSERT_EQ(refused.done.cause, EndCause::kFailed);
    expectNumbers(refused.done.error.value());
    room_.left = kForever;
    const Outcome after = generate(*session, 300);
    EXPECT_EQ(after.ready.reused, 300) << "nothing has to be read again";
    EXPECT_EQ(after.ready.logitsXxh3, before.ready.logitsXxh3);
    EXPECT_EQ(after.tokens, before.tokens);
}

TEST_F(OutOfMemory, WeightsThatDoNotFitAreToldWithNumbers) {
    room_.left = 3;
    const auto refused = runtime();
    ASSERT_FALSE(refused.has_value());
    expectNumbers(refused.error());
    EXPECT_NE(refused.error().message.find("weights"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace pal
