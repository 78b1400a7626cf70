// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "engine/base/descriptor.h"

namespace pal {

// Moves a large block between memory and an open file in pieces, on two threads: the disk has the next request when it ends one, and who
// takes the pieces works on those that are through. Taken by one thread; file and memory outlive this.
class FilePieces {
  public:
    static FilePieces reading(const Descriptor& file, uint64_t offset, std::span<std::byte> into);
    static FilePieces writing(const Descriptor& file, uint64_t offset, std::span<const std::byte> from);
    ~FilePieces();  // waits for the pieces that are on their way
    FilePieces(const FilePieces&) = delete;
    FilePieces& operator=(const FilePieces&) = delete;

    // Waits for the next piece, in order. Empty when all are through and from the first that failed.
    [[nodiscard]] std::span<const std::byte> next();
    // Of the piece at which next() ended: errno, or 0. kEnded when the file ended before it.
    [[nodiscard]] int error() const;
    static constexpr int kEnded = -1;

  private:
    static constexpr size_t kPieceBytes = 2 << 20;
    static constexpr size_t kThreads = 2;
    // Of part of a piece: as pread(2) and pwrite(2).
    using Transfer = std::function<ssize_t(size_t begin, size_t count)>;
    enum class State : uint8_t { kWaiting, kThrough, kFailed };

    FilePieces(std::span<const std::byte> memory, Transfer transfer);
    void work();
    int move(size_t begin, size_t count) const;

    const std::span<const std::byte> memory_;
    const Transfer transfer_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<State> pieces_;
    size_t begun_ = 0;  // pieces
    size_t taken_ = 0;
    int error_ = 0;
    std::array<std::thread, kThreads> threads_;
};

}  // namespace pal
