// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "engine/base/system_message.h"

namespace pal::sqlite {
namespace {

ErrorCode codeOf(int result) {
    switch (result & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return ErrorCode::kBusy;
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return ErrorCode::kCorrupt;
        case SQLITE_NOMEM:
            return ErrorCode::kOutOfMemory;
        case SQLITE_INTERRUPT:
            return ErrorCode::kCancelled;
        case SQLITE_ERROR:
        case SQLITE_CONSTRAINT:
        case SQLITE_MISMATCH:
        case SQLITE_MISUSE:
        case SQLITE_RANGE:
            return ErrorCode::kInternal;
        default:
            return ErrorCode::kIo;
    }
}

// SQLite alone would create the file with the permissions of the umask.
Result<> createPrivate(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 && errno != EROFS && errno != EACCES) {
        return fail(ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
    }
    if (file >= 0) ::close(file);
    return {};
}

int openFlags(OpenMode mode) {
    switch (mode) {
        case OpenMode::kReadOnly:
            return SQLITE_OPEN_READONLY;
        case OpenMode::kReadWrite:
            return SQLITE_OPEN_READWRITE;
        case OpenMode::kCreate:
            return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    }
    return 0;
}

// The name by which SQLite opens a file without looking for others beside it.
std::string immutableName(const std::filesystem::path& path) {
    std::string out = "file://";
    std::error_code ignored;
    for (const char c : std::filesystem::absolute(path, ignored).string()) {
        if (c == '%' || c == '?' || c == '#') {
            out += fmt::format("%{:02x}", static_cast<unsigned>(c));
        } else {
            out += c;
        }
    }
    return out + "?immutable=1";
}

// Whether the file's head can be read. SQLite takes a disk that fails or is gone (EIO, ENXIO) for a damaged file; it is asked through its own descriptor,
// since closing another one would end its locks.
bool canBeRead(sqlite3* database) {
    constexpr int kHead = 16;
    sqlite3_file* file = nullptr;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return true;
    if (file == nullptr || file->pMethods == nullptr) return true;
    std::array<char, kHead> head{};
    const int result = file->pMethods->xRead(file, head.data(), kHead, 0);
    return (result & 0xff) != SQLITE_IOERR || result == SQLITE_IOERR_SHORT_READ;
}

}  // namespace

Error lastError(sqlite3* database, std::string_view doing) {
    const char* file = sqlite3_db_filename(database, nullptr);
    const int result = sqlite3_extended_errcode(database);
    const int system = sqlite3_system_errno(database);
    std::string message =
        fmt::format("{}: {}: {}", file != nullptr ? file : "database", doing, sqlite3_errmsg(database));
    const int kind = result & 0xff;
    if (kind == SQLITE_CORRUPT && !canBeRead(database)) {
        return {ErrorCode::kIo, fmt::format("{}: {}: the disk that holds it does not answer",
                                            file != nullptr ? file : "database", doing)};
    }
    const bool fromSystem = kind == SQLITE_IOERR || kind == SQLITE_FULL || kind == SQLITE_CANTOPEN;
    if (system != 0 && fromSystem) message += fmt::format(" ({})", systemMessage(system));
    return {codeOf(result), std::move(message)};
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Result<bool> Statement::step() {
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) {
        sqlite3_reset(statement_.get());
        return false;
    }
    const Error error = lastError(database_, sqlite3_sql(statement_.get()));
    sqlite3_reset(statement_.get());
    return fail(error);
}

void Statement::reset() {
    sqlite3_reset(statement_.get());  // repeats the error of the last step, which step() reported
}

int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
    const unsigned char* data = sqlite3_column_text(statement_.get(), column);
    if (data == nullptr) return {};
    const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column));
    return {reinterpret_cast<const char*>(data), size};
}

