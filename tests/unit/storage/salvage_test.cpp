// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/salvage.h"

#include <random>

#include "tests/support/contains.h"
#include "tests/unit/storage/chat_fixture.h"

namespace pal::test {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr int kMessages = 40;

// About three quarters of a page, so that damage to a page takes one row.
std::string textOf(int number) {
    return "marker " + std::to_string(number) + " " + std::string(3'000, static_cast<char>('a' + number % 26));
}

class SalvageTest : public ChatTest {
  protected:
    // One line of messages in a closed database; their ids.
    std::vector<MessageId> makeTalk() {
        auto database = need(open());
        const SessionId session = newSession(database, "talk");
        std::vector<MessageId> ids{0};
        for (int i = 0; i < kMessages; ++i) {
            ids.push_back(
                add(database, says(session, ids.back(), i % 2 == 0 ? Role::kUser : Role::kAssistant, textOf(i))));
        }
        ids.erase(ids.begin());
        need(database.close());
        return ids;
    }
    void expectWholeTalk() {
        auto database = need(open());
        EXPECT_TRUE(need(database.problems()).empty());
        const std::vector<SessionSummary> sessions = need(database.sessions().list());
        ASSERT_EQ(sessions.size(), 1U);
        EXPECT_EQ(sessions[0].name, "talk");
        const std::vector<Message> path = need(database.messages().path(sessions[0].head));
        ASSERT_EQ(path.size(), static_cast<size_t>(kMessages));
        for (int i = 0; i < kMessages; ++i) EXPECT_EQ(path[static_cast<size_t>(i)].text, textOf(i));
        need(database.close());
    }
    // Makes the page that holds a message's text unreadable.
    void damageRowOf(int number) {
        std::string bytes = readText(file());
        const size_t at = bytes.find("marker " + std::to_string(number) + " ");
        ASSERT_NE(at, std::string::npos);
        std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at / kPageBytes * kPageBytes), 16, '\xff');
        writeText(file(), bytes);
    }
};

TEST_F(SalvageTest, ALostMessageKeepsItsPlaceAndTheOthersTheirText) {
    const std::vector<MessageId> ids = makeTalk();
    damageRowOf(20);
    const std::string before = readText(file());
    const SalvageReport report = need(salvageChats(file()));
    EXPECT_EQ(report.lost.size(), 1U);
    EXPECT_TRUE(report.lost.at(0).starts_with("message " + std::to_string(ids[20]))) << report.lost.at(0);
    EXPECT_EQ(report.sessions, 1);
    EXPECT_EQ(report.messages, kMessages);
    EXPECT_TRUE(readText(report.damagedFile) == before) << "the damaged file stays as it was found";

    auto database = need(open());
    EXPECT_TRUE(need(database.problems()).empty());
    const SessionSummary session = need(database.sessions().list()).at(0);
    EXPECT_EQ(session.name, "talk");
    EXPECT_EQ(session.head, ids.back());
    const std::vector<Message> path = need(database.messages().path(session.head));
    ASSERT_EQ(path.size(), ids.size());
    for (int i = 0; i < kMessages; ++i) {
        EXPECT_EQ(path[static_cast<size_t>(i)].node.id, ids[static_cast<size_t>(i)]);
        EXPECT_EQ(path[static_cast<size_t>(i)].text, i == 20 ? "(this message was lost)" : textOf(i));
    }
    EXPECT_EQ(need(database.search("marker 21", 10)).size(), 1U) << "the index is made again";
}

TEST_F(SalvageTest, BeforeItADamagedMessageIsAPlaceholderInItsPath) {
    const std::vector<MessageId> ids = makeTalk();
    damageRowOf(20);
    auto database = need(open(ChatAccess::kReader));
    const std::vector<Message> path = need(database.messages().path(ids.back()));
    ASSERT_EQ(path.size(), ids.size());
    for (int i = 0; i < kMessages; ++i) EXPECT_EQ(path[static_cast<size_t>(i)].node.readable, i != 20) << i;
    EXPECT_EQ(database.messages().get(ids[20]).error().code, ErrorCode::kCorrupt);
}

