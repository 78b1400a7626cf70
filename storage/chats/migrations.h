// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "storage/sqlite/database.h"

namespace pal {

// One numbered script of resources/sql. A script that was released is never changed.
struct Migration {
    int number = 0;  // from 1, without gaps: the schema's version after it
    std::string_view file;
    std::string_view sql;
};

// The scripts of resources/sql/chats, built into the program.
[[nodiscard]] std::vector<Migration> chatMigrations();

// The schema's version as the file says (PRAGMA user_version); 0: nothing in it yet.
Result<int> schemaVersion(sqlite::Database& database);

// Brings the schema to the last script, each script in a transaction of its own with its version number: a program that dies in between
// leaves a file that is sound at one of the versions. Before the first one a file that is not empty is copied to
// <backups>/<name>.v<version>.<time>; the copy's path is the result. Errors: kIo, kInternal naming the script.
Result<std::optional<std::filesystem::path>> migrate(sqlite::Database& database, std::span<const Migration> scripts,
                                                     const std::filesystem::path& backups);

}  // namespace pal
