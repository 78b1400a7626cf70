// SPDX-License-Identifier: Apache-2.0
#include "engine/base/file_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "engine/base/file_pieces.h"
#include "engine/base/system_message.h"

namespace pal {

Result<> mayBecomeFile(const std::filesystem::path& path) {
    std::error_code none;
    const auto there = std::filesystem::status(path, none);
    if (!std::filesystem::exists(there) || std::filesystem::is_regular_file(there)) return {};
    return fail(ErrorCode::kInvalidArgument, "{}: this is no regular file, and would be replaced by one",
                path.string());
}

Result<FileWriter> FileWriter::create(const std::filesystem::path& path, Readers readers) {
    PAL_TRY(mayBecomeFile(path));
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
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(written_));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0)
            return fail(ErrorCode::kIo, "{}: after {} bytes: {}", part_.string(), written_, systemMessage(errno));
        written_ += static_cast<uint64_t>(done);
        bytes = bytes.subspan(static_cast<size_t>(done));
    }
    return {};
}

Result<> FileWriter::writeLarge(std::span<const std::byte> bytes, const std::function<void()>& meanwhile) {
    const auto blocks = bytes.first(bytes.size() / kDirectBlock * kDirectBlock);
    const bool aligned = written_ % kDirectBlock == 0 && std::bit_cast<uintptr_t>(bytes.data()) % kDirectBlock == 0;
    bool called = false;
    const auto once = [&] {
        if (!std::exchange(called, true)) meanwhile();
    };
    if (aligned && !blocks.empty() && setDirect(file_, Direct::kOn)) {
        const auto done = writeDirect(blocks, once);
        setDirect(file_, Direct::kOff);
        if (!done.has_value()) return fail(done.error());
        if (*done) bytes = bytes.subspan(blocks.size());
    }
    once();
    return write(bytes);
}

// False when the disk's blocks are larger.
Result<bool> FileWriter::writeDirect(std::span<const std::byte> blocks, const std::function<void()>& meanwhile) {
    // The room at once, so that writing does not wait for it piece by piece. Not every file system can.
    const auto end = static_cast<off_t>(written_ + blocks.size());
    if (::fallocate(file_.get(), 0, 0, end) != 0 && errno == ENOSPC)
        return fail(ErrorCode::kIo, "{}: {} bytes: {}", part_.string(), end, systemMessage(ENOSPC));
    FilePieces pieces = FilePieces::writing(file_, written_, blocks);
    meanwhile();
    while (!pieces.next().empty()) {
    }
    if (pieces.error() == EINVAL) return false;
    if (pieces.error() != 0)
        return fail(ErrorCode::kIo, "{}: after {} bytes: {}", part_.string(), written_, systemMessage(pieces.error()));
    written_ += blocks.size();
    return true;
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
