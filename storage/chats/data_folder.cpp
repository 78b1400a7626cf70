// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/data_folder.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "engine/base/private_folder.h"
#include "engine/base/system_message.h"

namespace pal {
namespace {

constexpr unsigned kCifsMagic = 0xFF534D42;  // not in linux/magic.h of Debian 12

// An absolute path from the environment; the XDG rules say that a relative one counts as unset.
std::optional<std::filesystem::path> pathFrom(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr || value[0] != '/') return std::nullopt;
    return std::filesystem::path(value);
}

Result<std::filesystem::path> baseFolder(const char* variable, const char* underHome) {
    if (auto path = pathFrom(variable)) return *path;
    if (const auto home = pathFrom("HOME")) return *home / underHome;
    return fail(ErrorCode::kInvalidArgument,
                "there is no place for chats: neither {} nor HOME is set; name a folder with --data-dir", variable);
}

std::string ownerLine(const std::string& program) {
    std::array<char, 32> when{};
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::strftime(when.data(), when.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
    return fmt::format("{} (process {}, since {})", program, getpid(), when.data());
}

// What the owner wrote about itself; other programs may read it while they may not lock the file.
std::string readOwner(int fd) {
    std::array<char, 256> buffer{};
    const ssize_t count = pread(fd, buffer.data(), buffer.size(), 0);
    std::string line(buffer.data(), count > 0 ? static_cast<size_t>(count) : 0);
    return line.empty() ? "another program" : line;
}

bool onNetwork(const std::filesystem::path& folder) {
    struct statfs info {};
    if (statfs(folder.c_str(), &info) != 0) return false;
    const auto type = static_cast<unsigned>(info.f_type);
    return type == NFS_SUPER_MAGIC || type == SMB_SUPER_MAGIC || type == kCifsMagic || type == CODA_SUPER_MAGIC ||
           type == AFS_SUPER_MAGIC;
}

}  // namespace

Result<DataPlaces> dataPlaces(const std::optional<std::filesystem::path>& folder) {
    if (folder) {
        if (folder->empty()) return fail(ErrorCode::kInvalidArgument, "the data folder has no name");
        return DataPlaces{*folder, *folder / "states"};
    }
    PAL_ASSIGN(const std::filesystem::path data, baseFolder("XDG_DATA_HOME", ".local/share"));
    PAL_ASSIGN(const std::filesystem::path states, baseFolder("XDG_STATE_HOME", ".local/state"));
    return DataPlaces{data / "palimpsest", states / "palimpsest"};
}

Result<> makePrivateFile(const std::filesystem::path& file) {
    const Descriptor made(::open(file.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0600));
    if (made.isOpen()) return {};
    return fail(ErrorCode::kIo, "{}: {}", file.string(), systemMessage(errno));
}

Result<> becomesSafely(const std::filesystem::path& part, const std::filesystem::path& final) {
    PAL_ASSIGN(const Descriptor file, openForReading(part));
    if (fsync(file.get()) != 0) return fail(ErrorCode::kIo, "{}: {}", part.string(), systemMessage(errno));
    if (rename(part.c_str(), final.c_str()) != 0)
        return fail(ErrorCode::kIo, "{}: {}", final.string(), systemMessage(errno));
    return syncFolder(final.parent_path().empty() ? "." : final.parent_path());
}

Result<FolderOwner> FolderOwner::acquire(const DataPlaces& places, const std::string& program) {
    PAL_TRY(makePrivateFolder(places.data));
    PAL_TRY(makePrivateFolder(places.states));
    const std::filesystem::path file = places.data / "owner.lock";
    Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!lock.isOpen()) return fail(ErrorCode::kIo, "{}: {}", file.string(), systemMessage(errno));
    if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        const std::string other = readOwner(lock.get());
        if (error != EWOULDBLOCK) return fail(ErrorCode::kIo, "{}: {}", file.string(), systemMessage(error));
        return fail(ErrorCode::kBusy, "{} is in use by {}", places.data.string(), other);
    }
    const int fd = lock.get();
    FolderOwner owner(places, std::move(lock));
    const std::string line = ownerLine(program);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size()))
        return fail(ErrorCode::kIo, "{}: {}", file.string(), systemMessage(errno));
    for (const auto& folder : {places.data, places.states}) {
        if (!onNetwork(folder)) continue;
        owner.notes_.push_back(
            fmt::format("{} is on a network file system: locks and databases are not reliable there", folder.string()));
    }
    return owner;
}

// The file stays: removing it would let two programs lock two files of one name.
FolderOwner::~FolderOwner() {
    if (lock_.isOpen()) static_cast<void>(ftruncate(lock_.get(), 0) == 0);
}

}  // namespace pal
