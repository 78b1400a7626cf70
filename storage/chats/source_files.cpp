// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/source_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/base/descriptor.h"
#include "engine/base/file_writer.h"
#include "engine/base/private_folder.h"
#include "engine/base/system_message.h"
#include "storage/chats/sha256.h"

namespace pal {
namespace {

constexpr size_t kPieceBytes = 1 << 20;

}  // namespace

Result<SourceFiles> SourceFiles::open(std::filesystem::path folder) {
    PAL_TRY(makePrivateFolder(folder));
    return SourceFiles(std::move(folder));
}

Result<SourceFiles::Kept> SourceFiles::keepFile(const std::filesystem::path& original) const {
    PAL_ASSIGN(const Descriptor file, openForReading(original));
    struct stat info {};
    if (fstat(file.get(), &info) != 0) return fail(ErrorCode::kIo, "{}: {}", original.string(), systemMessage(errno));
    if (!S_ISREG(info.st_mode)) return fail(ErrorCode::kIo, "{}: this is no regular file", original.string());
    return keep([&](std::span<std::byte> buffer) { return readSome(file, buffer, original); });
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
    PAL_ASSIGN(FileWriter part, FileWriter::createIn(folder_));
    Sha256Stream hash;
    std::vector<std::byte> buffer(kPieceBytes);
    while (true) {
        PAL_ASSIGN(const size_t count, reader(buffer));
        if (count == 0) break;
        const std::span<const std::byte> piece(buffer.data(), count);
        hash.add(piece);
        PAL_TRY(part.write(piece));
    }
    const Kept kept{hash.finish(), part.written()};
    // Also over a file of this name: it may be damaged.
    const std::filesystem::path final = path(kept.sha256);
    std::error_code unseen;  // makePrivateFolder() tells it
    const bool first = !std::filesystem::exists(final.parent_path(), unseen);
    PAL_TRY(makePrivateFolder(final.parent_path()));
    PAL_TRY(part.commitAs(final));
    PAL_TRY(syncFolder(final.parent_path()));
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
    PAL_ASSIGN(const Descriptor open, openForReading(file));
    Sha256Stream stream;
    std::vector<std::byte> buffer(kPieceBytes);
    while (true) {
        PAL_ASSIGN(const size_t count, readSome(open, buffer, file));
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
