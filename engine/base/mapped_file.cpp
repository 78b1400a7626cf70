// SPDX-License-Identifier: Apache-2.0
#include "engine/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/base/descriptor.h"
#include "engine/base/system_message.h"

namespace pal {
Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    // Without O_NONBLOCK a FIFO would wait for its writer before it can be refused; regular files do not care.
    PAL_ASSIGN(const Descriptor file, openForReading(path, O_NONBLOCK));
    struct stat info {};
    if (fstat(file.get(), &info) != 0) return fail(ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
    if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kFormat, "{}: not a regular file", path.string());
    const auto size = static_cast<size_t>(info.st_size);
    if (size == 0) return fail(ErrorCode::kFormat, "{}: the file is empty", path.string());
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) {
        return fail(ErrorCode::kIo, "{}: cannot map {} bytes: {}", path.string(), size, systemMessage(errno));
    }
    return MappedFile(path, static_cast<const std::byte*>(data), size);
}

MappedFile::MappedFile(std::filesystem::path path, const std::byte* data, size_t size)
    : path_(std::move(path)), data_(data), size_(size) {}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    if (this != &other) {
        unmap();
        path_ = std::move(other.path_);
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
    }
    return *this;
}

MappedFile::~MappedFile() {
    unmap();
}

void MappedFile::unmap() noexcept {
    // munmap wants a mutable pointer although the mapping is read-only.
    if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
    data_ = nullptr;
}

void MappedFile::prefetch(uint64_t offset, uint64_t length) const {
    if (offset >= size_) return;
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const uint64_t begin = offset / page * page;
    const uint64_t end = std::min<uint64_t>(size_, offset + std::min<uint64_t>(length, size_));
    madvise(const_cast<std::byte*>(data_) + begin, end - begin, MADV_WILLNEED);
}

}  // namespace pal
