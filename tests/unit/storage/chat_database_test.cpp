// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/chat_database.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "storage/chats/data_folder.h"
#include "storage/chats/fork.h"
#include "storage/chats/sha256.h"
#include "storage/chats/source_files.h"
#include "tests/support/contains.h"
#include "tests/unit/storage/chat_fixture.h"

namespace pal::test {
namespace {

namespace fs = std::filesystem;

unsigned modeOf(const fs::path& path) {
    struct stat info {};
    EXPECT_EQ(stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777;
}

TEST_F(ChatTest, AnEditIsASiblingAndNothingIsRewritten) {
    auto database = need(open());
    const SessionId session = newSession(database, "clock");
    const MessageId question = add(database, says(session, 0, Role::kUser, "Who repaired the clock?", 5));
    const MessageId answer = add(database, says(session, question, Role::kAssistant, "Anna.", 3));
    const MessageId more = add(database, says(session, answer, Role::kUser, "When?", 2));
    const MessageId edit = add(database, says(session, answer, Role::kUser, "Where?", 7));

    const auto nodes = need(database.messages().tree(session));
    ASSERT_EQ(nodes.size(), 4U);
    EXPECT_EQ(nodes[3].parent, answer);
    EXPECT_EQ(nodes[2].parent, answer);
    EXPECT_EQ(nodes[2].pathTokens, 10);
    EXPECT_EQ(nodes[3].pathTokens, 15);

    const auto path = need(database.messages().path(edit));
    ASSERT_EQ(path.size(), 3U);
    EXPECT_EQ(path[2].text, "Where?");
    EXPECT_EQ(need(database.messages().get(more)).text, "When?");
    const auto summary = need(database.sessions().get(session));
    EXPECT_EQ(summary.head, edit);
    EXPECT_EQ(summary.tokens, 15);
    EXPECT_EQ(summary.messages, 4);

    need(database.write([&](ChatDatabase& db) { return db.sessions().setHead(session, more, 9); }));
    EXPECT_EQ(need(database.sessions().get(session)).tokens, 10);
    const SessionId other = newSession(database, "other");
    EXPECT_FALSE(database.write([&](ChatDatabase& db) { return db.sessions().setHead(other, more, 9); }));
    EXPECT_FALSE(
        database.write([&](ChatDatabase& db) { return db.messages().add(says(other, more, Role::kUser, "x")); }));
    EXPECT_TRUE(need(database.problems()).empty());
}

TEST_F(ChatTest, AReplyGrowsUntilItEndsAndKeepsItsIds) {
    auto database = need(open());
    const SessionId session = newSession(database, "s");
    const MessageId question = add(database, says(session, 0, Role::kUser, "Go on", 4));
    NewMessage reply = says(session, question, Role::kAssistant, "", 0);
    reply.state = MessageState::kStreaming;
    const MessageId id = add(database, reply);
    const auto set = [&](MessageState state, const std::string& text, std::vector<int32_t> ids) {
        return database.write([&](ChatDatabase& db) {
            return db.messages().setReply(id, {state, text, "thought", "{}", {"vocabulary", ids}, std::ssize(ids)});
        });
    };
    need(set(MessageState::kStreaming, "Once", {1, 2}));
    EXPECT_TRUE(need(database.search("Once", 10)).empty()) << "a streaming reply is indexed when it ends";
    need(set(MessageState::kComplete, "Once upon", {1, 2, 163'839}));
    EXPECT_EQ(need(database.search("upon", 10)).size(), 1U);
    EXPECT_EQ(set(MessageState::kComplete, "changed", {}).error().code, ErrorCode::kConflict);

    EXPECT_EQ(need(database.messages().ids(id))->ids, (std::vector<int32_t>{1, 2, 163'839}));
    EXPECT_FALSE(need(database.messages().ids(question)).has_value());
    const auto summary = need(database.sessions().get(session));
    EXPECT_EQ(summary.tokens, 7);
    EXPECT_EQ(summary.textBytes, 5U + 2U + 9U + 7U + 2U + 12U) << "texts, two times {}, and ids";
}

TEST_F(ChatTest, ADeletedSessionComesBackUntilTheFolderIsClosed) {
    SessionId session = 0;
    {
        auto database = need(open());
        session = newSession(database, "s");
        // A chain longer than SQLite's limit for cascades.
        MessageId last = 0;
        need(database.write([&](ChatDatabase& db) -> Result<> {
            for (int i = 0; i < 1'200; ++i) {
                PAL_ASSIGN(last, db.messages().add(says(session, last, Role::kUser, "text " + std::to_string(i))));
            }
            return {};
        }));
        need(database.write([&](ChatDatabase& db) { return db.sessions().remove(session, 5); }));
        EXPECT_TRUE(need(database.sessions().list()).empty());
        EXPECT_TRUE(need(database.search("text 7", 10)).empty());
        need(database.write([&](ChatDatabase& db) { return db.sessions().restore(session); }));
        EXPECT_EQ(need(database.sessions().list()).size(), 1U);
        need(database.write([&](ChatDatabase& db) { return db.sessions().remove(session, 5); }));
        need(database.close());
    }
    auto database = need(open());
    EXPECT_EQ(database.sessions().restore(session).error().code, ErrorCode::kNotFound);
    EXPECT_EQ(need(database.connection().integer("SELECT count(*) FROM message")), 0);
    EXPECT_TRUE(need(database.problems()).empty());
}

TEST_F(ChatTest, OnlyASessionWithoutMessagesGoesAsEmpty) {
    auto database = need(open());
    const SessionId empty = newSession(database, "empty");
    const SessionId full = newSession(database, "full");
    add(database, says(full, 0, Role::kUser, "text"));
    for (const SessionId session : {empty, full})
        need(database.write([&](ChatDatabase& db) { return db.sessions().removeEmpty(session, 5); }));
    const auto listed = need(database.sessions().list());
    ASSERT_EQ(listed.size(), 1U);
    EXPECT_EQ(listed[0].id, full);
}

// Bytes that this process has read from files so far.
uint64_t bytesRead() {
    std::ifstream io("/proc/self/io");
    std::string name;
    uint64_t value = 0;
    while (io >> name >> value) {
        if (name == "rchar:") return value;
    }
    ADD_FAILURE() << "/proc/self/io does not say";
    return 0;
}

// A list costs what its lines have, however much was said in the sessions.
TEST_F(ChatTest, AListReadsNoMessage) {
    constexpr size_t kSessions = 600;
    constexpr size_t kTextBytes = 8'000;
    {
        auto database = need(open());
        need(database.write([&](ChatDatabase& db) -> Result<> {
            for (size_t i = 0; i < kSessions; ++i) {
                PAL_ASSIGN(const SessionId session, db.sessions().add(fmt::format("session {}", i), "{}", 1));
                PAL_TRY(db.messages().add(says(session, 0, Role::kUser, std::string(kTextBytes, 'x'))));
            }
            return {};
        }));
        need(database.close());
    }
    ASSERT_GT(fs::file_size(file()), kSessions * kTextBytes);
    auto reader = need(open(ChatAccess::kReader));
    const uint64_t before = bytesRead();
    const auto sessions = need(reader.sessions().list());
    const uint64_t read = bytesRead() - before;
    ASSERT_EQ(sessions.size(), kSessions);
    for (const SessionSummary& session : sessions) ASSERT_EQ(session.messages, 1);
    EXPECT_GT(read, kSessions * 20) << "it does read the file";
    EXPECT_LT(read, kSessions * 500);
}

TEST_F(ChatTest, AFolderIsKeptWithTheSession) {
    auto database = need(open());
    const SessionId session = newSession(database, "clock");
    EXPECT_EQ(need(database.sessions().get(session)).folder, "");
    need(database.write([&](ChatDatabase& db) { return db.sessions().setFolder(session, "Väter/钟"); }));
    EXPECT_EQ(need(database.sessions().list()).front().folder, "Väter/钟");
    EXPECT_FALSE(database.write([&](ChatDatabase& db) { return db.sessions().setFolder(99, "x"); }));
    need(database.write([&](ChatDatabase& db) { return db.sessions().remove(session, 3); }));
    EXPECT_FALSE(need(database.sessions().listed(session)).has_value());
    need(database.write([&](ChatDatabase& db) { return db.sessions().restore(session); }));
    EXPECT_EQ(need(database.sessions().listed(session))->folder, "Väter/钟");
}

TEST_F(ChatTest, AForkHasThePathWithIdsAndAttachmentsAndNothingElse) {
    auto database = need(open());
    const SessionId session = newSession(database, "clock");
    need(database.write([&](ChatDatabase& db) { return db.sessions().setFolder(session, "work"); }));
    NewMessage asked = says(session, 0, Role::kUser, "Who repaired the clock?", 5);
    asked.ids = MessageIds{"v", {1, 2, 3, 4, 5}};
    const SourceId source =
        need(database.write([&](ChatDatabase& db) { return db.sources().add(Sha256{}, 7, "text/plain", 1); }));
    asked.attachments.push_back({source, std::nullopt, AttachmentKind::kImage, "clock.png", R"({"picture_tokens":6})"});
    const MessageId question = add(database, asked);
    const MessageId answer = add(database, says(session, question, Role::kAssistant, "Anna.", 3));
    add(database, says(session, question, Role::kAssistant, "Bert.", 4));
    add(database, says(session, answer, Role::kUser, "When?", 2));

    const SessionId fork =
        need(database.write([&](ChatDatabase& db) { return forkSession(db, answer, "clock 2", 1'800'000'000'000); }));
    const SessionSummary summary = need(database.sessions().get(fork));
    EXPECT_EQ(summary.name, "clock 2");
    EXPECT_EQ(summary.folder, "work");
    EXPECT_EQ(summary.messages, 2);
    EXPECT_EQ(summary.tokens, 8);
    EXPECT_EQ(summary.changedMs, 1'800'000'000'000);
    const auto path = need(database.messages().path(summary.head));
    ASSERT_EQ(path.size(), 2U);
    EXPECT_EQ(path[0].text, "Who repaired the clock?");
    ASSERT_EQ(path[0].attachments.size(), 1U);
    EXPECT_EQ(path[0].attachments[0].name, "clock.png");
    EXPECT_EQ(path[0].attachments[0].options, R"({"picture_tokens":6})");
    EXPECT_EQ(need(database.messages().ids(path[0].node.id))->ids.size(), 5U);
    EXPECT_EQ(path[1].text, "Anna.");
    EXPECT_EQ(need(database.sessions().get(session)).messages, 4);
    EXPECT_TRUE(need(database.problems()).empty());
    EXPECT_FALSE(database.write([&](ChatDatabase& db) { return forkSession(db, 99, "x", 1); }));
}

TEST_F(ChatTest, SearchFindsPartsOfWordsInAnyScript) {
    auto database = need(open());
    const SessionId session = newSession(database, "时钟的故事");
    add(database, says(session, 0, Role::kUser, "安娜修理了塔楼的时钟。"));
    const MessageId english = add(database, says(session, 0, Role::kUser, "The \"Clockmaker\" of 50% street_7"));
    const auto hits = [&](std::string_view query) {
        std::vector<std::string> out;
        for (const SearchHit& hit : need(database.search(query, 10)))
            out.push_back(hit.message == 0 ? "name" : hit.message == english ? "english" : "chinese");
        return out;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(hits("时钟"), (Names{"name", "chinese"})) << "two characters";
    EXPECT_EQ(hits("塔"), (Names{"chinese"}));
    EXPECT_EQ(hits("塔楼的时"), (Names{"chinese"}));
    EXPECT_EQ(hits("clockMAKER"), (Names{"english"}));
    EXPECT_EQ(hits("lockm 50%"), (Names{"english"}));
    EXPECT_EQ(hits("50% t_7"), (Names{"english"}));
    EXPECT_EQ(hits("0%"), (Names{"english"}));
    EXPECT_EQ(hits("\"Clock"), (Names{"english"}));
    EXPECT_EQ(hits("5_%"), Names{}) << "wildcards are letters";
    EXPECT_EQ(hits("clockmaker 塔"), Names{});
    EXPECT_EQ(hits("  "), Names{});
    EXPECT_EQ(hits("a NEAR b\" OR (\" *"), Names{}) << "no operators";
    EXPECT_TRUE(contains(need(database.search("塔楼的时", 1)).at(0).excerpt, "修理"));
}

TEST_F(ChatTest, AnUncleanStopIsNoticedAndCutRepliesAreMarked) {
    MessageId reply = 0;
    {
        auto database = need(open());
        EXPECT_TRUE(database.notes().empty());
        const SessionId session = newSession(database, "s");
        NewMessage message = says(session, 0, Role::kAssistant, "half a sen");
        message.state = MessageState::kStreaming;
        reply = add(database, message);
    }  // not closed
    auto database = need(open());
    ASSERT_EQ(database.notes().size(), 1U);
    EXPECT_TRUE(contains(database.notes()[0], "not closed"));
    EXPECT_EQ(need(database.messages().get(reply)).node.state, MessageState::kInterrupted);
    EXPECT_EQ(need(database.search("half a", 5)).size(), 1U);
    need(database.close());
    EXPECT_TRUE(need(open()).notes().empty());
}

TEST_F(ChatTest, ANewerFileIsReadOnly) {
    {
        auto database = need(open());
        newSession(database, "from the future");
        need(database.connection().execute("PRAGMA user_version = 999"));
        need(database.close());
    }
    auto database = need(open());
    EXPECT_FALSE(database.writable());
    ASSERT_EQ(database.notes().size(), 1U);
    EXPECT_TRUE(contains(database.notes()[0], "schema 999"));
    EXPECT_EQ(need(database.sessions().list()).at(0).name, "from the future");
    const auto written = database.write([](ChatDatabase& db) { return db.sessions().add("x", "{}", 1); });
    EXPECT_EQ(written.error().code, ErrorCode::kUnsupported);
    EXPECT_FALSE(database.sessions().add("x", "{}", 1).has_value()) << "the connection refuses as well";
    need(database.close());
    EXPECT_EQ(need(database.connection().integer("PRAGMA user_version")), 999);
}

TEST_F(ChatTest, ADatabaseOfAnotherProgramIsLeftAlone) {
    {
        auto other = need(sqlite::Database::open(file()));
        need(other.execute("CREATE TABLE theirs (a); PRAGMA application_id = 7"));
    }
    const std::string before = readText(file());
    EXPECT_EQ(open().error().code, ErrorCode::kFormat);
    EXPECT_EQ(readText(file()), before);
    writeText(file(), "no database at all, just text that is long enough to be looked at" + std::string(4096, 'x'));
    EXPECT_EQ(open().error().code, ErrorCode::kCorrupt);
}

TEST_F(ChatTest, OneBadMessageDoesNotTakeTheOthersWithIt) {
    auto database = need(open());
    const SessionId session = newSession(database, "s");
    MessageId last = 0;
    std::vector<MessageId> all;
    for (int i = 0; i < 5; ++i)
        all.push_back(last = add(database, says(session, last, Role::kUser, std::to_string(i))));
    need(database.connection().run("UPDATE message SET details = '{\"cut', text = 'kept' WHERE id = ?1", all[1]));
    need(database.connection().run("UPDATE message SET role = 'gh' WHERE id = ?1", all[2]));
    const auto path = need(database.messages().path(last));
    ASSERT_EQ(path.size(), 5U);
    EXPECT_EQ(path[1].text, "kept");
    EXPECT_EQ(path[1].details, "{}");
    EXPECT_FALSE(path[2].node.readable);
    EXPECT_EQ(path[4].text, "4");
    EXPECT_EQ(need(database.problems()).size(), 1U);

    need(database.connection().run("UPDATE message SET parent_id = NULL WHERE id = ?1", all[3]));
    EXPECT_EQ(need(database.messages().path(last)).size(), 2U);
    EXPECT_EQ(need(database.messages().tree(session)).size(), 5U);
}

TEST_F(ChatTest, AReaderWorksBesideTheOwner) {
    auto owner = need(open());
    const SessionId session = newSession(owner, "s");
    auto reader = need(open(ChatAccess::kReader));
    EXPECT_EQ(need(reader.sessions().list()).size(), 1U);
    EXPECT_FALSE(reader.sessions().rename(session, "x").has_value());
    std::jthread writing([&] {
        for (int i = 0; i < 100; ++i) add(owner, says(session, 0, Role::kUser, "m"));
    });
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(reader.messages().tree(session).has_value());
    writing.join();
    EXPECT_EQ(need(reader.messages().tree(session)).size(), 100U);
    TempFolder empty;
    EXPECT_EQ(ChatDatabase::open(empty / "chats.db", {ChatAccess::kReader, "", ""}).error().code, ErrorCode::kNotFound);
}

TEST(DataFolderTest, IsPrivateAndHasOneOwner) {
    TempFolder folder;
    const DataPlaces places = need(dataPlaces(folder / "a/b"));
    const mode_t mask = umask(0);
    auto owner = need(FolderOwner::acquire(places, "the first program"));
    auto database =
        need(ChatDatabase::open(places.data / "chats.db", {ChatAccess::kOwner, places.data / "backups", ""}));
    const SourceFiles sources = need(SourceFiles::open(places.data / "sources"));
    need(sources.keepBytes(std::as_bytes(std::span("abc", 3))));
    umask(mask);
    for (const auto& entry : fs::recursive_directory_iterator(places.data))
        EXPECT_EQ(modeOf(entry.path()), entry.is_directory() ? 0700U : 0600U) << entry.path();
    EXPECT_EQ(modeOf(folder / "a"), 0700U);

    const auto second = FolderOwner::acquire(places, "the second program");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::kBusy);
    EXPECT_TRUE(contains(second.error().message, "the first program (process " + std::to_string(getpid())));
    { const FolderOwner gone = std::move(owner); }
    EXPECT_TRUE(FolderOwner::acquire(places, "the second program").has_value());
}

TEST(DataFolderTest, FollowsTheXdgRules) {
    setenv("XDG_DATA_HOME", "/data", 1);
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/home/somebody", 1);
    const DataPlaces places = need(dataPlaces(std::nullopt));
    EXPECT_EQ(places.data, "/data/palimpsest");
    EXPECT_EQ(places.states, "/home/somebody/.local/state/palimpsest");
    unsetenv("HOME");
    EXPECT_EQ(dataPlaces(std::nullopt).error().code, ErrorCode::kInvalidArgument);
}

TEST(SourceFilesTest, KeepsBytesByContent) {
    TempFolder folder;
    const SourceFiles sources = need(SourceFiles::open(folder / "sources"));
    writeText(folder / "original", "abc");
    const auto kept = need(sources.keepFile(folder / "original"));
    EXPECT_EQ(toHex(kept.sha256), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        << "FIPS 180-4, B.1";
    fs::remove(folder / "original");
    EXPECT_EQ(readText(sources.path(kept.sha256)), "abc");
    need(sources.check(kept.sha256));
    need(sources.keepBytes(std::as_bytes(std::span("abc", 3))));
    EXPECT_EQ(need(sources.list()).size(), 1U);

    fs::permissions(sources.path(kept.sha256), fs::perms::owner_all);
    writeText(sources.path(kept.sha256), "abd");
    EXPECT_EQ(sources.check(kept.sha256).error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(sources.keepFile(folder / "original").error().code, ErrorCode::kNotFound);
    EXPECT_EQ(sources.keepFile(folder.path()).error().code, ErrorCode::kIo);
    const auto failed =
        sources.keep([](std::span<std::byte>) -> Result<size_t> { return fail(ErrorCode::kIo, "gone"); });
    EXPECT_FALSE(failed);
    EXPECT_EQ(need(sources.list()).size(), 1U) << "nothing is left of what failed";
}

TEST(SourceFilesTest, AFolderThatCannotBeLookedIntoIsAnError) {
    TempFolder folder;
    const SourceFiles sources = need(SourceFiles::open(folder / "sources"));
    const fs::path inside = folder / "sources" / "ba";  // of "abc", as above
    fs::create_symlink(inside, inside);                 // ends nowhere, for whoever it is
    EXPECT_EQ(sources.keepBytes(std::as_bytes(std::span("abc", 3))).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace pal::test
