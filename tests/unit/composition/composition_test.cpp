// SPDX-License-Identifier: Apache-2.0
#include <condition_variable>
#include <cstring>
#include <thread>

#include "app/composition/chat_library.h"
#include "app/composition/opening_cost.h"
#include "app/composition/reply_ids.h"
#include "app/composition/session_name.h"
#include "app/composition/session_settings.h"
#include "engine/api/chat.h"
#include "tests/support/contains.h"
#include "tests/unit/storage/chat_fixture.h"

namespace pal::test {
namespace {

// A reply as the format writes it, cut at every possible place, is closed to the same text; an uncut one stays as it was drawn.
TEST(ReplyIdsTest, EveryCutIsClosedAndNothingDrawnIsChanged) {
    const Tokenizer tokenizer = need(Tokenizer::loadModelFolder("resources/nano"));
    const auto render = [&](const std::string& reasoning, const std::string& text) {
        ChatRequest request;
        request.generationPrompt = GenerationPrompt::kNone;
        ChatMessage message;
        message.role = "assistant";
        message.reasoning = reasoning;
        message.content.push_back({ContentPart::Kind::kText, text});
        request.messages.push_back(message);
        auto ids = encodeSegments(tokenizer, need(renderChat(request, tokenizer.style())));
        // Behind the opening: <|open|>message role="assistant"<|sep|><|open|>think<|sep|>
        const auto sep = *tokenizer.controlId("<|sep|>");
        for (int i = 0; i < 2; ++i) ids.erase(ids.begin(), std::find(ids.begin(), ids.end(), sep) + 1);
        return ids;
    };
    const std::vector<TokenId> whole = render("Let me think about it.", "Anna repaired the clock.");
    EXPECT_EQ(replyIds(tokenizer, whole, whole), whole);
    for (size_t cut = 0; cut < whole.size(); ++cut) {
        const std::vector<TokenId> drawn(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(cut));
        OutputParser parser(tokenizer, OutputStart::kThink);
        std::vector<OutputDelta> deltas;
        for (const TokenId id : drawn) parser.push(id, deltas);
        parser.finish(deltas);
        const auto rendered = render(parser.message().reasoning, parser.message().content);
        const auto closed = replyIds(tokenizer, drawn, rendered);
        EXPECT_EQ(tokenizer.decode(closed), tokenizer.decode(rendered)) << "cut at " << cut;
        // All that was drawn is there, but for a marker that was begun.
        size_t same = 0;
        while (same < drawn.size() && same < closed.size() && drawn[same] == closed[same]) ++same;
        EXPECT_LE(drawn.size() - same, 2U) << "cut at " << cut;
    }
    // Another end than the format's, and a structure that it does not know.
    std::vector<TokenId> ended(whole.begin(), whole.begin() + 3);
    ended.push_back(*tokenizer.controlId("[EOS]"));
    const auto rendered = render("Let me", "");
    EXPECT_EQ(replyIds(tokenizer, ended, rendered).back(), rendered.back());
    std::vector<TokenId> wild{*tokenizer.controlId("<|sep|>"), *tokenizer.controlId("<|sep|>"), 65};
    std::vector<TokenId> kept = replyIds(tokenizer, wild, rendered);
    wild.push_back(rendered.back());
    EXPECT_EQ(kept, wild);
}

TEST(SessionSettingsTest, ComeBackAsTheyWereAndSurviveAnything) {
    SessionSettings settings;
    settings.system = "Be short. \"Quoted\"";
    settings.thinking = Thinking::kOff;
    settings.effort = ThinkingEffort::kLow;
    settings.sampling.temperature = 0;
    settings.sampling.seed = ~uint64_t{0};
    settings.maxTokens = 77;
    settings.stops = {"END", "停"};
    EXPECT_EQ(settingsText(settingsFrom(settingsText(settings))), settingsText(settings));
    EXPECT_EQ(settingsFrom(settingsText(settings)).sampling.seed, ~uint64_t{0});
    for (const char* text : {"", "[]", "{", R"({"system": 5, "sampling": {"top_k": "x"}, "stop": [1], "thinking": 0})",
                             R"({"sampling": {"temperature": -1}})", R"({"sampling": {"temperature": 0, "top_p": 7}})"})
        EXPECT_EQ(settingsText(settingsFrom(text)), settingsText({})) << text;
}

TEST(SessionNameTest, BeginsLikeTheQuestionAndSaysWhereItWasCut) {
    EXPECT_EQ(sessionNameFrom("  Who repaired the clock?\nAnd when?"), "Who repaired the clock?");
    EXPECT_EQ(sessionNameFrom(" \n\t"), "session");
    EXPECT_EQ(sessionNameFrom(std::string(60, 'x')), std::string(60, 'x'));
    EXPECT_EQ(sessionNameFrom("Anna repaired the clock in the tower and nobody knows who paid her"),
              "Anna repaired the clock in the tower and nobody knows who…");
    EXPECT_EQ(sessionNameFrom("When does the committee for the old clock meet in April. It has to be early"),
              "When does the committee for the old clock meet in April…");
    // Twenty characters of three bytes fill the name; nothing is cut through, and the space far before is no place to end.
    std::string chinese = "a ";
    for (int i = 0; i < 30; ++i) chinese += "钟";
    const std::string name = sessionNameFrom(chinese);
    EXPECT_LE(name.size(), 60U);
    EXPECT_GT(name.size(), 55U);
    EXPECT_EQ((name.size() - 2) % 3, 0U);
    EXPECT_TRUE(name.ends_with("钟…"));
    EXPECT_EQ(sessionNameFrom(std::string(80, '\xa3')), "…") << "text in another encoding has no character to cut at";
}

TEST(ChatLibraryTest, ChangesAreToldAndOrderIsKept) {
    TempFolder folder;
    std::mutex mutex;
    std::condition_variable told;
    int wakeups = 0;
    auto library = need(ChatLibrary::open(need(dataPlaces(folder.path())), "test", [&] {
        const std::lock_guard lock(mutex);
        ++wakeups;
        told.notify_one();
    }));
    const SessionId session =
        need(library->writeNow([](ChatDatabase& database) { return database.sessions().add("s", "{}", 1); }));
    std::vector<std::future<Result<MessageId>>> writes;
    for (int i = 0; i < 50; ++i) {
        writes.push_back(library->write([=](ChatDatabase& database) {
            return database.messages().add(says(session, 0, Role::kUser, std::to_string(i)));
        }));
    }
    MessageId last = 0;
    for (auto& write : writes) {
        const MessageId id = need(write.get());
        EXPECT_GT(id, last);
        last = id;
    }
    std::set<MessageId> messages;
    std::unique_lock lock(mutex);
    while (messages.size() < 50) {
        told.wait(lock, [&] { return wakeups > 0; });
        wakeups = 0;
        for (const ChatChange& change : library->drain()) {
            messages.insert(change.messages.begin(), change.messages.end());
            EXPECT_TRUE(change.sessions.contains(session));
        }
    }
    lock.unlock();
    EXPECT_EQ(need(library->reader().messages().tree(session)).size(), 50U);
    const auto failed = library->writeNow([&](ChatDatabase& database) -> Result<> {
        PAL_TRY(database.sessions().rename(session, "half done"));
        return fail(ErrorCode::kInvalidArgument, "no");
    });
    EXPECT_EQ(failed.error().message, "no");
    EXPECT_EQ(need(library->reader().sessions().get(session)).name, "s");
    need(library->close());
}

TEST(ChatLibraryTest, ClosingRemovesBytesThatNobodyCarries) {
    TempFolder folder;
    const DataPlaces places = need(dataPlaces(folder.path()));
    Sha256 kept{}, stranger{};
    const auto reader = [](std::string text) {
        return [text, at = size_t{0}](std::span<std::byte> buffer) mutable -> Result<size_t> {
            const size_t count = std::min(buffer.size(), text.size() - at);
            std::memcpy(buffer.data(), text.data() + at, count);
            at += count;
            return count;
        };
    };
    {
        auto library = need(ChatLibrary::open(places, "test"));
        stranger = need(library->sources().keepBytes(std::as_bytes(std::span("of an older chats.db", 20)))).sha256;
        const auto source = need(library->keepSource(reader("used")));
        need(library->keepSource(reader("unused")));
        kept = source.sha256;
        need(library->writeNow([&](ChatDatabase& database) -> Result<> {
            PAL_ASSIGN(const SourceId id, database.sources().add(source.sha256, 4, "text/plain", 1));
            PAL_ASSIGN(const SessionId session, database.sessions().add("s", "{}", 1));
            NewMessage message = says(session, 0, Role::kUser, "x");
            message.attachments.push_back({id, std::nullopt, AttachmentKind::kDocument, "n"});
            PAL_ASSIGN(const MessageId added, database.messages().add(message));
            return added > 0 ? Result<>() : fail(ErrorCode::kInternal, "no id");
        }));
        need(library->close());
    }
    auto library = need(ChatLibrary::open(places, "test"));
    EXPECT_EQ(need(library->sources().list()).size(), 2U);
    EXPECT_TRUE(library->sources().has(kept));
    EXPECT_TRUE(library->sources().has(stranger)) << "what this database never knew is not ours to remove";
    EXPECT_TRUE(library->notes().empty());
    need(library->writeNow([](ChatDatabase& database) { return database.sessions().remove(1, 5); }));
    EXPECT_TRUE(library->sources().has(kept)) << "until it is closed, it can come back";
    need(library->close());
    EXPECT_EQ(need(need(SourceFiles::open(places.data / "sources")).list()), std::vector<Sha256>{stranger});
}

TEST(OpeningCostTest, FollowsMeasuredRates) {
    TempFolder folder;
    auto library = need(ChatLibrary::open(need(dataPlaces(folder.path())), "test"));
    const auto cost = [&](int64_t stored, uint64_t bytes) {
        return need(openingCost(library->reader().rates(), "m", "cpu", 1'000, stored, bytes));
    };
    EXPECT_FALSE(cost(0, 0).seconds.has_value()) << "nothing was measured";
    need(library->writeNow([](ChatDatabase& database) -> Result<> {
        PAL_TRY(database.rates().add("m", "cpu", RateKind::kPrefill, 500, 5));
        PAL_TRY(database.rates().add("m", "cpu", RateKind::kRestore, 1e9, 1));
        PAL_TRY(database.rates().add("m", "cuda", RateKind::kPrefill, 50'000, 1));
        return database.rates().add("m", "cpu", RateKind::kPrefill, 500, 2.5);
    }));
    EXPECT_NEAR(*cost(0, 0).seconds, 1'000 / (750 / 5.0), 1e-9) << "the last measurement counts twice the one before";
    EXPECT_NEAR(*cost(1'000, 2'000'000'000).seconds, 2, 1e-9);
    EXPECT_EQ(cost(990, 5).tokens, 10);
    const auto onGpu = need(openingCost(library->reader().rates(), "m", "cuda", 1'000, 0, 0));
    EXPECT_NEAR(*onGpu.seconds, 1'000 / 50'000.0, 1e-9) << "a device's rates are its own";
    need(library->close());
}

}  // namespace
}  // namespace pal::test
