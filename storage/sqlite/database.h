// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "storage/sqlite/read_only_file.h"

struct sqlite3;
struct sqlite3_stmt;

namespace pal::sqlite {

// A thin, owning face of SQLite: errors are values that name the file and carry SQLite's words, nothing leaks, no text is spliced into SQL.
// An object and all that came from it are confined to one thread at a time.

// One prepared statement. Parameters count from 1 as in SQL (?1), columns from 0.
class Statement {
  public:
    // Binds the arguments in order, runs to the end and resets; for statements that return no rows.
    template <typename... Args>
    Result<> run(const Args&... args) {
        PAL_TRY(start(args...));
        PAL_TRY(step());
        reset();
        return {};
    }
    // Resets and binds the arguments in order; then step() through the rows.
    template <typename... Args>
    Result<> start(const Args&... args) {
        reset();
        int index = 0;
        Result<> bound;
        // An argument after a failed one is not bound.
        static_cast<void>(((bound = bind(++index, args)).has_value() && ...));
        return bound;
    }
    // Moves to the next row; false when there is none left, and then the statement is reset.
    [[nodiscard]] Result<bool> step();
    void reset();

    // Of the current row; text and blob stay valid until the next step() or reset().
    [[nodiscard]] int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string_view text(int column) const;
    [[nodiscard]] std::span<const std::byte> blob(int column) const;
    [[nodiscard]] bool isNull(int column) const;

    // Text and blobs are copied. Errors: kIo, kOutOfMemory.
    Result<> bind(int index, int64_t value);
    Result<> bind(int index, int value) { return bind(index, static_cast<int64_t>(value)); }
    Result<> bind(int index, double value);
    Result<> bind(int index, std::string_view text);
    Result<> bind(int index, const std::string& text) { return bind(index, std::string_view(text)); }
    Result<> bind(int index, const char* text) { return bind(index, std::string_view(text)); }
    Result<> bind(int index, std::span<const std::byte> blob);
    Result<> bind(int index, std::nullopt_t);  // NULL
    template <typename T>
    Result<> bind(int index, const std::optional<T>& value) {
        return value ? bind(index, *value) : bind(index, std::nullopt);
    }

  private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    Statement(sqlite3* database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}

    sqlite3* database_;
    std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

enum class OpenMode { kReadOnly, kReadWrite, kCreate };

struct OpenOptions {
    OpenMode mode = OpenMode::kCreate;  // a new file gets the permissions 0600
    int busyMilliseconds = 5000;        // how long a statement waits for another connection
    std::string vfs;                    // SQLite's name of the file layer; empty: the system's
};

// One connection.
class Database {
  public:
    // Where nothing can be written to the file is opened for reading, whatever `mode` says; where only this mount is read-only, it is what
    // the file is now, in memory (read_only_file.h). Errors: kNotFound (not for kCreate), kIo; kCorrupt for a file that is no database; kBusy.
    static Result<Database> open(const std::filesystem::path& path, const OpenOptions& options = {});

    // One statement. Errors: kInternal for SQL that does not compile, else as step().
    [[nodiscard]] Result<Statement> prepare(std::string_view sql);
    // Any number of statements without parameters; rows are thrown away.
    Result<> execute(std::string_view sql);
    template <typename... Args>
    Result<> run(std::string_view sql, const Args&... args) {
        PAL_ASSIGN(Statement statement, prepare(sql));
        return statement.run(args...);
    }
    // The first column of the first row. Errors: kNotFound without a row.
    template <typename... Args>
    [[nodiscard]] Result<int64_t> integer(std::string_view sql, const Args&... args) {
        PAL_ASSIGN(Statement statement, prepare(sql));
        PAL_TRY(statement.start(args...));
        PAL_ASSIGN(const bool found, statement.step());
        if (!found) return fail(ErrorCode::kNotFound, "{}: no row for: {}", path().string(), sql);
        return statement.integer(0);
    }

    // PRAGMA quick_check: nothing when the file's structure is sound. Errors: kCorrupt with the first problem.
    Result<> quickCheck();

    [[nodiscard]] int64_t lastInsertId() const;
    [[nodiscard]] int64_t changes() const;  // rows of the last INSERT, UPDATE or DELETE
    [[nodiscard]] const std::filesystem::path& path() const { return *path_; }
    // For what this class does not cover (backup, functions).
    [[nodiscard]] sqlite3* handle() const { return database_.get(); }

  private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    static Result<Database> openFile(const std::filesystem::path& path, const OpenOptions& options, Reading reading);
    static Result<Database> openCopy(const std::filesystem::path& path);
    Database(std::unique_ptr<sqlite3, Close> database, const std::filesystem::path& path)
        : path_(std::make_unique<std::filesystem::path>(path)), database_(std::move(database)) {}

    std::unique_ptr<std::filesystem::path> path_;
    std::unique_ptr<sqlite3, Close> database_;
};

// Everything between begin() and commit(), or nothing: without commit() the destructor rolls back. Not nested; must not outlive its database.
class Transaction {
  public:
    // Takes the write lock at once, so that no later statement fails for it. Errors: kBusy, kIo.
    static Result<Transaction> begin(Database& database);

    Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();

    // After an error everything is rolled back.
    Result<> commit();

  private:
    explicit Transaction(Database& database) : database_(&database) {}
    Database* database_;
};

// What went wrong last on a connection: kBusy, kCorrupt, kOutOfMemory, kCancelled (interrupted), kInternal (SQL and constraints, which the
// program itself wrote), kIo for the rest (disk full, read-only, vanished).
[[nodiscard]] Error lastError(sqlite3* database, std::string_view doing);

}  // namespace pal::sqlite
