// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite/read_only_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <span>
#include <sstream>
#include <string>

#include "engine/base/descriptor.h"
#include "engine/base/system_message.h"

namespace pal::sqlite {
namespace {

namespace fs = std::filesystem;

// Files of a writer that is at work, or of one that did not come to its end.
bool hasCompanions(const fs::path& database) {
    std::error_code error;
    if (fs::exists(database.string() + "-wal", error)) return true;
    const auto journal = fs::file_size(database.string() + "-journal", error);
    return !error && journal > 0;
}

// A mount may be read-only over a disk that is not. What has no device of its own (a network, another folder) is written elsewhere.
bool isDiskReadOnly(const fs::path& file) {
    struct statx status {};
    if (statx(AT_FDCWD, file.c_str(), 0, STATX_MNT_ID, &status) != 0) return false;
    if ((status.stx_mask & STATX_MNT_ID) == 0 || status.stx_dev_major == 0) return false;
    // "<id> <parent> <device> <root> <place> <options> [...] - <type> <source> <options of the disk>"
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream words(line);
        uint64_t id = 0;
        const size_t end = line.find(" - ");
        if (!(words >> id) || id != status.stx_mnt_id || end == std::string::npos) continue;
        std::istringstream disk(line.substr(end + 3));
        std::string type, source, options;
        disk >> type >> source >> options;
        return (options + ',').starts_with("ro,");
    }
    return false;
}

bool sameFile(const struct stat& a, const struct stat& b) {
    return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

Reading readingOf(const fs::path& database) {
    struct statvfs mount {};
    if (statvfs(database.c_str(), &mount) != 0 || (mount.f_flag & ST_RDONLY) == 0) return Reading::kUsual;
    if (hasCompanions(database)) return Reading::kUsual;
    return isDiskReadOnly(database) ? Reading::kImmutable : Reading::kCopy;
}

void Copy::Release::operator()(std::byte* memory) const {
    sqlite3_free(memory);
}

Result<Copy> copyOf(const fs::path& database) {
    constexpr size_t kReadVersion = 19, kWriteVersion = 18;  // of SQLite's header: 1 for rollback, 2 for WAL
    PAL_ASSIGN(const Descriptor file, openForReading(database));
    struct stat before {
    }, after{};
    if (fstat(file.get(), &before) != 0) return fail(ErrorCode::kIo, "{}: {}", database.string(), systemMessage(errno));
    const auto size = static_cast<size_t>(before.st_size);
    Copy out{decltype(Copy::bytes)(static_cast<std::byte*>(sqlite3_malloc64(std::max<size_t>(size, 1)))), size};
    if (!out.bytes) return fail(ErrorCode::kOutOfMemory, "{}: no memory for its {} bytes", database.string(), size);
    for (std::span<std::byte> rest(out.bytes.get(), size); !rest.empty();) {
        PAL_ASSIGN(const size_t count, readSome(file, rest, database));
        if (count == 0) break;
        rest = rest.subspan(count);
    }
    if (stat(database.c_str(), &after) != 0 || !sameFile(before, after) || hasCompanions(database))
        return fail(ErrorCode::kBusy, "{}: it is being written; try again", database.string());
    if (size > kReadVersion) out.bytes[kReadVersion] = out.bytes[kWriteVersion] = std::byte{1};
    return out;
}

}  // namespace pal::sqlite
