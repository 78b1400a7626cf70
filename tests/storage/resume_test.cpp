// SPDX-License-Identifier: Apache-2.0
// Sessions that are closed and opened again must compute only what is new, and answer as if they had never been closed.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "tests/storage/engine_session.h"
#include "tests/support/temp_folder.h"

namespace pal::test {
namespace {

const char* const kK3 = "tests/golden/tiny-k3/checkpoint";
const char* const kLinear = "tests/golden/tiny-linear/checkpoint";
const char* const kEmbedded = "resources/nano";
constexpr TokenId kK3Pad = 503;  // media placeholders
constexpr TokenId kEmbeddedPad = 3861;

EngineOptions smallSteps() {
    EngineOptions options;
    options.threads = 1;
    options.chunkTokens = 64;
    return options;
}

// A conversation whose prompts each begin with everything said before.
class Conversation {
  public:
    explicit Conversation(TokenId pad = kK3Pad) : pad_(pad) {}
    Conversation& say(const std::vector<TokenId>& ids) {
        prompt_.ids.insert(prompt_.ids.end(), ids.begin(), ids.end());
        prompt_.boundaries.push_back(std::ssize(prompt_.ids));
        return *this;
    }
    Conversation& show(std::shared_ptr<const MediaInput> media, int64_t rows = 6) {
        prompt_.ids.insert(prompt_.ids.end(), static_cast<size_t>(rows), pad_);
        prompt_.media.push_back(std::move(media));
        return *this;
    }
    [[nodiscard]] const Prompt& prompt() const { return prompt_; }
    [[nodiscard]] int64_t size() const { return std::ssize(prompt_.ids); }

  private:
    TokenId pad_;
    Prompt prompt_;
};

constexpr int64_t kLong = 15000;

// What an engine answers that keeps nothing.
Turn fresh(const Conversation& talk, const std::string& model = kK3, const EngineOptions& options = smallSteps()) {
    EngineWithStates engine(model, nullptr, options);
    return EngineWithStates::ask(*engine.open(), talk.prompt(), 0);
}

Conversation longWithMedia(TokenId pad) {
    Conversation talk(pad);
    talk.say(someTokens(300)).show(somePicture(1)).say(someTokens(700, 1)).show(someClip(2)).show(somePicture(3));
    return talk.say(someTokens(kLong - talk.size(), 2));
}

// One of five turns of a session of 15,000 tokens.
void turnWithMedia(Conversation& talk, uint64_t turn) {
    talk.say(someTokens(1500, turn)).show(somePicture(turn));
    if (turn == 1) talk.show(someClip(7));
    talk.say(someTokens(1500, 10 + turn));
}

class ResumeTest : public ::testing::Test {
  protected:
    ResumeTest() : library_(folder_ / "states") {}

    // Runs in a process of its own that is killed at once when it is done.
    static void inKilledProcess(const std::function<void()>& work) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            work();
            if (!::testing::Test::HasFailure()) raise(SIGKILL);
            _exit(1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the process did not come to its end";
    }

    // The first turn happens in a process that is killed, the second in this one.
    void expectNothingOldComputed(const std::string& model, const Conversation& first, const EngineOptions& options) {
        constexpr int64_t kReply = 12;
        Conversation second = first;
        Turn once;
        Turn want;
        {
            EngineWithStates never(model, nullptr, options);
            const auto session = never.open();
            once = EngineWithStates::ask(*session, first.prompt(), kReply);
            second.say(once.tokens).say(someTokens(25, 99));
            want = EngineWithStates::ask(*session, second.prompt(), kReply);
        }
        inKilledProcess([&] {
            const auto library = openLibrary(library_);
            EngineWithStates engine(model, library, options);
            const auto session = engine.open();
            const Turn turn = EngineWithStates::ask(*session, first.prompt(), kReply);
            EXPECT_EQ(turn.ready.logitsXxh3, once.ready.logitsXxh3) << "storing changes no bit";
            EXPECT_EQ(turn.tokens, once.tokens);
            library->flush();
        });
        EngineWithStates engine(model, openLibrary(library_), options);
        const auto stored = engine.engine().storedPrefix(second.prompt());
        ASSERT_TRUE(stored.has_value());
        EXPECT_EQ(stored->checkpoint.tokens, first.size() + kReply - 1);
        EXPECT_GT(stored->bytes, 0U);
        const auto session = engine.open();
        const Turn resumed = EngineWithStates::ask(*session, second.prompt(), kReply);
        EXPECT_EQ(resumed.ready.restored, first.size() + kReply - 1);
        EXPECT_EQ(resumed.ready.computed, 1 + 25) << "the last token of the reply was drawn but not read";
        EXPECT_EQ(resumed.ready.reused, want.ready.reused);
        EXPECT_EQ(resumed.ready.logitsXxh3, want.ready.logitsXxh3) << "bit for bit";
        EXPECT_EQ(resumed.tokens, want.tokens);
        EXPECT_TRUE(resumed.problems.empty());
    }

