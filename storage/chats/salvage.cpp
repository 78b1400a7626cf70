// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/salvage.h"

#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/descriptor.h"
#include "storage/chats/chat_database.h"
#include "storage/chats/clock.h"
#include "storage/chats/data_folder.h"
#include "storage/chats/migrations.h"
#include "storage/chats/schema_copy.h"

namespace pal {
namespace {

// Tables in the order in which rows may refer to rows. The search index is made again by its triggers.
struct Table {
    std::string_view name;
    std::string_view columns;
};
constexpr Table kTables[] = {
    {"session",
     "id, name, created_ms, changed_ms, deleted_ms, head_id, settings, model, fingerprint, messages, tokens, "
     "text_bytes, stored_tokens, stored_bytes, folder, device, stored_state"},
    {"source", "id, sha256, bytes, media_type, created_ms"},
    {"extraction", "id, source_id, extractor, version, text, map, warnings, created_ms"},
    {"message", "id, session_id, parent_id, role, state, created_ms, text, reasoning, details, tokens, path_tokens"},
    {"message_ids", "message_id AS id, vocabulary, ids"},
};
// Without numbers: what the library says of itself (the new file's own words stay) and measured speeds.
constexpr Table kSmallTables[] = {{"meta", "key, value"}, {"rate", "model, device, kind, units, seconds"}};

// A full disk or one that cannot be written is no damage: then nothing is replaced.
bool damage(const sqlite::Database& database, const Error& error) {
    const int code = sqlite3_extended_errcode(database.handle());
    return error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kInternal || code == SQLITE_IOERR_READ ||
           code == SQLITE_IOERR_SHORT_READ;
}

class Salvage {
  public:
    Salvage(sqlite::Database& from, SalvageReport& report) : from_(from), report_(report) {}

    // `to` is attached to the damaged file's connection as "saved".
    Result<> run() {
        for (const Table& table : kTables) PAL_TRY(copyTable(table));
        PAL_TRY(copyAttachments());
        for (const Table& table : kSmallTables) PAL_TRY(copySmallTable(table));
        PAL_TRY(keepPlaces());
        PAL_TRY(from_.execute("BEGIN IMMEDIATE"));
        PAL_TRY(settleReferences());
        return from_.execute("COMMIT");
    }

  private:
    // The highest id that may exist: what SQLite handed out, or what the table's end says.
    int64_t highestId(const Table& table) {
        const std::string_view key = table.name == "message_ids" ? "message" : table.name;
        const auto given = from_.integer("SELECT ifnull(max(seq), 0) FROM main.sqlite_sequence WHERE name = ?1", key);
        const auto last = from_.integer(fmt::format("SELECT ifnull(max(rowid), 0) FROM main.{}", table.name));
        // A damaged number, of either, must not keep us busy for years.
        constexpr int64_t kPlausible = 100'000'000;
        return std::min(std::max(last.value_or(0), given.value_or(0)), kPlausible);
    }

    // One row at a time: a damaged page takes only its own rows with it.
    Result<> copyTable(const Table& table) {
        std::string columns(table.columns);
        const std::string key = table.name == "message_ids" ? "message_id" : "id";
        PAL_ASSIGN(sqlite::Statement copy,
                   from_.prepare(fmt::format("INSERT INTO saved.{0} SELECT {1} FROM main.{0} WHERE {2} = ?1",
                                             table.name, columns, key)));
        const int64_t highest = highestId(table);
        for (int64_t id = 1; id <= highest; ++id) {
            const auto copied = copy.run(id);
            if (copied) continue;
            copy.reset();
            if (!damage(from_, copied.error())) return fail(copied.error());
            report_.lost.push_back(fmt::format("{} {} ({})", table.name, id, copied.error().message));
        }
        return {};
    }

    Result<> copyAttachments() {
        PAL_ASSIGN(sqlite::Statement copy,
                   from_.prepare("INSERT INTO saved.attachment SELECT message_id, position, source_id, extraction_id, "
                                 "kind, name, options FROM main.attachment WHERE message_id = ?1"));
        for (const Place& message : readPlaces("SELECT id, 0, 0 FROM saved.message")) {
            const auto copied = copy.run(message.id);
            if (copied) continue;
            copy.reset();
            if (!damage(from_, copied.error())) return fail(copied.error());
            report_.lost.push_back(fmt::format("attachments of message {} ({})", message.id, copied.error().message));
        }
        return {};
    }

