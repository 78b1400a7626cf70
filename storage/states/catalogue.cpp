// SPDX-License-Identifier: Apache-2.0
#include "storage/states/catalogue.h"

#include <array>
#include <bit>
#include <cstring>

#include "storage/states/states_sql.h"

namespace pal {
namespace {

using HashBytes = std::array<std::byte, sizeof(Hash128)>;

HashBytes bytesOf(const Hash128& hash) {
    return std::bit_cast<HashBytes>(hash);
}

// A damaged column gives a hash that names nothing.
Hash128 hashOf(std::span<const std::byte> blob) {
    Hash128 hash;
    if (blob.size() == sizeof hash) std::memcpy(&hash, blob.data(), sizeof hash);
    return hash;
}

constexpr std::string_view kColumns = "id, family, kind, prefix, tokens, bytes, used";

Catalogue::Part partOf(const sqlite::Statement& row) {
    Catalogue::Part part;
    part.row = row.integer(0);
    part.id.family = hashOf(row.blob(1));
    part.id.part = row.integer(2) == 0 ? StatePart::kPages : StatePart::kCheckpoint;
    part.id.prefix = hashOf(row.blob(3));
    part.id.tokens = row.integer(4);
    part.bytes = static_cast<uint64_t>(row.integer(5));
    part.used = row.integer(6);
    return part;
}

Result<std::vector<Catalogue::Part>> partsOf(sqlite::Statement& rows) {
    std::vector<Catalogue::Part> out;
    while (true) {
        PAL_ASSIGN(const bool found, rows.step());
        if (!found) return out;
        out.push_back(partOf(rows));
    }
}

Result<> makeTables(sqlite::Database& database) {
    PAL_ASSIGN(sqlite::Transaction transaction, sqlite::Transaction::begin(database));
    PAL_TRY(database.execute(kStatesSql001));
    PAL_TRY(database.execute(fmt::format("PRAGMA user_version={}", Catalogue::kVersion)));
    return transaction.commit();
}

}  // namespace

Result<Catalogue> Catalogue::open(const std::filesystem::path& file, const std::string& vfs) {
    sqlite::OpenOptions options;
    options.busyMilliseconds = 0;
    options.vfs = vfs;
    PAL_ASSIGN(sqlite::Database database, sqlite::Database::open(file, options));
    PAL_ASSIGN(const int64_t version, database.integer("PRAGMA user_version"));  // first: what follows may write
    if (version > kVersion) {
        return fail(ErrorCode::kUnsupported, "{}: written by a newer program (version {}, this one knows {})",
                    file.string(), version, kVersion);
    }
    PAL_TRY(database.execute("PRAGMA locking_mode=EXCLUSIVE"));
    // It is part of the file: set once more, it would write the file's head.
    if (version == 0) PAL_TRY(database.execute("PRAGMA auto_vacuum=INCREMENTAL"));
    PAL_TRY(database.execute("PRAGMA journal_mode=TRUNCATE"));
    PAL_TRY(database.execute("PRAGMA synchronous=OFF"));
    if (version == 0) PAL_TRY(makeTables(database));
    PAL_TRY(database.execute("BEGIN IMMEDIATE; COMMIT"));  // takes the lock, which EXCLUSIVE keeps
    return Catalogue(std::move(database), version != 0 && version < kVersion);
}

Result<std::optional<Catalogue::Part>> Catalogue::find(const StateId& id) {
    PAL_ASSIGN(auto query,
               database_.prepare(fmt::format("SELECT {} FROM part WHERE family=? AND kind=? AND prefix=?", kColumns)));
    PAL_TRY(query.start(std::span<const std::byte>(bytesOf(id.family)), static_cast<int>(id.part),
                        std::span<const std::byte>(bytesOf(id.prefix))));
    PAL_ASSIGN(const bool found, query.step());
    if (!found) return std::nullopt;
    return partOf(query);
}

Result<std::vector<int64_t>> Catalogue::positions(const Hash128& family, int64_t upTo) {
    PAL_ASSIGN(auto query, database_.prepare("SELECT DISTINCT tokens FROM part WHERE family=? AND kind=1 AND tokens<=? "
                                             "ORDER BY tokens DESC"));
    PAL_TRY(query.start(std::span<const std::byte>(bytesOf(family)), upTo));
    std::vector<int64_t> out;
    while (true) {
        PAL_ASSIGN(const bool found, query.step());
        if (!found) return out;
        out.push_back(query.integer(0));
    }
}

Result<uint64_t> Catalogue::chainBytes(int64_t row) {
    PAL_ASSIGN(
        const int64_t bytes,
        database_.integer("WITH RECURSIVE chain(id, parent, bytes) AS (SELECT id, parent, bytes FROM part WHERE id=? "
                          "UNION SELECT p.id, p.parent, p.bytes FROM part p JOIN chain c ON p.id=c.parent) "
                          "SELECT total(bytes) FROM chain",
                          row));
    return static_cast<uint64_t>(bytes);
}

Result<std::vector<Catalogue::Part>> Catalogue::chainTo(int64_t row) {
    PAL_ASSIGN(auto query, database_.prepare(
                               fmt::format("WITH RECURSIVE chain(link) AS (SELECT ? UNION SELECT p.parent FROM part p "
                                           "JOIN chain c ON p.id=c.link WHERE p.parent IS NOT NULL) SELECT {} FROM "
                                           "part JOIN chain ON id=link ORDER BY tokens, kind",
                                           kColumns)));
    PAL_TRY(query.start(row));
    return partsOf(query);
}

// UNION, not UNION ALL: a damaged file may hold a circle.
Result<std::vector<Catalogue::Part>> Catalogue::chainFrom(int64_t row) {
    PAL_ASSIGN(auto query, database_.prepare(
                               fmt::format("WITH RECURSIVE chain(link) AS (SELECT ? UNION SELECT p.id FROM part p JOIN "
                                           "chain c ON p.parent=c.link) SELECT {} FROM part JOIN chain ON id=link "
                                           "ORDER BY tokens DESC, kind DESC",
                                           kColumns)));
    PAL_TRY(query.start(row));
    return partsOf(query);
}

Result<std::vector<Catalogue::Part>> Catalogue::leastUsed(int64_t count) {
    PAL_ASSIGN(auto query,
               database_.prepare(fmt::format("SELECT {} FROM part WHERE children=0 ORDER BY used LIMIT ?", kColumns)));
    PAL_TRY(query.start(count));
    return partsOf(query);
}

Result<std::vector<Catalogue::Part>> Catalogue::all() {
    PAL_ASSIGN(auto query, database_.prepare(fmt::format("SELECT {} FROM part ORDER BY tokens, kind", kColumns)));
    return partsOf(query);
}

Result<uint64_t> Catalogue::totalBytes() {
    PAL_ASSIGN(const int64_t bytes, database_.integer("SELECT ifnull(sum(bytes), 0) FROM part"));
    return static_cast<uint64_t>(bytes);
}

Result<int64_t> Catalogue::newestUse() {
    return database_.integer("SELECT ifnull(max(used), 0) FROM part");
}

Result<> Catalogue::add(const StateId& id, std::optional<int64_t> parent, uint64_t bytes, int64_t used) {
    const HashBytes family = bytesOf(id.family);
    const HashBytes prefix = bytesOf(id.prefix);
    PAL_ASSIGN(const std::optional<Part> before, find(id));
    if (before) {
        return database_.run("UPDATE part SET bytes=?, used=? WHERE id=?", static_cast<int64_t>(bytes), used,
                             before->row);
    }
    PAL_TRY(database_.run("INSERT INTO part(family, kind, prefix, tokens, parent, bytes, used) VALUES(?,?,?,?,?,?,?)",
                          std::span<const std::byte>(family), static_cast<int>(id.part),
                          std::span<const std::byte>(prefix), id.tokens, parent, static_cast<int64_t>(bytes), used));
    if (!parent) return {};
    return database_.run("UPDATE part SET children=children+1 WHERE id=?", *parent);
}

Result<> Catalogue::remove(int64_t row) {
    PAL_TRY(database_.run("UPDATE part SET children=children-1 WHERE id=(SELECT parent FROM part WHERE id=?)", row));
    return database_.run("DELETE FROM part WHERE id=?", row);
}

Result<> Catalogue::touch(int64_t row, int64_t used) {
    return database_.run("UPDATE part SET used=? WHERE id=?", used, row);
}

Result<> Catalogue::sync() {
    PAL_TRY(database_.execute("PRAGMA synchronous=FULL"));
    return database_.execute(fmt::format("PRAGMA user_version={}", kVersion));  // a commit, which syncs the whole file
}

}  // namespace pal