    // Five turns of 15,000 tokens, said in a process that is killed. In this one, the third is said differently, the fourth is answered by
    // another question, and the whole is switched with another session. An engine that does all this without an end says the same.
    void expectBranchesGoOn(const std::string& model, const std::function<void(Conversation&, uint64_t turn)>& ask,
                            TokenId pad = kK3Pad) {
        constexpr int64_t kReply = 6;
        std::vector<Conversation> asked, answered;
        const auto speak = [&](Session& session) {
            asked.clear();
            answered.clear();
            Conversation talk(pad);
            for (uint64_t turn = 0; turn < 5; ++turn) {
                ask(talk, turn);
                asked.push_back(talk);
                talk.say(EngineWithStates::ask(session, talk.prompt(), kReply).tokens);
                answered.push_back(talk);
            }
        };
        const Conversation other = Conversation().say(someTokens(2000, 50));
        inKilledProcess([&] {
            const auto library = openLibrary(library_);
            EngineWithStates engine(model, library, {});
            speak(*engine.open());
            EngineWithStates::ask(*engine.open(), other.prompt(), 0);
            library->flush();
        });
        EngineWithStates never(model, openLibrary(folder_ / "never closed"), {});
        const auto plain = never.open();
        speak(*plain);
        EngineWithStates engine(model, openLibrary(library_), {});
        const auto session = engine.open();
        const auto compare = [&](size_t from, int64_t tokens, uint64_t salt) {
            Conversation branch = answered[from];
            branch.say(someTokens(tokens, salt));
            const Turn want = EngineWithStates::ask(*plain, branch.prompt(), kReply);
            const Turn got = EngineWithStates::ask(*session, branch.prompt(), kReply);
            EXPECT_LE(got.ready.computed, 1 + tokens) << "the last token of a reply was drawn and not read";
            EXPECT_EQ(got.ready.logitsXxh3, want.ready.logitsXxh3);
            EXPECT_EQ(got.tokens, want.tokens);
        };
        compare(1, 40, 90);  // the third question is another one
        compare(3, 30, 91);  // so is what follows the fourth
        compare(4, 20, 92);  // and the session goes on where it was
        const uint64_t there = EngineWithStates::ask(*never.open(), other.prompt(), 0).ready.logitsXxh3;
        for (size_t turn = 0; turn < 10; ++turn) {
            const bool first = turn % 2 == 0;
            const Turn again = EngineWithStates::ask(*session, first ? other.prompt() : asked[4].prompt(), 0);
            EXPECT_EQ(again.ready.computed, 0);
            if (first) {
                EXPECT_EQ(again.ready.logitsXxh3, there);
            }
        }
    }

