// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "engine/base/result.h"

namespace pal::sqlite {

// How SQLite may read a database. In WAL mode it makes files beside it, which it cannot where nothing can be written.
enum class Reading {
    kUsual,      // it can write there, or somebody has the database open and these files are there
    kImmutable,  // the disk itself is read-only: nobody can change the file
    kCopy,       // only this mount is read-only: others may change the file through another one at any time
};
[[nodiscard]] Reading readingOf(const std::filesystem::path& database);

// The file's bytes at one moment, in rollback mode so that no other file is needed, in memory of SQLite's, which it can take over.
struct Copy {
    struct Release {
        void operator()(std::byte* memory) const;
    };
    std::unique_ptr<std::byte[], Release> bytes;
    size_t size = 0;
};
// Errors: kBusy when it is being written; kIo; kOutOfMemory.
Result<Copy> copyOf(const std::filesystem::path& database);

}  // namespace pal::sqlite
