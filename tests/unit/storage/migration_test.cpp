// SPDX-License-Identifier: Apache-2.0
// Files of every past schema, kept in tests/data/chats, open and keep what they hold, also when the program dies in between.
#include "storage/chats/migrations.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "tests/support/contains.h"
#include "tests/unit/storage/chat_fixture.h"

namespace pal::test {
namespace {

namespace fs = std::filesystem;

class MigrationTest : public ChatTest, public testing::WithParamInterface<int> {
  protected:
    void SetUp() override {
        const fs::path old = fmt::format("tests/data/chats/schema_{}.db", GetParam());
        ASSERT_TRUE(fs::exists(old)) << old;
        fs::copy_file(old, file());
    }
    // What every file in tests/data/chats holds.
    static void expectContents(ChatDatabase& database) {
        const auto sessions = need(database.sessions().list());
        ASSERT_EQ(sessions.size(), 1U);
        EXPECT_EQ(sessions[0].name, "时钟 and clocks");
        const auto path = need(database.messages().path(sessions[0].head));
        ASSERT_EQ(path.size(), 3U);
        EXPECT_EQ(path[0].text, "Who repaired the clock?");
        EXPECT_EQ(path[0].attachments.at(0).name, "notes.txt");
        EXPECT_EQ(need(database.sources().extraction(*path[0].attachments[0].extraction)).text, "Anna did.");
        EXPECT_EQ(path[2].text, "安娜修理了时钟。");
        EXPECT_EQ(need(database.messages().ids(path[1].node.id))->ids, (std::vector<int32_t>{7, 8, 163'839}));
        EXPECT_EQ(need(database.search("时钟", 10)).size(), 2U);
        EXPECT_EQ(need(database.search("repaired", 10)).size(), 1U);
        EXPECT_TRUE(need(database.problems()).empty());
    }
};

TEST_P(MigrationTest, AnOldFileIsCopiedAndBroughtUpToDate) {
    const int newest = chatMigrations().back().number;
    auto database = need(open());
    EXPECT_EQ(database.schemaVersion(), newest);
    expectContents(database);
    need(database.close());
    std::vector<fs::path> copies;
    if (fs::exists(folder_ / "backups"))
        for (const auto& entry : fs::directory_iterator(folder_ / "backups")) copies.push_back(entry.path());
    ASSERT_EQ(copies.size(), GetParam() < newest ? 1U : 0U);
    if (copies.empty()) return;
    EXPECT_TRUE(contains(database.notes().at(0), copies[0].string()));
    auto copy = need(sqlite::Database::open(copies[0]));
    EXPECT_EQ(need(schemaVersion(copy)), GetParam());
    EXPECT_EQ(need(copy.integer("SELECT count(*) FROM message")), 4);
    EXPECT_EQ(fs::status(copies[0]).permissions() & fs::perms::all, fs::perms::owner_read | fs::perms::owner_write);
}

class PastSchemaTest : public MigrationTest {};

TEST_P(PastSchemaTest, AMigrationThatIsKilledLeavesASoundFile) {
    const fs::path old = folder_ / "old.db";
    fs::copy_file(file(), old);
    std::minstd_rand random(1);
    for (int round = 0; round < 40; ++round) {
        for (const char* ending : {"", "-wal", "-shm"}) fs::remove(file().string() + ending);
        fs::copy_file(old, file());
        const pid_t child = fork();
        if (child == 0) {
            static_cast<void>(open());
            pause();  // killed here at the latest
            _exit(0);
        }
        usleep(static_cast<useconds_t>(random() % 40'000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        auto database = need(open());
        expectContents(database);
        EXPECT_EQ(database.schemaVersion(), chatMigrations().back().number);
    }
}

TEST_P(PastSchemaTest, WithoutRoomForTheBackupNothingIsChanged) {
    const std::string before = readText(file());
    writeText(folder_ / "backups", "a file where the folder should be");
    const auto opened = open();
    ASSERT_FALSE(opened);
    EXPECT_TRUE(contains(opened.error().message, "backups"));
    auto untouched = need(sqlite::Database::open(file()));
    EXPECT_EQ(need(schemaVersion(untouched)), GetParam());
    EXPECT_EQ(need(untouched.integer("SELECT count(*) FROM message")), 4);
}

INSTANTIATE_TEST_SUITE_P(Schemas, PastSchemaTest, testing::Range(1, static_cast<int>(chatMigrations().size())),
                         [](const auto& from) { return "From" + std::to_string(from.param); });
INSTANTIATE_TEST_SUITE_P(Schemas, MigrationTest, testing::Range(1, static_cast<int>(chatMigrations().size()) + 1),
                         [](const auto& from) { return "From" + std::to_string(from.param); });

// The list above grows with the scripts.
TEST(MigrationScripts, EveryPastSchemaHasAFile) {
    const auto scripts = chatMigrations();
    for (size_t i = 0; i < scripts.size(); ++i) {
        EXPECT_EQ(scripts[i].number, static_cast<int>(i) + 1);
        EXPECT_TRUE(fs::exists(fmt::format("tests/data/chats/schema_{}.db", i + 1)))
            << "keep a file of schema " << i + 1 << " made by tests/data/chats/make.py";
    }
}

}  // namespace
}  // namespace pal::test