    // As a whole or not at all.
    Result<> copySmallTable(const Table& table) {
        const auto copied = from_.execute(
            fmt::format("INSERT OR IGNORE INTO saved.{0} SELECT {1} FROM main.{0}", table.name, table.columns));
        if (copied) return {};
        if (!damage(from_, copied.error())) return fail(copied.error());
        report_.lost.push_back(fmt::format("table {} ({})", table.name, copied.error().message));
        return {};
    }

    // The index of the tree knows messages whose rows are lost.
    Result<> keepPlaces() {
        const std::vector<Place> places = readPlaces(
            "SELECT id, session_id, ifnull(parent_id, 0) FROM main.message INDEXED BY message_tree WHERE session_id > "
            "0");
        PAL_ASSIGN(sqlite::Statement add,
                   from_.prepare("INSERT OR IGNORE INTO saved.message (id, session_id, parent_id, role, state, "
                                 "created_ms, text) SELECT ?1, ?2, nullif(?3, 0), "
                                 "'user', 'interrupted', 0, '(this message was lost)' WHERE EXISTS (SELECT 1 FROM "
                                 "saved.session WHERE id = ?2)"));
        for (const Place& place : places) PAL_TRY(add.run(place.id, place.session, place.parent));
        return {};
    }

    // A message in the tree.
    struct Place {
        int64_t id = 0;
        int64_t session = 0;
        int64_t parent = 0;  // 0: none
    };
    // As far as they can be read. All before the first row is written: an open query that met damage would forbid writing.
    std::vector<Place> readPlaces(const std::string& query) {
        std::vector<Place> places;
        auto rows = from_.prepare(query);
        if (!rows || !rows->start()) return places;
        for (auto found = rows->step(); found && *found; found = rows->step())
            places.push_back({rows->integer(0), rows->integer(1), rows->integer(2)});
        return places;
    }

    // What refers to lost rows lets go of them; sums are counted again.
    Result<> settleReferences() {
        return from_.execute(R"sql(
            INSERT OR IGNORE INTO saved.session (id, name, created_ms, changed_ms)
                SELECT DISTINCT session_id, 'session ' || session_id, 0, 0 FROM saved.message
                WHERE session_id NOT IN (SELECT id FROM saved.session);
            UPDATE saved.message SET parent_id = NULL
                WHERE parent_id NOT IN (SELECT id FROM saved.message) OR parent_id >= id;
            UPDATE saved.message SET role = 'user' WHERE role NOT IN ('system', 'user', 'assistant', 'tool');
            UPDATE saved.message SET details = '{}' WHERE NOT json_valid(details);
            DELETE FROM saved.message_ids WHERE message_id NOT IN (SELECT id FROM saved.message);
            DELETE FROM saved.extraction WHERE source_id NOT IN (SELECT id FROM saved.source);
            DELETE FROM saved.attachment WHERE source_id NOT IN (SELECT id FROM saved.source);
            UPDATE saved.attachment SET options = '{}' WHERE NOT json_valid(options);
            UPDATE saved.attachment SET extraction_id = NULL
                WHERE extraction_id NOT IN (SELECT id FROM saved.extraction);
            UPDATE saved.session SET messages = (SELECT count(*) FROM saved.message WHERE session_id = session.id);
            UPDATE saved.session SET head_id = (SELECT max(id) FROM saved.message WHERE session_id = session.id)
                WHERE head_id NOT IN (SELECT id FROM saved.message WHERE session_id = session.id);
        )sql");
    }