std::span<const std::byte> Statement::blob(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
    if (data == nullptr) return {};
    return {data, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::isNull(int column) const {
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Result<> Statement::bind(int index, int64_t value) {
    if (sqlite3_bind_int64(statement_.get(), index, value) == SQLITE_OK) return {};
    return fail(lastError(database_, sqlite3_sql(statement_.get())));
}

Result<> Statement::bind(int index, double value) {
    if (sqlite3_bind_double(statement_.get(), index, value) == SQLITE_OK) return {};
    return fail(lastError(database_, sqlite3_sql(statement_.get())));
}

Result<> Statement::bind(int index, std::string_view text) {
    const char* data = text.data() != nullptr ? text.data() : "";  // a null pointer would bind NULL
    if (sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK)
        return {};
    return fail(lastError(database_, sqlite3_sql(statement_.get())));
}

Result<> Statement::bind(int index, std::span<const std::byte> blob) {
    const void* data = blob.data() != nullptr ? static_cast<const void*>(blob.data()) : "";
    if (sqlite3_bind_blob64(statement_.get(), index, data, blob.size(), SQLITE_TRANSIENT) == SQLITE_OK) return {};
    return fail(lastError(database_, sqlite3_sql(statement_.get())));
}

Result<> Statement::bind(int index, std::nullopt_t) {
    if (sqlite3_bind_null(statement_.get(), index) == SQLITE_OK) return {};
    return fail(lastError(database_, sqlite3_sql(statement_.get())));
}

void Database::Close::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

Result<Database> Database::open(const std::filesystem::path& path, const OpenOptions& options) {
    if (options.mode == OpenMode::kCreate) {
        PAL_TRY(createPrivate(path));
    } else if (std::error_code ignored; !std::filesystem::exists(path, ignored)) {
        return fail(ErrorCode::kNotFound, "{}: there is no such file", path.string());
    }
    const Reading reading = readingOf(path);
    PAL_ASSIGN(Database database, reading == Reading::kCopy ? openCopy(path) : openFile(path, options, reading));
    sqlite3* opened = database.handle();
    sqlite3_busy_timeout(opened, options.busyMilliseconds);
    PAL_ASSIGN(Statement first, database.prepare("PRAGMA schema_version"));  // reads the file's head
    PAL_TRY(first.step());
    return database;
}

Result<Database> Database::openFile(const std::filesystem::path& path, const OpenOptions& options, Reading reading) {
    const bool immutable = reading == Reading::kImmutable;
    const std::string name = immutable ? immutableName(path) : path.string();
    sqlite3* opened = nullptr;
    const int flags = openFlags(immutable ? OpenMode::kReadOnly : options.mode) | (immutable ? SQLITE_OPEN_URI : 0) |
                      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int result =
        sqlite3_open_v2(name.c_str(), &opened, flags, options.vfs.empty() ? nullptr : options.vfs.c_str());
    Database database(std::unique_ptr<sqlite3, Close>(opened), path);
    if (opened == nullptr) return fail(ErrorCode::kOutOfMemory, "{}: no memory to open it", path.string());
    if (result != SQLITE_OK) {
        return fail(codeOf(result), "{}: open: {} ({})", path.string(), sqlite3_errmsg(opened),
                    systemMessage(sqlite3_system_errno(opened)));
    }
    return database;
}

// What is there now, in memory.
Result<Database> Database::openCopy(const std::filesystem::path& path) {
    PAL_ASSIGN(Copy copy, copyOf(path));
    sqlite3* opened = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int result = sqlite3_open_v2(":memory:", &opened, flags, nullptr);
    Database database(std::unique_ptr<sqlite3, Close>(opened), path);
    if (opened == nullptr || result != SQLITE_OK)
        return fail(ErrorCode::kOutOfMemory, "{}: no memory to open it", path.string());
    const auto size = static_cast<sqlite3_int64>(copy.size);
    const int taken = sqlite3_deserialize(opened, "main", reinterpret_cast<unsigned char*>(copy.bytes.release()), size,
                                          size, SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
    if (taken != SQLITE_OK) return fail(codeOf(taken), "{}: open: {}", path.string(), sqlite3_errmsg(opened));
    return database;
}

Result<Statement> Database::prepare(std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                          SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (result != SQLITE_OK) return fail(lastError(database_.get(), sql));
    if (statement == nullptr) return fail(ErrorCode::kInternal, "{}: an empty statement", path_->string());
    return Statement(database_.get(), statement);
}

Result<> Database::execute(std::string_view sql) {
    const std::string text(sql);
    if (sqlite3_exec(database_.get(), text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return fail(lastError(database_.get(), sql));
}

Result<> Database::quickCheck() {
    PAL_ASSIGN(Statement check, prepare("PRAGMA quick_check(1)"));
    PAL_ASSIGN(const bool found, check.step());
    if (found && check.text(0) == "ok") return {};
    return fail(ErrorCode::kCorrupt, "{}: {}", path_->string(), found ? check.text(0) : "quick_check says nothing");
}

int64_t Database::lastInsertId() const {
    return sqlite3_last_insert_rowid(database_.get());
}

int64_t Database::changes() const {
    return sqlite3_changes64(database_.get());
}

Result<Transaction> Transaction::begin(Database& database) {
    PAL_TRY(database.execute("BEGIN IMMEDIATE"));
    return Transaction(database);
}

Transaction::~Transaction() {
    // Some errors have already rolled back.
    if (database_ != nullptr && sqlite3_get_autocommit(database_->handle()) == 0) {
        sqlite3_exec(database_->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
}

Result<> Transaction::commit() {
    PAL_TRY(database_->execute("COMMIT"));
    database_ = nullptr;
    return {};
}

}  // namespace pal::sqlite
