// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/base/descriptor.h"
#include "engine/base/result.h"

namespace pal {

// Writes a file so that it is there whole or not at all: bytes go to "<path>.part", commit() syncs and renames it.
// Without commit() the destructor removes the part file and an older file at `path` stays as it was. Confined to one thread.
class FileWriter {
  public:
    enum class Readers { kAnyone, kOwner };
    // Errors: kIo with the system's words.
    static Result<FileWriter> create(const std::filesystem::path& path, Readers readers = Readers::kAnyone);
    // For a file whose name is known at its end: the part file is "<folder>/part-XXXXXX", which nobody else has, readable for its owner
    // alone. commitAs() names it.
    static Result<FileWriter> createIn(const std::filesystem::path& folder);

    FileWriter(FileWriter&& other) noexcept = default;
    FileWriter& operator=(FileWriter&& other) = delete;
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    ~FileWriter();

    // Appends; errors: kIo (disk full and the like, with the number of bytes already written).
    Result<> write(std::span<const std::byte> bytes);
    // Writes over bytes that were written before, from `offset` on. Errors: kIo.
    Result<> rewrite(uint64_t offset, std::span<const std::byte> bytes);
    // From now on bytes go to the disk past the system's cache, where the file system can: it keeps what is read often, and a large write is
    // done when it returns. For pieces of whole blocks of 4 KiB in memory that is aligned to them; all others take the usual way.
    void bypassCache();
    Result<> commit() { return commitAs(path_); }
    // In the same file system.
    Result<> commitAs(const std::filesystem::path& path);
    [[nodiscard]] uint64_t written() const { return written_; }

  private:
    FileWriter(std::filesystem::path path, std::filesystem::path part, Descriptor file);
    void useCache();

    std::filesystem::path path_;
    std::filesystem::path part_;
    Descriptor file_;  // none after commit()
    uint64_t written_ = 0;
    bool bypass_ = false;
};

}  // namespace pal
