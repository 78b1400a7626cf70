// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>

#include "storage/sqlite/database.h"
#include "tests/storage/fault_vfs.h"
#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"

namespace pal::sqlite {
namespace {

class SqliteTest : public ::testing::Test {
  protected:
    SqliteTest() : path_(folder_ / "a.db"), database_(Database::open(path_).value()) {
        EXPECT_TRUE(database_.execute("CREATE TABLE t(k INTEGER PRIMARY KEY, v)").has_value());
    }
    int64_t rows() { return database_.integer("SELECT count(*) FROM t").value(); }

    test::TempFolder folder_;
    std::filesystem::path path_;
    Database database_;
};

TEST_F(SqliteTest, EveryTypeComesBack) {
    const std::array<std::byte, 3> bytes{std::byte{0}, std::byte{255}, std::byte{7}};
    auto insert = database_.prepare("INSERT INTO t(v) VALUES(?)").value();
    ASSERT_TRUE(insert.run(int64_t{1} << 62).has_value());
    ASSERT_TRUE(insert.run(0.1).has_value());
    ASSERT_TRUE(insert.run("a\0b'\"").has_value());
    ASSERT_TRUE(insert.run(std::span(bytes)).has_value());
    ASSERT_TRUE(insert.run(std::nullopt).has_value());
    ASSERT_TRUE(insert.run(std::string_view()).has_value());
    ASSERT_TRUE(insert.run(std::optional<int64_t>()).has_value());
    EXPECT_EQ(database_.lastInsertId(), 7);

    auto select = database_.prepare("SELECT v FROM t ORDER BY k").value();
    ASSERT_TRUE(select.step().value());
    EXPECT_EQ(select.integer(0), int64_t{1} << 62);
    ASSERT_TRUE(select.step().value());
    EXPECT_EQ(select.real(0), 0.1);
    ASSERT_TRUE(select.step().value());
    EXPECT_EQ(select.text(0), "a");
    ASSERT_TRUE(select.step().value());
    EXPECT_TRUE(std::ranges::equal(select.blob(0), bytes));
    ASSERT_TRUE(select.step().value());
    EXPECT_TRUE(select.isNull(0));
    ASSERT_TRUE(select.step().value());
    EXPECT_FALSE(select.isNull(0));
    EXPECT_EQ(select.text(0), "");
    ASSERT_TRUE(select.step().value());
    EXPECT_TRUE(select.isNull(0));
    EXPECT_FALSE(select.step().value());
}

TEST_F(SqliteTest, TextWithNulBytesIsKeptWhole) {
    const std::string text("a\0b", 3);
    ASSERT_TRUE(database_.run("INSERT INTO t(v) VALUES(?)", text).has_value());
    auto select = database_.prepare("SELECT v FROM t").value();
    ASSERT_TRUE(select.step().value());
    EXPECT_EQ(select.text(0), text);
}

TEST_F(SqliteTest, ATransactionIsWholeOrNotThere) {
    {
        auto transaction = Transaction::begin(database_).value();
        ASSERT_TRUE(database_.run("INSERT INTO t(v) VALUES(1)").has_value());
    }
    EXPECT_EQ(rows(), 0);
    auto transaction = Transaction::begin(database_).value();
    ASSERT_TRUE(database_.run("INSERT INTO t(v) VALUES(1)").has_value());
    ASSERT_TRUE(transaction.commit().has_value());
    EXPECT_EQ(rows(), 1);
}

TEST_F(SqliteTest, ErrorsNameTheFileAndTheReason) {
    const auto wrong = database_.prepare("SELECT missing FROM t");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().code, ErrorCode::kInternal);
    EXPECT_TRUE(test::contains(wrong.error().message, "a.db"));
    EXPECT_TRUE(test::contains(wrong.error().message, "no such column"));

    const auto missing = Database::open(folder_ / "missing.db", {OpenMode::kReadWrite, 0, {}});
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);

    test::writeText(folder_ / "text.db", std::string(4096, 'x'));
    const auto text = Database::open(folder_ / "text.db");
    ASSERT_FALSE(text.has_value());
    EXPECT_EQ(text.error().code, ErrorCode::kCorrupt);

    EXPECT_FALSE(Database::open(folder_ / "no" / "folder.db").has_value());
}

TEST_F(SqliteTest, ASecondWriterWaitsAndIsToldThatTheFileIsBusy) {
    auto other = Database::open(path_, {OpenMode::kReadWrite, 10, {}}).value();
    auto transaction = Transaction::begin(database_).value();
    const auto second = Transaction::begin(other);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::kBusy);
    ASSERT_TRUE(transaction.commit().has_value());
    EXPECT_TRUE(Transaction::begin(other).has_value());
}