// Where the tables begin stands in the first page alone, and a second time beside the database.
TEST_F(SalvageTest, ADatabaseWithoutItsFirstPageIsSavedWhole) {
    makeTalk();
    std::string bytes = readText(file());
    std::fill_n(bytes.begin(), kPageBytes, '\xff');
    writeText(file(), bytes);
    EXPECT_EQ(open().error().code, ErrorCode::kCorrupt);
    const SalvageReport report = need(salvageChats(file()));
    EXPECT_TRUE(report.lost.empty()) << report.lost[0];
    EXPECT_TRUE(readText(report.damagedFile) == bytes);
    expectWholeTalk();
}

// Messages that are only in the log, as after a program that was killed.
TEST_F(SalvageTest, ADatabaseWithoutItsFirstPageTakesWhatItsLogHolds) {
    TempFolder killed;
    {
        auto database = need(open());
        need(database.connection().execute("PRAGMA wal_autocheckpoint = 0"));
        MessageId last = 0;
        const SessionId session = newSession(database, "talk");
        for (int i = 0; i < kMessages; ++i)
            last = add(database, says(session, last, i % 2 == 0 ? Role::kUser : Role::kAssistant, textOf(i)));
        for (const char* ending : {"", "-wal", ".schema"})
            std::filesystem::copy_file(file().string() + ending, killed / (std::string("chats.db") + ending));
    }
    for (const char* ending : {"", "-wal", ".schema"}) {
        std::filesystem::remove(file().string() + ending);
        std::filesystem::copy_file(killed / (std::string("chats.db") + ending), file().string() + ending);
    }
    std::string bytes = readText(file());
    ASSERT_EQ(bytes.find("marker 20 "), std::string::npos) << "it is in the log alone";
    std::fill_n(bytes.begin(), kPageBytes, '\xff');
    writeText(file(), bytes);
    const SalvageReport report = need(salvageChats(file()));
    EXPECT_TRUE(report.lost.empty()) << report.lost[0];
    expectWholeTalk();
}

TEST_F(SalvageTest, AMigratedDatabaseHasACopyOfItsNewSchema) {
    std::filesystem::copy_file("tests/data/chats/schema_1.db", file());
    const auto texts = [&](ChatDatabase& database) {
        std::vector<std::string> out;
        const auto sessions = need(database.sessions().list());
        for (const SessionSummary& session : sessions)
            for (const Message& message : need(database.messages().path(session.head))) out.push_back(message.text);
        return out;
    };
    std::vector<std::string> before;
    {
        auto database = need(open());
        before = texts(database);
        need(database.close());
    }
    ASSERT_FALSE(before.empty());
    std::string bytes = readText(file());
    std::fill_n(bytes.begin(), kPageBytes, '\0');
    writeText(file(), bytes);
    EXPECT_TRUE(need(salvageChats(file())).lost.empty());
    auto database = need(open());
    EXPECT_EQ(texts(database), before);
    EXPECT_TRUE(need(database.problems()).empty());
}

TEST_F(SalvageTest, MeasuredSpeedsAndTheBudgetAreCarriedOver) {
    makeTalk();
    {
        auto database = need(open());
        need(database.write([](ChatDatabase& db) -> Result<> {
            PAL_TRY(db.rates().add("model", "cpu", RateKind::kPrefill, 300, 2));
            return db.setNumber("budget", 7);
        }));
        need(database.close());
    }
    damageRowOf(20);
    EXPECT_EQ(need(salvageChats(file())).lost.size(), 1U);
    auto database = need(open());
    EXPECT_EQ(need(database.rates().get("model", "cpu", RateKind::kPrefill)), 150.0);
    EXPECT_EQ(need(database.number("budget")), 7);
    for (const std::string& note : database.notes())
        EXPECT_FALSE(contains(note, "was not closed")) << "the new file's own mark stays";
}

