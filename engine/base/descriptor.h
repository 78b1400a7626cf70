// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

#include "engine/base/result.h"

namespace pal {

// A file descriptor with one owner, which closes it. Move-only; -1 is none.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool isOpen() const { return fd_ >= 0; }

  private:
    int fd_ = -1;
};

// Opens a file for reading; `flags` are open(2)'s further ones. Errors: kNotFound, kIo.
Result<Descriptor> openForReading(const std::filesystem::path& path, int flags = 0);

// The next bytes of an open file, at most as many as `buffer` holds; 0 at its end. `path` stands in the error. Errors: kIo.
Result<size_t> readSome(const Descriptor& file, std::span<std::byte> buffer, const std::filesystem::path& path);

// Whether reads and writes of an open file go past the system's cache. They must then be of whole blocks of kDirectBlock, in memory aligned
// to them, and fail with EINVAL elsewhere and where the disk's blocks are larger. False where the file system cannot.
inline constexpr size_t kDirectBlock = 4096;
enum class Direct { kOff, kOn };
bool setDirect(const Descriptor& file, Direct direct);

// Makes the names in a folder survive a power failure; syncing a file does that for its bytes alone. Errors: kIo.
Result<> syncFolder(const std::filesystem::path& folder);

}  // namespace pal
