// SPDX-License-Identifier: Apache-2.0
#include "engine/base/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "engine/base/system_message.h"

namespace pal {
Result<FileWriter> FileWriter::create(const std::filesystem::path& path, Readers readers) {
    std::filesystem::path part = path;
    part += ".part";
    Descriptor file(
        ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, readers == Readers::kAnyone ? 0644 : 0600));
    if (!file.isOpen()) return fail(ErrorCode::kIo, "{}: {}", part.string(), systemMessage(errno));
    return FileWriter(path, std::move(part), std::move(file));
}

Result<FileWriter> FileWriter::createIn(const std::filesystem::path& folder) {
    std::string part = (folder / "part-XXXXXX").string();
    Descriptor file(mkostemp(part.data(), O_CLOEXEC));
    if (!file.isOpen()) return fail(ErrorCode::kIo, "{}: {}", part, systemMessage(errno));
    return FileWriter({}, std::move(part), std::move(file));
}

FileWriter::FileWriter(std::filesystem::path path, std::filesystem::path part, Descriptor file)
    : path_(std::move(path)), part_(std::move(part)), file_(std::move(file)) {}

FileWriter::~FileWriter() {
    if (file_.isOpen()) unlink(part_.c_str());
}

Result<> FileWriter::write(std::span<const std::byte> bytes) {
    constexpr size_t kBlock = 4096;
    while (!bytes.empty()) {
        if (bypass_ && bytes.size() < kBlock) useCache();
        const size_t count = bypass_ ? bytes.size() / kBlock * kBlock : bytes.size();
        const ssize_t done = ::write(file_.get(), bytes.data(), count);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0 && errno == EINVAL && bypass_) {
            useCache();
            continue;
        }
        if (done < 0) {
            return fail(ErrorCode::kIo, "{}: after {} bytes: {}", part_.string(), written_, systemMessage(errno));
        }
        written_ += static_cast<uint64_t>(done);
        bytes = bytes.subspan(static_cast<size_t>(done));
    }
    return {};
}

Result<> FileWriter::rewrite(uint64_t offset, std::span<const std::byte> bytes) {
    if (bypass_) useCache();
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail(ErrorCode::kIo, "{}: at byte {}: {}", part_.string(), offset, systemMessage(errno));
        offset += static_cast<uint64_t>(done);
        bytes = bytes.subspan(static_cast<size_t>(done));
    }
    return {};
}

void FileWriter::bypassCache() {
    bypass_ = setDirect(file_, Direct::kOn);
}

void FileWriter::useCache() {
    bypass_ = false;
    setDirect(file_, Direct::kOff);
}

Result<> FileWriter::commitAs(const std::filesystem::path& path) {
    if (fsync(file_.get()) != 0) return fail(ErrorCode::kIo, "{}: {}", part_.string(), systemMessage(errno));
    if (rename(part_.c_str(), path.c_str()) != 0) {
        return fail(ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
    }
    file_ = {};
    return {};
}

}  // namespace pal
