// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "engine/base/result.h"
#include "storage/sqlite/database.h"

namespace pal {

// Where the tables of a database begin stands in its first pages alone: with one of them damaged, nothing of the others can be found. So these
// lines are kept a second time, in the small database "<file>.schema".
[[nodiscard]] std::filesystem::path schemaCopyOf(const std::filesystem::path& database);

// Writes the copy anew when it is not what the database says. Errors: kIo; kCorrupt and others of SQLite.
Result<> keepSchema(sqlite::Database& database);

// Gives `file`, which nobody has open, the schema that `copy` holds, in new pages at its end; its log is taken into it before. All other pages stay
// as they are. Errors: kNotFound without a copy; kIo; those of SQLite.
Result<> restoreSchema(const std::filesystem::path& file, const std::filesystem::path& copy);

}  // namespace pal