TEST_F(SqliteTest, NewFilesArePrivate) {
    struct stat status {};
    ASSERT_EQ(stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(SqliteTest, ADiskThatIsGoneIsNotTakenForADamagedFile) {
    test::FaultVfs vfs;
    OpenOptions options;
    options.vfs = vfs.name();
    auto database = Database::open(folder_ / "b.db", options).value();
    ASSERT_TRUE(database.execute("PRAGMA cache_size=1; CREATE TABLE t(v); INSERT INTO t VALUES(zeroblob(100000))"));
    vfs.failReads();
    const auto gone = database.integer("SELECT sum(length(v || v)) FROM t");
    ASSERT_FALSE(gone.has_value());
    EXPECT_EQ(gone.error().code, ErrorCode::kIo) << gone.error().message;
    EXPECT_TRUE(test::contains(gone.error().message, "b.db"));
    EXPECT_TRUE(test::contains(gone.error().message, "does not answer")) << gone.error().message;
    vfs.heal();
    EXPECT_TRUE(database.integer("SELECT sum(length(v || v)) FROM t").has_value());
}

TEST_F(SqliteTest, QuickCheckFindsADamagedPage) {
    ASSERT_TRUE(database_.quickCheck().has_value());
    auto transaction = Transaction::begin(database_).value();
    for (int i = 0; i < 2000; ++i)
        ASSERT_TRUE(database_.run("INSERT INTO t(v) VALUES(?)", std::string(100, 'v')).has_value());
    ASSERT_TRUE(transaction.commit().has_value());
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8 * 4096);
    file << std::string(4096, '\x55');
    file.close();
    auto again = Database::open(path_).value();
    const auto checked = again.quickCheck();
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().code, ErrorCode::kCorrupt);
}

// Runs `look` with the folder mounted once more, read-only, in a process of its own. 0 when all went well, kCannotMount where that is not
// allowed.
constexpr int kCannotMount = 77;
int withReadOnlyView(const std::filesystem::path& folder, const std::filesystem::path& view,
                     const std::function<void()>& look) {
    std::filesystem::create_directories(view);
    const pid_t child = fork();
    if (child == 0) {
        const bool apart = unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
        const bool mounted = apart && mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                             mount(folder.c_str(), view.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
                             mount("", view.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
        if (!mounted) _exit(kCannotMount);
        look();
        _exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// A folder that is read-only here can be written through another mount: what is read stays what it was.
TEST(SqliteReadOnly, AViewOfAFolderThatOthersWrite) {
    const test::TempFolder temp;
    const auto data = temp / "data";
    std::filesystem::create_directories(data);
    const auto add = [&](Database& database, int64_t rows) {
        ASSERT_TRUE(
            database
                .run("INSERT INTO t(v) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                     "SELECT randomblob(500) FROM n",
                     rows)
                .has_value());
    };
    const auto writer = [&] {
        Database database = Database::open(data / "a.db").value();
        EXPECT_TRUE(database.execute("PRAGMA journal_mode=WAL; CREATE TABLE IF NOT EXISTS t(k INTEGER PRIMARY KEY, v)")
                        .has_value());
        return database;
    };
    {
        Database database = writer();
        add(database, 100);
    }
    const int done = withReadOnlyView(data, temp / "view", [&] {
        const auto count = [](Database& database) { return database.integer("SELECT count(*) FROM t").value(); };
        EXPECT_EQ(readingOf(temp / "view" / "a.db"), Reading::kCopy);
        auto before = Database::open(temp / "view" / "a.db");
        ASSERT_TRUE(before.has_value()) << before.error().message;
        EXPECT_EQ(before->path(), temp / "view" / "a.db");
        {
            Database database = writer();
            add(database, 5000);
            EXPECT_EQ(readingOf(temp / "view" / "a.db"), Reading::kUsual) << "its writer keeps the files that it needs";
            auto beside = Database::open(temp / "view" / "a.db", {OpenMode::kReadOnly, 0, ""});
            ASSERT_TRUE(beside.has_value()) << beside.error().message;
            EXPECT_EQ(count(*beside), 5100);
            add(database, 10);
            EXPECT_EQ(count(*beside), 5110);
        }
        EXPECT_EQ(count(*before), 100);
        EXPECT_TRUE(before->quickCheck().has_value());
        EXPECT_FALSE(before->execute("DELETE FROM t").has_value());
        auto after = Database::open(temp / "view" / "a.db");
        ASSERT_TRUE(after.has_value()) << after.error().message;
        EXPECT_EQ(count(*after), 5110);

        sqlite3_hard_heap_limit64(sqlite3_memory_used() + (1 << 20));
        const auto tooLarge = Database::open(temp / "view" / "a.db");
        ASSERT_FALSE(tooLarge.has_value());
        EXPECT_EQ(tooLarge.error().code, ErrorCode::kOutOfMemory);
    });
    if (done == kCannotMount) GTEST_SKIP() << "no file system can be mounted here";
    EXPECT_EQ(done, 0);
}

TEST(SqliteReadOnly, WhatCanBeWrittenIsReadAsUsual) {
    const test::TempFolder temp;
    EXPECT_EQ(readingOf(temp / "missing.db"), Reading::kUsual);
    { EXPECT_TRUE(Database::open(temp / "a.db")->execute("CREATE TABLE t(v)").has_value()); }
    EXPECT_EQ(readingOf(temp / "a.db"), Reading::kUsual);
}

}  // namespace
}  // namespace pal::sqlite
