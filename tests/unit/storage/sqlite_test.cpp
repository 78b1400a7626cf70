// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>

#include "storage/sqlite/database.h"
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

}  // namespace
}  // namespace pal::sqlite
