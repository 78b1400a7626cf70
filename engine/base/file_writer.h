// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "engine/base/descriptor.h"
#include "engine/base/result.h"

namespace pal {

// Whether a new file may take the name: a device, a pipe or a folder would be gone with it. Errors: kInvalidArgument.
Result<> mayBecomeFile(const std::filesystem::path& path);

// Writes a file so that it is there whole or not at all: bytes go to "<path>.part", commit() syncs and renames it.
// Without commit() the destructor removes the part file and an older file at `path` stays as it was. Confined to one thread.
class FileWriter {
  public:
    enum class Readers { kAnyone, kOwner };
    // Errors: kInvalidArgument where something else than a file has the name; kIo with the system's words.
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
    // Appends a large block. Whole blocks of 4 KiB in memory aligned to them go to the disk past the system's cache, where the file system
    // can and as long as the file's length is a multiple of them: the cache keeps what is read often, and the disk works from the beginning.
    // `meanwhile` is called while it does. Errors: kIo.
    Result<> writeLarge(std::span<const std::byte> bytes, const std::function<void()>& meanwhile);
    Result<> commit() { return commitAs(path_); }
    // In the same file system.
    Result<> commitAs(const std::filesystem::path& path);
    [[nodiscard]] uint64_t written() const { return written_; }

  private:
    FileWriter(std::filesystem::path path, std::filesystem::path part, Descriptor file);
    Result<bool> writeDirect(std::span<const std::byte> blocks, const std::function<void()>& meanwhile);

    std::filesystem::path path_;
    std::filesystem::path part_;
    Descriptor file_;  // none after commit()
    uint64_t written_ = 0;
};

}  // namespace pal
