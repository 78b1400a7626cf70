// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/chat_database.h"

#include <sqlite3.h>

#include "storage/chats/migrations.h"
#include "storage/chats/schema_copy.h"

namespace pal {
namespace {

constexpr int64_t kApplicationId = 0x50616C43;  // "PalC", PRAGMA application_id

std::string salvageHint(const std::filesystem::path& file) {
    return fmt::format("{} is damaged; `pal sessions salvage` saves what can be read", file.string());
}

Result<> checkApplication(sqlite::Database& database) {
    PAL_ASSIGN(const int64_t application, database.integer("PRAGMA application_id"));
    PAL_ASSIGN(const int64_t tables, database.integer("SELECT count(*) FROM sqlite_schema"));
    if (application == kApplicationId || (application == 0 && tables == 0)) return {};
    return fail(ErrorCode::kFormat, "{} is a database of another program", database.path().string());
}

Result<bool> markedOpen(sqlite::Database& database) {
    PAL_ASSIGN(const int64_t open,
               database.integer("SELECT count(*) FROM meta WHERE key = 'state' AND value = 'open'"));
    return open > 0;
}

Result<> mark(sqlite::Database& database, std::string_view state) {
    return database.run(
        "INSERT INTO meta (key, value) VALUES ('state', ?1) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        state);
}

// Rows of a query as sentences "<prefix><column 0>".
Result<> collect(sqlite::Database& database, std::string_view sql, std::string_view prefix,
                 std::vector<std::string>& out) {
    PAL_ASSIGN(sqlite::Statement statement, database.prepare(sql));
    PAL_TRY(statement.start());
    while (true) {
        const auto found = statement.step();
        if (!found && found.error().code != ErrorCode::kCorrupt) return fail(found.error());
        if (!found) out.push_back(found.error().message);
        if (!found || !*found) return {};
        out.push_back(fmt::format("{}{}", prefix, statement.text(0)));
    }
}

// SQLite's update hook: a row of a table was inserted, updated or deleted.
void noteChange(void* changes, int /*operation*/, const char* /*database*/, const char* table, sqlite3_int64 row) {
    auto& noted = *static_cast<ChatDatabase::Changes*>(changes);
    if (std::string_view(table) == "session") noted.sessions.insert(row);
    if (std::string_view(table) == "message") noted.messages.insert(row);
}

}  // namespace

ChatDatabase::ChatDatabase(sqlite::Database database)
    : database_(std::make_unique<sqlite::Database>(std::move(database))), noted_(std::make_unique<Changes>()) {
    sqlite3_update_hook(database_->handle(), noteChange, noted_.get());
}

ChatDatabase::Changes ChatDatabase::takeChanges() {
    return std::exchange(changes_, {});
}

void ChatDatabase::keepChanges() {
    changes_.sessions.merge(noted_->sessions);
    changes_.messages.merge(noted_->messages);
}

Result<ChatDatabase> ChatDatabase::open(const std::filesystem::path& file, const ChatOpenOptions& options) {
    const bool owner = options.access == ChatAccess::kOwner;
    const sqlite::OpenOptions how{owner ? sqlite::OpenMode::kCreate : sqlite::OpenMode::kReadWrite, 5000, options.vfs};
    auto opened = [&]() -> Result<ChatDatabase> {
        PAL_ASSIGN(sqlite::Database connection, sqlite::Database::open(file, how));
        ChatDatabase database(std::move(connection));
        PAL_TRY(checkApplication(*database.database_));
        PAL_ASSIGN(database.version_, pal::schemaVersion(*database.database_));
        const int newest = chatMigrations().back().number;
        if (database.version_ > newest) {
            database.readOnlyReason_ = fmt::format(
                "{} was written by a newer program (schema {}, this one knows {}): it is opened for reading only",
                file.string(), database.version_, newest);
            database.notes_.push_back(database.readOnlyReason_);
        } else if (owner) {
            PAL_TRY(database.prepareOwner(options));
        } else if (database.version_ < newest) {
            return fail(ErrorCode::kConflict, "{} has schema {} and must be brought to {} by an owner first",
                        file.string(), database.version_, newest);
        }
        if (!database.writable() || !owner) PAL_TRY(database.database_->execute("PRAGMA query_only = ON"));
        return database;
    }();
    if (opened || opened.error().code != ErrorCode::kCorrupt) return opened;
    return fail(ErrorCode::kCorrupt, "{} ({})", salvageHint(file), opened.error().message);
}

Result<> ChatDatabase::prepareOwner(const ChatOpenOptions& options) {
    // Every commit is synced: what was sent or shown is on the disk. Foreign keys are off unless asked for.
    PAL_TRY(database_->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"));
    PAL_TRY(checkAfterUncleanStop());
    if (version_ == 0) PAL_TRY(database_->execute(fmt::format("PRAGMA application_id = {}", kApplicationId)));
    const std::vector<Migration> scripts = chatMigrations();
    PAL_ASSIGN(const auto backup, migrate(*database_, scripts, options.backups));
    if (backup) {
        notes_.push_back(fmt::format("{} was brought from schema {} to {}; a copy of the old file is {}",
                                     database_->path().string(), version_, scripts.back().number, backup->string()));
    }
    version_ = scripts.back().number;
    if (const auto kept = keepSchema(*database_); !kept)
        notes_.push_back(kept.error().withContext("the copy of the schema, for salvage, is not written").message);
    return write([](ChatDatabase& database) -> Result<> {
        PAL_TRY(database.messages().interruptStreaming());
        return mark(*database.database_, "open");
    });
}

Result<> ChatDatabase::checkAfterUncleanStop() {
    if (version_ == 0) return {};
    PAL_ASSIGN(const bool unclean, markedOpen(*database_));
    if (!unclean) return {};
    PAL_TRY(database_->quickCheck());
    notes_.push_back(
        fmt::format("{} was not closed last time; it was checked and is sound", database_->path().string()));
    return {};
}

Result<> ChatDatabase::mayWrite() const {
    if (writable()) return {};
    return fail(ErrorCode::kUnsupported, "{}", readOnlyReason_);
}

Result<std::vector<std::string>> ChatDatabase::problems() {
    std::vector<std::string> out;
    std::vector<std::string> structure;
    PAL_TRY(collect(*database_, "PRAGMA integrity_check", "", structure));
    if (structure != std::vector<std::string>{"ok"}) out = std::move(structure);
    PAL_TRY(collect(
        *database_,
        "SELECT format('%s %d refers to %s that is not there', \"table\", rowid, parent) FROM pragma_foreign_key_check",
        "", out));
    PAL_TRY(collect(*database_, "SELECT id FROM message WHERE NOT json_valid(details)",
                    "unreadable details of message ", out));
    PAL_TRY(collect(*database_,
                    "SELECT session.id FROM session LEFT JOIN message ON session_id = session.id GROUP BY session.id "
                    "HAVING count(message.id) <> messages",
                    "a wrong count of messages in session ", out));
    PAL_TRY(collect(
        *database_,
        "SELECT session.id FROM session LEFT JOIN message ON message.id = head_id WHERE head_id IS NOT NULL AND "
        "session_id IS NOT session.id",
        "a head that is not in session ", out));
    PAL_TRY(collect(*database_,
                    "SELECT child.id FROM message AS child JOIN message AS parent ON parent.id = child.parent_id "
                    "WHERE parent.session_id <> child.session_id OR parent.id >= child.id",
                    "a parent that cannot be one of message ", out));
    if (!writable()) return out;
    // The command compares the index with the texts; it is an INSERT that inserts nothing.
    const auto index =
        database_->execute("INSERT INTO message_search (message_search, rank) VALUES ('integrity-check', 1)");
    if (!index && index.error().code == ErrorCode::kCorrupt)
        out.emplace_back("the search index differs from the texts");
    return out;
}

Result<std::vector<Sha256>> ChatDatabase::close() {
    if (!writable()) return std::vector<Sha256>();
    return write([](ChatDatabase& database) -> Result<std::vector<Sha256>> {
        PAL_TRY(database.sessions().emptyBin());
        PAL_ASSIGN(std::vector<Sha256> unused, database.sources().removeUnused());
        PAL_TRY(mark(*database.database_, "closed"));
        return unused;
    });
}

Result<std::optional<int64_t>> ChatDatabase::number(std::string_view key) {
    const auto value = database_->integer("SELECT CAST(value AS INTEGER) FROM meta WHERE key = ?1", key);
    if (value) return std::optional<int64_t>(*value);
    if (value.error().code == ErrorCode::kNotFound) return std::optional<int64_t>();
    return fail(value.error());
}

Result<> ChatDatabase::setNumber(std::string_view key, int64_t value) {
    return database_->run(
        "INSERT INTO meta (key, value) VALUES (?1, ?2) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key, std::to_string(value));
}

}  // namespace pal
