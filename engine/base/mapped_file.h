// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/base/result.h"

namespace pal {

// A whole file mapped read-only. Move-only; views into bytes() must not outlive it. Immutable, so any thread may read.
// A file that is truncated by someone else while mapped raises SIGBUS on access, as with any mapping.
class MappedFile {
  public:
    // Errors: kNotFound, kIo (with the system's words), kFormat for a directory or an empty file.
    static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    // Tells the system that a range will be read soon; a hint, never fails.
    void prefetch(uint64_t offset, uint64_t length) const;

  private:
    MappedFile(std::filesystem::path path, const std::byte* data, size_t size);
    void unmap() noexcept;

    std::filesystem::path path_;
    const std::byte* data_ = nullptr;
    size_t size_ = 0;
};

}  // namespace pal
