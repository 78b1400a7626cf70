// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/schema_copy.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "storage/chats/data_folder.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

// A row of sqlite_schema.
struct Line {
    std::string type, name, table;
    int64_t root = 0;
    std::optional<std::string> sql;
    friend bool operator==(const Line&, const Line&) = default;
};

struct Schema {
    int64_t pageBytes = 0;
    int64_t application = 0;
    int64_t version = 0;
    std::vector<Line> lines;
    friend bool operator==(const Schema&, const Schema&) = default;
};

Result<std::vector<Line>> linesOf(sqlite::Database& database, std::string_view table) {
    std::vector<Line> out;
    PAL_ASSIGN(auto rows, database.prepare(fmt::format("SELECT type, name, tbl_name, rootpage, sql FROM {}", table)));
    PAL_TRY(rows.start());
    while (true) {
        PAL_ASSIGN(const bool found, rows.step());
        if (!found) return out;
        Line& line = out.emplace_back(Line{std::string(rows.text(0)), std::string(rows.text(1)),
                                           std::string(rows.text(2)), rows.integer(3), std::nullopt});
        if (!rows.isNull(4)) line.sql = std::string(rows.text(4));
    }
}

Result<Schema> schemaIn(sqlite::Database& database, std::string_view table) {
    Schema out;
    PAL_ASSIGN(out.pageBytes, database.integer("PRAGMA page_size"));
    PAL_ASSIGN(out.application, database.integer("PRAGMA application_id"));
    PAL_ASSIGN(out.version, database.integer("PRAGMA user_version"));
    PAL_ASSIGN(out.lines, linesOf(database, table));
    return out;
}

Result<Schema> readCopy(const fs::path& copy) {
    PAL_ASSIGN(sqlite::Database database, sqlite::Database::open(copy, {sqlite::OpenMode::kReadOnly, 5000, ""}));
    return schemaIn(database, "line");
}

// An empty database that says the same of itself.
Result<sqlite::Database> makeLike(const Schema& schema, const fs::path& file) {
    PAL_ASSIGN(sqlite::Database database, sqlite::Database::open(file));
    PAL_TRY(database.execute(fmt::format("PRAGMA page_size = {}; PRAGMA application_id = {}; PRAGMA user_version = {}",
                                         schema.pageBytes, schema.application, schema.version)));
    return database;
}

Result<> writeCopy(const Schema& schema, const fs::path& file) {
    PAL_ASSIGN(sqlite::Database database, makeLike(schema, file));
    PAL_TRY(database.execute("PRAGMA synchronous = OFF"));  // becomesSafely() does that for the whole file
    PAL_ASSIGN(auto transaction, sqlite::Transaction::begin(database));
    PAL_TRY(database.execute("CREATE TABLE line (type TEXT, name TEXT, tbl_name TEXT, rootpage INTEGER, sql TEXT)"));
    PAL_ASSIGN(auto insert, database.prepare("INSERT INTO line VALUES (?1, ?2, ?3, ?4, ?5)"));
    for (const Line& line : schema.lines) PAL_TRY(insert.run(line.type, line.name, line.table, line.root, line.sql));
    return transaction.commit();
}

void removeDatabase(const fs::path& file) {
    std::error_code none;
    for (const char* ending : {"", "-journal"}) fs::remove(file.string() + ending, none);
}

// The first page of an empty database, in place of the file's own.
Result<> pasteEmptySchema(const Schema& schema, const fs::path& file) {
    constexpr size_t kWriteVersion = 18, kReadVersion = 19, kPages = 28;  // of SQLite's header
    const fs::path blank = file.string() + ".blank";
    const auto made = makeLike(schema, blank).map([](const auto&) {});
    std::string page(static_cast<size_t>(schema.pageBytes), '\0');
    std::ifstream(blank, std::ios::binary).read(page.data(), schema.pageBytes);
    removeDatabase(blank);
    PAL_TRY(made);
    std::error_code error;
    const auto pages = static_cast<uint64_t>(fs::file_size(file, error)) / page.size();
    if (error) return fail(ErrorCode::kIo, "{}: {}", file.string(), error.message());
    page[kWriteVersion] = page[kReadVersion] = 2;  // there may be a log
    for (size_t i = 0; i < 4; ++i) page[kPages + i] = static_cast<char>(pages >> (24 - 8 * i));
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    out.write(page.data(), schema.pageBytes).flush();
    if (!out) return fail(ErrorCode::kIo, "{}: its first page cannot be written", file.string());
    return {};
}

// As far as the file can be opened.
void takeLogIn(const fs::path& file) {
    auto database = sqlite::Database::open(file, {sqlite::OpenMode::kReadWrite, 5000, ""});
    if (database) static_cast<void>(database->execute("PRAGMA wal_checkpoint(TRUNCATE)"));
}

}  // namespace

fs::path schemaCopyOf(const fs::path& database) {
    return database.string() + ".schema";
}

Result<> keepSchema(sqlite::Database& database) {
    PAL_ASSIGN(const Schema now, schemaIn(database, "main.sqlite_schema"));
    const fs::path copy = schemaCopyOf(database.path());
    const auto kept = readCopy(copy);
    if (kept && *kept == now) return {};
    const fs::path part = copy.string() + ".part";
    removeDatabase(part);
    if (const auto written = writeCopy(now, part); !written) {
        removeDatabase(part);
        return fail(written.error());
    }
    return becomesSafely(part, copy);
}

Result<> restoreSchema(const fs::path& file, const fs::path& copy) {
    PAL_ASSIGN(const Schema schema, readCopy(copy));
    // Pages that are only in the log must be in the file before its end is known, and the log may hold the damaged page, too.
    takeLogIn(file);
    PAL_TRY(pasteEmptySchema(schema, file));
    takeLogIn(file);
    PAL_TRY(pasteEmptySchema(schema, file));
    PAL_ASSIGN(sqlite::Database database, sqlite::Database::open(file, {sqlite::OpenMode::kReadWrite, 5000, ""}));
    PAL_TRY(database.execute("PRAGMA writable_schema = ON"));
    PAL_ASSIGN(auto transaction, sqlite::Transaction::begin(database));
    {
        PAL_ASSIGN(auto insert, database.prepare("INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) "
                                                 "VALUES (?1, ?2, ?3, ?4, ?5)"));
        for (const Line& line : schema.lines)
            PAL_TRY(insert.run(line.type, line.name, line.table, line.root, line.sql));
    }
    return transaction.commit();
}

}  // namespace pal
