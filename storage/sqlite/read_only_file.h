// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/base/result.h"

namespace pal::sqlite {

// How SQLite may read a database. In WAL mode it makes files beside it, which it cannot where nothing can be written.
enum class Reading {
    kUsual,      // it can write there, or somebody has the database open and these files are there
    kImmutable,  // the disk itself is read-only: nobody can change the file
    kCopy,       // only this mount is read-only: others may change the file through another one at any time
};
[[nodiscard]] Reading readingOf(const std::filesystem::path& database);

// The file's bytes at one moment, in rollback mode so that no other file is needed. Errors: kBusy when it is being written; kIo.
Result<std::vector<std::byte>> copyOf(const std::filesystem::path& database);

}  // namespace pal::sqlite