    // Of two pictures in the talk the second becomes another one of the same size, in another program.
    void expectOnlyFromThePictureOn(const std::string& model, const EngineOptions& options,
                                    const std::function<Conversation(uint64_t second)>& talk, int64_t before) {
        {
            EngineWithStates engine(model, openLibrary(library_), options);
            EngineWithStates::ask(*engine.open(), talk(2).prompt(), 0);
        }
        EngineWithStates engine(model, openLibrary(library_), options);
        const Turn swapped = EngineWithStates::ask(*engine.open(), talk(3).prompt(), 0);
        EXPECT_EQ(swapped.ready.reused, before) << "up to the message with the picture, and not one token of it";
        EXPECT_EQ(swapped.ready.logitsXxh3, fresh(talk(3), model, options).ready.logitsXxh3);
        const Turn same = EngineWithStates::ask(*engine.open(), talk(2).prompt(), 0);
        EXPECT_EQ(same.ready.computed, 0);
        EXPECT_NE(same.ready.logitsXxh3, swapped.ready.logitsXxh3);
    }

    TempFolder folder_;
    std::filesystem::path library_;
};

TEST_F(ResumeTest, BranchesOfALongK3SessionWithPicturesAndAClipGoOnAfterSigkill) {
    expectBranchesGoOn(kK3, turnWithMedia);
}

TEST_F(ResumeTest, BranchesOfALongLinearSessionGoOnAfterSigkill) {
    expectBranchesGoOn(kLinear, [](Conversation& talk, uint64_t turn) { talk.say(someTokens(3000, turn)); });
}

TEST_F(ResumeTest, ALongK3SessionWithPicturesAndAClipGoesOnAfterSigkill) {
    expectNothingOldComputed(kK3, longWithMedia(kK3Pad), {});
}

TEST_F(ResumeTest, ALongLinearSessionGoesOnAfterSigkill) {
    expectNothingOldComputed(kLinear, Conversation().say(someTokens(kLong)), {});
}

TEST_F(ResumeTest, LatentsInBfloat16ComeBackBitForBitToo) {
    EngineOptions options = smallSteps();
    options.latents = LatentType::kBFloat16;
    expectNothingOldComputed(kK3, Conversation().say(someTokens(1500)).show(somePicture(1)).say(someTokens(20, 3)),
                             options);
}

TEST_F(ResumeTest, AVeryShortSessionIsKeptToo) {
    expectNothingOldComputed(kK3, Conversation().say(someTokens(8)), smallSteps());
}

TEST_F(ResumeTest, StatesInOtherNumberTypesAreConverted) {
    const Conversation talk = Conversation().say(someTokens(900));
    {
        EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
        EngineWithStates::ask(*engine.open(), talk.prompt(), 0);
    }
    EngineOptions narrow = smallSteps();
    narrow.latents = LatentType::kBFloat16;
    EngineWithStates engine(kK3, openLibrary(library_), narrow);
    const auto session = engine.open();
    const Turn turn = EngineWithStates::ask(*session, talk.prompt(), 4);
    EXPECT_EQ(turn.ready.restored, 900);
    EXPECT_EQ(turn.ready.computed, 0);
}

// Five turns; then the third is said differently, in another program.
TEST_F(ResumeTest, AnEditComputesOnlyFromTheNearestCheckpoint) {
    Conversation talk;
    std::vector<Conversation> turns;
    {
        EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
        const auto session = engine.open();
        for (uint64_t turn = 0; turn < 5; ++turn) {
            talk.say(someTokens(150 + static_cast<int64_t>(turn) * 37, turn));
            turns.push_back(talk);
            talk.say(EngineWithStates::ask(*session, talk.prompt(), 20).tokens);
        }
    }
    Conversation edited;
    edited.say({turns[2].prompt().ids.begin(), turns[2].prompt().ids.begin() + turns[1].size() + 20});
    const int64_t fork = edited.size();
    edited.say(someTokens(60, 77));
    EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
    const auto session = engine.open();
    const Turn turn = EngineWithStates::ask(*session, edited.prompt(), 10);
    EXPECT_GE(turn.ready.reused, fork - 1) << "the state after the second reply";
    EXPECT_LE(turn.ready.computed, 61);
    const Turn back = EngineWithStates::ask(*session, talk.prompt(), 1);
    EXPECT_LE(back.ready.computed, 1) << "the old branch is still there";
    // The same branch point reached without any store gives the same bits: both continue the state after the reply.
    EngineWithStates without(kK3, nullptr, smallSteps());
    const auto plain = without.open();
    for (size_t i = 0; i < 2; ++i) static_cast<void>(EngineWithStates::ask(*plain, turns[i].prompt(), 20));
    const Turn want = EngineWithStates::ask(*plain, edited.prompt(), 10);
    EXPECT_EQ(turn.ready.logitsXxh3, want.ready.logitsXxh3);
    EXPECT_EQ(turn.tokens, want.tokens);
}

TEST_F(ResumeTest, TwoSessionsSwitchedTenTimesComputeNothingTwice) {
    const std::vector<Conversation> talks{Conversation().say(someTokens(1300, 1)),
                                          Conversation().say(someTokens(1100, 2))};
    std::vector<uint64_t> want;
    const auto library = openLibrary(library_);
    EngineWithStates engine(kK3, library, smallSteps());
    for (const Conversation& talk : talks)
        want.push_back(EngineWithStates::ask(*engine.open(), talk.prompt(), 0).ready.logitsXxh3);
    for (size_t turn = 0; turn < 10; ++turn) {
        const Turn again = EngineWithStates::ask(*engine.open(), talks[turn % 2].prompt(), 0);
        EXPECT_EQ(again.ready.computed, 0);
        EXPECT_EQ(again.ready.logitsXxh3, want[turn % 2]);
    }
    EXPECT_TRUE(library->verify().damaged.empty());
}

TEST_F(ResumeTest, TheSameDocumentInAnotherSessionStartsFromItsState) {
    const std::vector<TokenId> document = someTokens(2000);
    const auto library = openLibrary(library_);
    EngineWithStates engine(kK3, library, smallSteps());
    EngineWithStates::ask(*engine.open(), Conversation().say(document).say(someTokens(40, 5)).prompt(), 10);
    library->flush();
    const uint64_t before = library->usage().bytes;
    const Turn other =
        EngineWithStates::ask(*engine.open(), Conversation().say(document).say(someTokens(30, 6)).prompt(), 10);
    EXPECT_EQ(other.ready.restored, 2000);
    EXPECT_EQ(other.ready.computed, 30);
    library->flush();
    const uint64_t checkpoint =
        2 * (engine.engine().model().stateBytes + 512 * engine.engine().model().stateBytesPerToken);
    EXPECT_LT(library->usage().bytes - before, checkpoint + (1 << 17)) << "no page is stored twice";
}

TEST_F(ResumeTest, AnotherPictureOfTheSameSizeInvalidatesFromThereOn) {
    const auto talk = [](uint64_t second) {
        Conversation out;
        out.say(someTokens(400)).show(somePicture(1)).say(someTokens(200, 1));
        return out.show(somePicture(second)).say(someTokens(300, 2));
    };
    expectOnlyFromThePictureOn(kK3, smallSteps(), talk, 400 + 6 + 200);
}

// A crash inside a long input costs what came after the last checkpoint of its pages.
TEST_F(ResumeTest, ACrashInsideALongInputCostsOnlyItsTail) {
    const Conversation talk = Conversation().say(someTokens(6000));
    inKilledProcess([&] {
        const auto library = openLibrary(library_);
        EngineWithStates engine(kK3, library, smallSteps());
        const auto session = engine.open();
        ASSERT_TRUE(session->sync(talk.prompt()).has_value());
        while (true) {
            session->wait({});
            for (const Event& event : session->drain()) {
                const auto* progress = std::get_if<PrefillProgress>(&event);
                if (progress == nullptr || progress->computed < 3000) continue;
                library->flush();
                raise(SIGKILL);
            }
        }
    });
    EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
    const Turn resumed = EngineWithStates::ask(*engine.open(), talk.prompt(), 0);
    EXPECT_GE(resumed.ready.reused, 3000 - 64 - 512) << "a checkpoint each 512 tokens";
    EXPECT_EQ(resumed.ready.logitsXxh3, fresh(talk).ready.logitsXxh3);
}

TEST_F(ResumeTest, ACancelledInputGoesOnWhereItStopped) {
    const Conversation talk = Conversation().say(someTokens(4000));
    int64_t stopped = 0;
    {
        EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
        const auto session = engine.open();
        ASSERT_TRUE(session->sync(talk.prompt()).has_value());
        while (stopped == 0) {
            session->wait({});
            for (const Event& event : session->drain()) {
                const auto* progress = std::get_if<PrefillProgress>(&event);
                if (progress != nullptr && progress->computed > 700) session->cancel();
                if (const auto* done = std::get_if<RequestDone>(&event)) stopped = done->position;
            }
        }
    }
    EXPECT_LT(stopped, 4000);
    EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
    const Turn resumed = EngineWithStates::ask(*engine.open(), talk.prompt(), 0);
    EXPECT_EQ(resumed.ready.reused, stopped);
    EXPECT_EQ(resumed.ready.logitsXxh3, fresh(talk).ready.logitsXxh3);
}

// Every third part is damaged: what cannot be used is computed again, and the answer is the same.
TEST_F(ResumeTest, DamagedStatesAreComputedAgain) {
    const Conversation talk = Conversation().say(someTokens(1700)).say(someTokens(200, 1));
    uint64_t want = 0;
    {
        EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
        want = EngineWithStates::ask(*engine.open(), talk.prompt(), 0).ready.logitsXxh3;
    }
    int64_t index = 0;
    for (const auto& entry : std::filesystem::directory_iterator(library_ / "parts")) {
        if (++index % 3 != 0 && entry.path().extension() != ".checkpoint") continue;
        std::string text = readText(entry.path());
        text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 4);
        writeText(entry.path(), text);
    }
    EngineWithStates engine(kK3, openLibrary(library_), smallSteps());
    const Turn again = EngineWithStates::ask(*engine.open(), talk.prompt(), 0);
    EXPECT_EQ(again.ready.reused, 0) << "all checkpoints are damaged";
    EXPECT_EQ(again.ready.logitsXxh3, want);
    ASSERT_FALSE(again.problems.empty());
    EXPECT_EQ(again.problems[0].code, ErrorCode::kCorrupt);
    EXPECT_EQ(EngineWithStates::ask(*engine.open(), talk.prompt(), 0).ready.computed, 0) << "stored anew";
}

TEST_F(ResumeTest, AnotherModelsStatesAreNotTouched) {
    const Conversation talk = Conversation().say(someTokens(500));
    { EngineWithStates::ask(*EngineWithStates(kK3, openLibrary(library_), smallSteps()).open(), talk.prompt(), 0); }
    EngineWithStates engine(kLinear, openLibrary(library_), smallSteps());
    const Turn turn = EngineWithStates::ask(*engine.open(), talk.prompt(), 0);
    EXPECT_EQ(turn.ready.reused, 0);
    EXPECT_TRUE(turn.problems.empty());
}

// The embedded model at full length: a minute or two on two cores.
TEST_F(ResumeTest, SlowALongSessionOfTheEmbeddedModelWithPicturesAndAClipGoesOnAfterSigkill) {
    expectNothingOldComputed(kEmbedded, longWithMedia(kEmbeddedPad), {});
}

TEST_F(ResumeTest, SlowBranchesOfALongSessionOfTheEmbeddedModelGoOnAfterSigkill) {
    expectBranchesGoOn(kEmbedded, turnWithMedia, kEmbeddedPad);
}

TEST_F(ResumeTest, SlowAnotherPictureInALongSessionOfTheEmbeddedModelInvalidatesFromThereOn) {
    const auto talk = [](uint64_t second) {
        Conversation out(kEmbeddedPad);
        out.say(someTokens(7000)).show(somePicture(1)).say(someTokens(2000, 1));
        return out.show(somePicture(second)).say(someTokens(6000, 2));
    };
    expectOnlyFromThePictureOn(kEmbedded, {}, talk, 7000 + 6 + 2000);
}

}  // namespace
}  // namespace pal::test
