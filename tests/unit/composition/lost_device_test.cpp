// SPDX-License-Identifier: Apache-2.0
// A stored session whose GPU stops answering: the turn ends with one error that says so, what was said until then is stored, and the same question
// is answered by an engine on the CPU that takes over library and states.
#include <gtest/gtest.h>

#include "app/composition/chat_runner.h"
#include "engine/exec/local_engine.h"
#include "engine/model/model_folder.h"
#include "kernels/api/backend.h"
#include "storage/chats/clock.h"
#include "storage/chats/data_folder.h"
#include "tests/support/fragile_backend.h"
#include "tests/support/memory_state_store.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

class LostDevice : public ::testing::Test {
  protected:
    // An engine whose device works for so many calls.
    std::unique_ptr<Engine> engine(int64_t calls) {
        const std::filesystem::path model = std::filesystem::path("resources/nano");
        callsLeft_ = calls;
        EngineOptions options;
        options.contextTokens = 4096;
        options.chunkTokens = 128;
        options.states = states_;
        auto backend = std::make_unique<FragileBackend>(createCpuBackend({1, CpuIsa::kBest}).backend, callsLeft_);
        auto runtime = Runtime::create(loadModel(model).value(), std::move(backend), {}).value();
        return std::make_unique<LocalEngine>(std::move(runtime), model, options);
    }

    std::atomic<int64_t> callsLeft_ = 0;
    std::shared_ptr<MemoryStore> states_ = std::make_shared<MemoryStore>();
};

TEST_F(LostDevice, TheQuestionIsAnsweredOnTheCpu) {
    constexpr int64_t kForever = 1 << 30;
    const test::TempFolder folder;
    const auto library = ChatLibrary::open(dataPlaces(folder.path()).value(), "test").value();
    SessionSettings settings;
    settings.maxTokens = 6;
    settings.sampling.temperature = 0;
    const SessionId session = library
                                  ->writeNow([&](ChatDatabase& database) {
                                      return database.sessions().add("clock", settingsText(settings), nowMs());
                                  })
                                  .value();
    std::string text;
    for (int i = 0; i < 30; ++i) text += "Anna repaired clock number " + std::to_string(i) + ". ";
    MessageId question = 0;
    {
        // Enough for the prompt and some tokens of the answer: six KDA layers and some fetches a step.
        const auto broken = engine(60);
        const auto runner = ChatRunner::open(*library, *broken).value();
        ASSERT_TRUE(runner->ask({session, 0, text + "Who repaired clock number 7?", {}}).has_value());
        question = runner->report().question;
        const auto lost = runTurn(*runner, {}, {});
        ASSERT_FALSE(lost.has_value());
        EXPECT_EQ(lost.error().code, ErrorCode::kDeviceLost);
        EXPECT_EQ(library->reader().messages().get(runner->report().reply)->node.state, MessageState::kFailed);
        // Nobody waits for it again.
        ASSERT_TRUE(runner->answer(session, question).has_value());
        const auto again = runTurn(*runner, {}, {});
        ASSERT_FALSE(again.has_value());
        EXPECT_EQ(again.error().code, ErrorCode::kDeviceLost);
    }
    const auto healthy = engine(kForever);
    const auto runner = ChatRunner::open(*library, *healthy).value();
    ASSERT_TRUE(runner->answer(session, question).has_value());
    const auto answered = runTurn(*runner, {}, {});
    ASSERT_TRUE(answered.has_value()) << answered.error().message;
    EXPECT_EQ(answered->done.cause, EndCause::kLength);
    EXPECT_EQ(answered->outputIds.size(), 6U);
    EXPECT_GT(answered->prompt.restored, 0) << "what was stored before the loss is used";
}

}  // namespace
}  // namespace pal
