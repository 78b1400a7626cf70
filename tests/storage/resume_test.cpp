// SPDX-License-Identifier: Apache-2.0
// Sessions that are closed and opened again must compute only what is new, and answer as if they had never been closed.
#include <gtest/gtest.h>

#include "tests/storage/engine_session.h"
#include "tests/support/temp_folder.h"

namespace pal::test {
namespace {

const char* const kK3 = "tests/golden/tiny-k3/checkpoint";
const char* const kLinear = "tests/golden/tiny-linear/checkpoint";
constexpr TokenId kPad = 503;  // tiny-k3's media placeholder

EngineOptions smallSteps() {
    EngineOptions options;
    options.threads = 1;
    options.chunkTokens = 64;
    return options;
}

// A conversation whose prompts each begin with everything said before.
class Conversation {
  public:
    Conversation& say(const std::vector<TokenId>& ids) {
        prompt_.ids.insert(prompt_.ids.end(), ids.begin(), ids.end());
        prompt_.boundaries.push_back(std::ssize(prompt_.ids));
        return *this;
    }
    Conversation& show(std::shared_ptr<const MediaInput> media, int64_t rows = 6) {
        prompt_.ids.insert(prompt_.ids.end(), static_cast<size_t>(rows), kPad);
        prompt_.media.push_back(std::move(media));
        return *this;
    }
    [[nodiscard]] const Prompt& prompt() const { return prompt_; }
    [[nodiscard]] int64_t size() const { return std::ssize(prompt_.ids); }

  private:
    Prompt prompt_;
};

class ResumeTest : public ::testing::TestWithParam<const char*> {
  protected:
    TempFolder folder_;
};

TEST_P(ResumeTest, AnsweredTurnsAreNotComputedAgain) {
    Conversation talk;
    talk.say(someTokens(777));
    Turn first;
    Turn never;
    {
        EngineWithStates engine(GetParam(), openLibrary(folder_ / "states"), smallSteps());
        const auto session = engine.open();
        first = EngineWithStates::ask(*session, talk.prompt(), 40);
        EXPECT_EQ(first.ready.computed, 777);
        talk.say(first.tokens).say(someTokens(30, 5));
    }
    {
        EngineWithStates engine(GetParam(), nullptr, smallSteps());
        const auto session = engine.open();
        Conversation again;
        again.say(someTokens(777));
        EXPECT_EQ(EngineWithStates::ask(*session, again.prompt(), 40).tokens, first.tokens);
        never = EngineWithStates::ask(*session, talk.prompt(), 40);
    }
    EngineWithStates engine(GetParam(), openLibrary(folder_ / "states"), smallSteps());
    const auto session = engine.open();
    const Turn resumed = EngineWithStates::ask(*session, talk.prompt(), 40);
    EXPECT_EQ(resumed.ready.reused, never.ready.reused);
    EXPECT_EQ(resumed.ready.restored, 777 + 39);
    EXPECT_EQ(resumed.ready.computed, 31);
    EXPECT_EQ(resumed.ready.logitsXxh3, never.ready.logitsXxh3);
    EXPECT_EQ(resumed.tokens, never.tokens);
    EXPECT_TRUE(resumed.problems.empty());
}

INSTANTIATE_TEST_SUITE_P(Models, ResumeTest, ::testing::Values(kK3, kLinear));

}  // namespace
}  // namespace pal::test
