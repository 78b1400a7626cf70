// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/migrations.h"

#include "engine/base/private_folder.h"
#include "storage/chats/clock.h"
#include "storage/chats/data_folder.h"

namespace pal {
namespace {

Result<std::filesystem::path> backUp(sqlite::Database& database, int version, const std::filesystem::path& folder) {
    PAL_TRY(makePrivateFolder(folder));
    const std::filesystem::path copy =
        folder / fmt::format("{}.v{}.{}", database.path().filename().string(), version, nowMs());
    std::filesystem::path part = copy;
    part += ".part";
    const auto done = [&]() -> Result<> {
        PAL_TRY(makePrivateFile(part));  // VACUUM INTO accepts an empty file and keeps its permissions
        PAL_TRY(database.run("VACUUM INTO ?1", part.string()));
        return becomesSafely(part, copy);
    }();
    if (done) return copy;
    std::error_code none;
    std::filesystem::remove(part, none);
    return fail(done.error().withContext("the backup before a change of the schema failed, nothing was changed"));
}

Result<> apply(sqlite::Database& database, const Migration& script) {
    PAL_ASSIGN(auto transaction, sqlite::Transaction::begin(database));
    if (const auto done = database.execute(script.sql); !done) return fail(done.error().withContext(script.file));
    PAL_TRY(database.execute(fmt::format("PRAGMA user_version = {}", script.number)));
    return transaction.commit();
}

}  // namespace

Result<int> schemaVersion(sqlite::Database& database) {
    PAL_ASSIGN(const int64_t version, database.integer("PRAGMA user_version"));
    return static_cast<int>(version);
}

Result<std::optional<std::filesystem::path>> migrate(sqlite::Database& database, std::span<const Migration> scripts,
                                                     const std::filesystem::path& backups) {
    PAL_ASSIGN(const int version, schemaVersion(database));
    std::optional<std::filesystem::path> copy;
    for (const Migration& script : scripts) {
        if (script.number <= version) continue;
        if (version > 0 && !copy) {
            PAL_ASSIGN(copy, backUp(database, version, backups));
        }
        PAL_TRY(apply(database, script));
    }
    return copy;
}

}  // namespace pal