    sqlite::Database& from_;
    SalvageReport& report_;
};

// Whether all tables are known. Errors: kUnsupported for a newer program's file, whose tables may hold more than is known here.
Result<bool> hasTables(const std::filesystem::path& file) {
    auto database = sqlite::Database::open(file, {sqlite::OpenMode::kReadWrite, 5000, ""});
    if (!database && database.error().code != ErrorCode::kCorrupt) return fail(database.error());
    if (!database) return false;
    for (const std::string_view table : {"session", "message", "source", "attachment", "extraction"}) {
        const auto known = database->prepare(fmt::format("SELECT 1 FROM {}", table));
        if (!known && !damage(*database, known.error())) return fail(known.error());
        if (!known) return false;
    }
    PAL_ASSIGN(const int version, schemaVersion(*database));
    const int newest = chatMigrations().back().number;
    if (version <= newest) return true;
    return fail(ErrorCode::kUnsupported, "{} was written by a newer program (schema {}, this one knows {})",
                file.string(), version, newest);
}

Result<> takeSchemaFromCopy(const std::filesystem::path& file, const std::filesystem::path& copy) {
    const auto restored = restoreSchema(file, copy);
    if (restored || restored.error().code == ErrorCode::kIo) return restored;
    return fail(ErrorCode::kCorrupt, "neither its schema nor the copy of that can be read ({})",
                restored.error().message);
}

Result<> makeEmpty(const std::filesystem::path& file) {
    PAL_ASSIGN(ChatDatabase made, ChatDatabase::open(file, {ChatAccess::kOwner, file.parent_path(), ""}));
    PAL_TRY(made.close());
    return {};
}

Result<> copyInto(const std::filesystem::path& damaged, const std::filesystem::path& saved, SalvageReport& report) {
    PAL_ASSIGN(sqlite::Database from, sqlite::Database::open(damaged, {sqlite::OpenMode::kReadWrite, 5000, ""}));
    // An older schema lacks columns; what cannot be migrated any more cannot be copied by names either.
    PAL_ASSIGN(const int version, schemaVersion(from));
    if (version != chatMigrations().back().number) {
        PAL_TRY(migrate(from, chatMigrations(), damaged.parent_path()));
    }
    PAL_TRY(from.run("ATTACH ?1 AS saved", saved.string()));
    // Each row is a transaction of its own: within one, SQLite refuses all writes once it has met damage, also those to another file. They
    // need no sync; becomesSafely() does that for the whole file.
    PAL_TRY(from.execute("PRAGMA saved.synchronous = OFF"));
    PAL_TRY(Salvage(from, report).run());
    PAL_ASSIGN(report.sessions, from.integer("SELECT count(*) FROM saved.session"));
    PAL_ASSIGN(report.messages, from.integer("SELECT count(*) FROM saved.message"));
    return {};
}

// The database, its log and the copy of its schema, which belong together.
template <typename Action>
Result<> eachPart(const std::filesystem::path& from, const std::filesystem::path& to, Action action) {
    for (const char* ending : {"", "-wal", ".schema"}) {
        std::error_code error;
        const std::filesystem::path part = from.string() + ending;
        if (std::filesystem::exists(part, error)) PAL_TRY(action(part, std::filesystem::path(to.string() + ending)));
    }
    return {};
}

Result<> copyFile(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error;
    std::filesystem::copy_file(from, to, error);
    if (error) return fail(ErrorCode::kIo, "{}: {}", to.string(), error.message());
    return {};
}

// The same file under a second name, or a copy where there can be only one.
Result<> nameTwice(const std::filesystem::path& file, const std::filesystem::path& second) {
    std::error_code error;
    std::filesystem::create_hard_link(file, second, error);
    if (!error) return {};
    const std::filesystem::path part = second.string() + ".part";
    PAL_TRY(copyFile(file, part));
    return becomesSafely(part, second);
}

void removeDatabase(const std::filesystem::path& file) {
    std::error_code none;
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + ending, none);
    std::filesystem::remove(schemaCopyOf(file), none);
}

}  // namespace

Result<SalvageReport> salvageChats(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return fail(ErrorCode::kNotFound, "{}: there is no such file", file.string());
    SalvageReport report;
    report.damagedFile = fmt::format("{}.damaged.{}", file.string(), nowMs());
    const std::filesystem::path saved = fmt::format("{}.saved.{}", file.string(), nowMs());
    const std::filesystem::path work = fmt::format("{}.work.{}", file.string(), nowMs());
    const auto done = [&]() -> Result<> {
        // Reading already changes a database; the damaged one stays as it was found.
        PAL_TRY(eachPart(file, work, copyFile));
        PAL_ASSIGN(const bool known, hasTables(work));
        if (!known) PAL_TRY(takeSchemaFromCopy(work, schemaCopyOf(file)));
        PAL_TRY(makeEmpty(saved));
        return copyInto(work, saved, report);
    }();
    removeDatabase(work);
    if (!done) {
        removeDatabase(saved);
        return fail(done.error().withContext("nothing was changed"));
    }
    // First all of the damaged file has its second name, on the disk; then the new one takes its place. A log must never meet another database.
    PAL_TRY(eachPart(file, report.damagedFile, nameTwice));
    PAL_TRY(syncFolder(file.parent_path().empty() ? "." : file.parent_path()));
    for (const char* ending : {"-wal", "-shm"}) std::filesystem::remove(file.string() + ending, error);
    PAL_TRY(becomesSafely(saved, file));
    std::filesystem::rename(schemaCopyOf(saved), schemaCopyOf(file), error);  // else the next owner writes it
    return report;
}

}  // namespace pal