TEST_F(SalvageTest, ANewerProgramsFileIsLeftAlone) {
    makeTalk();
    need(need(sqlite::Database::open(file())).execute("PRAGMA user_version = 99"));
    const std::string before = readText(file());
    EXPECT_EQ(salvageChats(file()).error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(readText(file()), before);
}

TEST_F(SalvageTest, WithoutASchemaAndItsCopyNothingIsChanged) {
    makeTalk();
    std::filesystem::remove(file().string() + ".schema");
    std::string bytes = readText(file());
    std::fill_n(bytes.begin(), 2 * kPageBytes, '\xff');
    writeText(file(), bytes);
    const auto report = salvageChats(file());
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kCorrupt);
    EXPECT_TRUE(readText(file()) == bytes);
    size_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
        entries += entry.path().filename() == "backups" ? 0 : 1;
    EXPECT_EQ(entries, 1U) << "no work files stay";
    EXPECT_EQ(salvageChats(folder_ / "none.db").error().code, ErrorCode::kNotFound);
}

class SalvageAnyPageTest : public ChatTest {
  protected:
    // A library of several pages per table.
    void fill() {
        auto database = need(open());
        for (int s = 0; s < 20; ++s) {
            const SessionId session = newSession(database, "session " + std::to_string(s));
            MessageId last = 0;
            need(database.write([&](ChatDatabase& db) -> Result<> {
                for (int m = 0; m < 25; ++m) {
                    NewMessage message = says(session, last, Role::kUser,
                                              fmt::format("message {} of {} ", m, s) + std::string(300, 'x'));
                    message.ids = MessageIds{"v", {m, s}};
                    PAL_ASSIGN(last, db.messages().add(message));
                }
                return {};
            }));
        }
        need(database.close());
        need(database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    }
};

TEST_F(SalvageAnyPageTest, WhatCanBeReadIsSavedAndTheRestIsNamed) {
    fill();
    const std::string sound = readText(file());
    std::minstd_rand random(7);
    int64_t saved = 0, lost = 0;
    for (int round = 0; round < 25; ++round) {
        for (const char* ending : {"-wal", "-shm"}) std::filesystem::remove(file().string() + ending);
        std::string damaged = sound;
        // The first round takes page 1, which holds the schema.
        const size_t at = kPageBytes * (round == 0 ? 0 : random() % (damaged.size() / kPageBytes));
        for (size_t i = 0; i < kPageBytes; ++i) damaged[at + i] = static_cast<char>(random());
        writeText(file(), damaged);
        const auto report = salvageChats(file());
        ASSERT_TRUE(report.has_value()) << "page " << at / kPageBytes << ": " << report.error().message;
        EXPECT_EQ(readText(report->damagedFile), damaged) << "the damaged file is kept as it was";
        auto database = need(open());
        EXPECT_TRUE(need(database.problems()).empty());
        EXPECT_EQ(need(database.sessions().list()).size(), 20U);
        const int64_t whole =
            need(database.connection().integer("SELECT count(*) FROM message WHERE text LIKE 'message % of %xx'"));
        saved += whole;
        lost += 500 - whole;
        // A page that leads to others takes all of theirs with it.
        constexpr char kInteriorTablePage = 5;
        EXPECT_GE(whole, sound[at] == kInteriorTablePage ? 0 : 500 - 25) << "one page holds few messages";
        EXPECT_GE(std::ssize(report->lost), 500 - whole) << "each is named";
        need(database.close());
        std::filesystem::remove(report->damagedFile);
    }
    EXPECT_GT(saved, 0);
    EXPECT_GT(lost, 0) << "the test must have met messages";
}

TEST_F(SalvageAnyPageTest, DamageIsNoticedAfterAnUncleanStop) {
    fill();
    {
        auto database = need(open());
        need(database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    }
    std::string damaged = readText(file());
    for (size_t i = 8192; i < 3 * 8192; ++i) damaged[i] = 'x';
    for (const char* ending : {"-wal", "-shm"}) std::filesystem::remove(file().string() + ending);
    writeText(file(), damaged);
    const auto opened = open();
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
    EXPECT_TRUE(contains(opened.error().message, "pal sessions salvage"));
    EXPECT_EQ(salvageChats(folder_ / "none").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace pal::test
