// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/source_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/base/system_message.h"
#include "storage/chats/data_folder.h"
#include "storage/chats/sha256.h"

namespace pal {
namespace {

constexpr size_t kPieceBytes = 1 << 20;

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }

  private:
    int fd_;
};

// Names in a folder survive a power failure only when it is synced itself.
Result<> syncFolder(const std::filesystem::path& folder) {
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0 && fsync(descriptor.get()) == 0) return {};
    return fail(ErrorCode::kIo, "{}: {}", folder.string(), systemMessage(errno));
}

// A file of our own that disappears unless it gets its final name.
class PartFile {
  public:
    static Result<PartFile> create(const std::filesystem::path& folder) {
        std::string name = (folder / "part-XXXXXX").string();
        const int fd = mkostemp(name.data(), O_CLOEXEC);  // 0600
        if (fd < 0) return fail(ErrorCode::kIo, "{}: {}", name, systemMessage(errno));
        return PartFile(name, fd);
    }
    PartFile(PartFile&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
    PartFile& operator=(PartFile&&) = delete;
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    ~PartFile() {
        if (fd_ < 0) return;
        ::close(fd_);
        unlink(path_.c_str());
    }

    Result<> write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) return fail(ErrorCode::kIo, "{}: {}", path_.string(), systemMessage(errno));
            bytes = bytes.subspan(static_cast<size_t>(done));
        }
        return {};
    }
    Result<> becomes(const std::filesystem::path& final) {
        if (fsync(fd_) != 0 || rename(path_.c_str(), final.c_str()) != 0)
            return fail(ErrorCode::kIo, "{}: {}", final.string(), systemMessage(errno));
        ::close(std::exchange(fd_, -1));
        return syncFolder(final.parent_path());
    }

  private:
    PartFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
    std::filesystem::path path_;
    int fd_;
};

Result<size_t> readSome(int fd, std::span<std::byte> buffer, const std::filesystem::path& path) {
    while (true) {
        const ssize_t count = ::read(fd, buffer.data(), buffer.size());
        if (count >= 0) return static_cast<size_t>(count);
        if (errno != EINTR) return fail(ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
    }
}

Result<int> openFile(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd >= 0) return fd;
    return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "{}: {}", path.string(), systemMessage(errno));
}

}  // namespace

Result<SourceFiles> SourceFiles::open(std::filesystem::path folder) {
    PAL_TRY(makePrivateFolder(folder));
    return SourceFiles(std::move(folder));
}

Result<SourceFiles::Kept> SourceFiles::keepFile(const std::filesystem::path& original) const {
    PAL_ASSIGN(const int fd, openFile(original));
    const Descriptor file(fd);
    struct stat info {};
    if (fstat(fd, &info) != 0) return fail(ErrorCode::kIo, "{}: {}", original.string(), systemMessage(errno));
    if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kIo, "{}: this is no regular file", original.string());
    return keep([&](std::span<std::byte> buffer) { return readSome(fd, buffer, original); });
}

Result<SourceFiles::Kept> SourceFiles::keepBytes(std::span<const std::byte> bytes) const {
    return keep([&](std::span<std::byte> buffer) -> Result<size_t> {
        const size_t count = std::min(buffer.size(), bytes.size());
        std::copy_n(bytes.begin(), count, buffer.begin());
        bytes = bytes.subspan(count);
        return count;
    });
}

Result<SourceFiles::Kept> SourceFiles::keep(const Reader& reader) const {
    PAL_ASSIGN(PartFile part, PartFile::create(folder_));
    Sha256Stream hash;
    Kept kept;
    std::vector<std::byte> buffer(kPieceBytes);
    while (true) {
        PAL_ASSIGN(const size_t count, reader(buffer));
        if (count == 0) break;
        const std::span<const std::byte> piece(buffer.data(), count);
        hash.add(piece);
        PAL_TRY(part.write(piece));
        kept.bytes += count;
    }
    kept.sha256 = hash.finish();
    // Also over a file of this name: it may be damaged.
    const std::filesystem::path final = path(kept.sha256);
    const bool first = !std::filesystem::exists(final.parent_path());
    PAL_TRY(makePrivateFolder(final.parent_path()));
    PAL_TRY(part.becomes(final));
    if (first) PAL_TRY(syncFolder(folder_));
    return kept;
}

Result<> SourceFiles::removeParts() const {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
        if (!at->path().filename().string().starts_with("part-")) continue;
        std::error_code ignored;
        std::filesystem::remove(at->path(), ignored);
    }
    if (error) return fail(ErrorCode::kIo, "{}: {}", folder_.string(), error.message());
    return {};
}

std::filesystem::path SourceFiles::path(const Sha256& hash) const {
    const std::string name = toHex(hash);
    return folder_ / name.substr(0, 2) / name;
}

bool SourceFiles::has(const Sha256& hash) const {
    std::error_code none;
    return std::filesystem::is_regular_file(path(hash), none);
}

Result<> SourceFiles::check(const Sha256& hash) const {
    const std::filesystem::path file = path(hash);
    PAL_ASSIGN(const int fd, openFile(file));
    const Descriptor descriptor(fd);
    Sha256Stream stream;
    std::vector<std::byte> buffer(kPieceBytes);
    while (true) {
        PAL_ASSIGN(const size_t count, readSome(fd, buffer, file));
        if (count == 0) break;
        stream.add({buffer.data(), count});
    }
    const Sha256 found = stream.finish();
    if (found == hash) return {};
    return fail(ErrorCode::kCorrupt, "{}: its bytes have the hash {}", file.string(), toHex(found));
}

Result<std::vector<Sha256>> SourceFiles::list() const {
    std::vector<Sha256> out;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator at(folder_, error), end; !error && at != end;
         at.increment(error)) {
        if (const auto hash = sha256FromHex(at->path().filename().string()); hash && at->is_regular_file(error))
            out.push_back(*hash);
    }
    if (error) return fail(ErrorCode::kIo, "{}: {}", folder_.string(), error.message());
    return out;
}

Result<> SourceFiles::remove(const Sha256& hash) const {
    const std::filesystem::path file = path(hash);
    if (unlink(file.c_str()) == 0 || errno == ENOENT) return {};
    return fail(ErrorCode::kIo, "{}: {}", file.string(), systemMessage(errno));
}

}  // namespace pal
