// SPDX-License-Identifier: Apache-2.0
#include "engine/base/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "engine/base/system_message.h"

namespace pal {
Result<FileWriter> FileWriter::create(const std::filesystem::path& path, Readers readers) {
    std::filesystem::path part = path;
    part += ".part";
    const int fd =
        ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readers == Readers::kAnyone ? 0644 : 0600);
    if (fd < 0) return fail(ErrorCode::kIo, "{}: {}", part.string(), systemMessage(errno));
    return FileWriter(path, fd);
}

FileWriter::FileWriter(std::filesystem::path path, int fd) : path_(std::move(path)), part_(path_), fd_(fd) {
    part_ += ".part";
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::move(other.part_)),
      fd_(std::exchange(other.fd_, -1)),
      written_(other.written_) {}

FileWriter::~FileWriter() {
    if (fd_ < 0) return;
    close(fd_);
    unlink(part_.c_str());
}

Result<> FileWriter::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
            return fail(ErrorCode::kIo, "{}: after {} bytes: {}", part_.string(), written_, systemMessage(errno));
        }
        written_ += static_cast<uint64_t>(done);
        bytes = bytes.subspan(static_cast<size_t>(done));
    }
    return {};
}

Result<> FileWriter::commit() {
    if (fsync(fd_) != 0) return fail(ErrorCode::kIo, "{}: {}", part_.string(), systemMessage(errno));
    if (rename(part_.c_str(), path_.c_str()) != 0) {
        return fail(ErrorCode::kIo, "{}: {}", path_.string(), systemMessage(errno));
    }
    close(std::exchange(fd_, -1));
    return {};
}

}  // namespace pal
