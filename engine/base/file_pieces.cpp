// SPDX-License-Identifier: Apache-2.0
#include "engine/base/file_pieces.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

namespace pal {

FilePieces FilePieces::reading(const Descriptor& file, uint64_t offset, std::span<std::byte> into) {
    return {into, [fd = file.get(), offset, data = into.data()](size_t begin, size_t count) {
                return ::pread(fd, data + begin, count, static_cast<off_t>(offset + begin));
            }};
}

FilePieces FilePieces::writing(const Descriptor& file, uint64_t offset, std::span<const std::byte> from) {
    return {from, [fd = file.get(), offset, data = from.data()](size_t begin, size_t count) {
                return ::pwrite(fd, data + begin, count, static_cast<off_t>(offset + begin));
            }};
}

FilePieces::FilePieces(std::span<const std::byte> memory, Transfer transfer)
    : memory_(memory),
      transfer_(std::move(transfer)),
      pieces_((memory.size() + kPieceBytes - 1) / kPieceBytes, State::kWaiting) {
    try {
        for (std::thread& thread : std::span(threads_).first(std::min(kThreads, pieces_.size())))
            thread = std::thread([this] { work(); });
    } catch (const std::exception&) {
        // The system gives no more threads or no memory for one: one is enough, and without any it is done here.
    }
    if (!threads_[0].joinable()) work();
}

FilePieces::~FilePieces() {
    {
        const std::lock_guard lock(mutex_);
        begun_ = pieces_.size();
    }
    for (std::thread& thread : threads_)
        if (thread.joinable()) thread.join();
}

void FilePieces::work() {
    while (true) {
        size_t piece = 0;
        {
            const std::lock_guard lock(mutex_);
            if (begun_ == pieces_.size()) return;
            piece = begun_++;
        }
        const size_t begin = piece * kPieceBytes;
        const int error = move(begin, std::min(kPieceBytes, memory_.size() - begin));
        {
            const std::lock_guard lock(mutex_);
            pieces_[piece] = error == 0 ? State::kThrough : State::kFailed;
            if (error != 0) {
                error_ = error;
                begun_ = pieces_.size();  // the others are of no use
            }
        }
        changed_.notify_all();
    }
}

int FilePieces::move(size_t begin, size_t count) const {
    while (count > 0) {
        const ssize_t done = transfer_(begin, count);
        if (done == 0) return kEnded;
        if (done < 0 && errno != EINTR) return errno;
        if (done < 0) continue;
        begin += static_cast<size_t>(done);
        count -= static_cast<size_t>(done);
    }
    return 0;
}

std::span<const std::byte> FilePieces::next() {
    std::unique_lock lock(mutex_);
    if (taken_ == pieces_.size()) return {};
    changed_.wait(lock, [&] { return pieces_[taken_] != State::kWaiting || error_ != 0; });
    if (pieces_[taken_] != State::kThrough) return {};
    const size_t begin = taken_++ * kPieceBytes;
    return memory_.subspan(begin, std::min(kPieceBytes, memory_.size() - begin));
}

int FilePieces::error() const {
    const std::lock_guard lock(mutex_);
    return taken_ == pieces_.size() ? 0 : error_;
}

}  // namespace pal
