// SPDX-License-Identifier: Apache-2.0
#include "engine/base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/system_message.h"

namespace pal {

Descriptor::~Descriptor() {
    if (fd_ >= 0) close(fd_);
}

Result<Descriptor> openForReading(const std::filesystem::path& path, int flags) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
    if (file.isOpen()) return file;
    return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
}

Result<size_t> readSome(const Descriptor& file, std::span<std::byte> buffer, const std::filesystem::path& path) {
    while (true) {
        const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
        if (count >= 0) return static_cast<size_t>(count);
        if (errno != EINTR) return fail(ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
    }
}

bool setDirect(const Descriptor& file, Direct direct) {
    const int flags = fcntl(file.get(), F_GETFL);
    if (flags < 0) return false;
    return fcntl(file.get(), F_SETFL, direct == Direct::kOn ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

Result<> syncFolder(const std::filesystem::path& folder) {
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.isOpen() && fsync(file.get()) == 0) return {};
    return fail(ErrorCode::kIo, "{}: {}", folder.string(), systemMessage(errno));
}

}  // namespace pal
