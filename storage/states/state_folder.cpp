// SPDX-License-Identifier: Apache-2.0
#include "storage/states/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <map>
#include <vector>

#include "engine/base/file_writer.h"
#include "engine/base/mapped_file.h"
#include "engine/base/private_folder.h"
#include "engine/base/system_message.h"
#include "storage/states/part_file.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "states.db";
constexpr const char* kSum = "states.sum";

// The checksum of states.db as text; an empty text when it cannot be read.
std::string sumOf(const fs::path& file) {
    const auto mapped = MappedFile::open(file);
    if (!mapped.has_value()) return {};
    const XXH128_hash_t hash = XXH3_128bits(mapped->bytes().data(), mapped->bytes().size());
    return fmt::format("{:016x}{:016x}\n", hash.high64, hash.low64);
}

std::string readSum(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text(64, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(in.gcount()));
    return text;
}

// When each part was used last, as far as an old catalogue still tells.
std::map<std::string, int64_t> lastUses(const fs::path& file, const std::string& vfs) {
    std::map<std::string, int64_t> out;
    auto catalogue = Catalogue::open(file, vfs);
    if (!catalogue.has_value()) return out;
    const auto parts = catalogue->all();
    if (!parts.has_value()) return out;
    const int64_t now =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    for (const Catalogue::Part& part : *parts) {
        if (part.used <= now) out[partFileName(part.id)] = part.used;  // a torn file may say anything
    }
    return out;
}

struct Tails {
    std::vector<PartTail> usable;  // parents before what continues them
    int64_t removed = 0;           // whole files that hold no state, or one in a form that is not read any more
};

// Of all part files. Useless files go. Errors: kIo, since a part that is not seen would be lost to the catalogue.
Result<Tails> readTails(const fs::path& parts) {
    Tails out;
    std::vector<fs::path> useless;
    std::error_code error;
    fs::directory_iterator at(parts, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
        const fs::path path = at->path();
        if (path.extension() == ".part") useless.push_back(path);
        if (path.extension() != ".pages" && path.extension() != ".checkpoint") continue;
        const auto tail = readPartTail(path);
        if (tail.has_value() && partFileName(tail->id) == path.filename()) {
            out.usable.push_back(*tail);
        } else if (tail.has_value() || tail.error().code == ErrorCode::kCorrupt) {
            useless.push_back(path);
            ++out.removed;
        }
    }
    if (error) return fail(ErrorCode::kIo, "{}: {}", parts.string(), error.message());
    for (const fs::path& path : useless) fs::remove(path, error);
    std::sort(out.usable.begin(), out.usable.end(), [](const PartTail& a, const PartTail& b) {
        return std::pair(a.id.tokens, a.id.part) < std::pair(b.id.tokens, b.id.part);
    });
    return out;
}

int64_t writtenAt(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return 0;
    return static_cast<int64_t>(status.st_mtim.tv_sec) * 1000000 + status.st_mtim.tv_nsec / 1000;
}

}  // namespace

Result<StateFolder> StateFolder::open(const fs::path& folder, const std::string& vfs) {
    PAL_TRY(makePrivateFolder(folder));
    PAL_TRY(makePrivateFolder(folder / "parts"));
    const fs::path lockFile = folder / "lock";
    Descriptor lock(::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!lock.isOpen()) return fail(ErrorCode::kIo, "{}: {}", lockFile.string(), systemMessage(errno));
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return fail(ErrorCode::kBusy, "{}: another program keeps its states there", folder.string());
    StateFolder out(folder, std::move(lock));
    PAL_TRY(out.openCatalogue(vfs));
    return out;
}

Result<> StateFolder::openCatalogue(const std::string& vfs) {
    const fs::path file = folder_ / kDatabase;
    const std::string sum = readSum(folder_ / kSum);
    const bool intact = !sum.empty() && sum == sumOf(file);
    bool older = false;
    if (sum.empty() || intact) {
        // Before the sum goes this must not change the file: a program that is killed in between would leave a sum of another one.
        auto catalogue = Catalogue::open(file, vfs);
        if (!catalogue.has_value() && catalogue.error().code != ErrorCode::kCorrupt) return fail(catalogue.error());
        older = catalogue.has_value() && catalogue->isOlder();
        if (catalogue.has_value() && intact && !older) catalogue_ = std::make_unique<Catalogue>(std::move(*catalogue));
    }
    std::error_code ignored;
    if (fs::remove(folder_ / kSum, ignored)) PAL_TRY(syncFolder(folder_));  // gone before any part changes
    if (catalogue_) return {};
    PAL_ASSIGN(const int64_t removed, rebuild(vfs));
    if (older && removed > 0) {
        problem_ = Error{ErrorCode::kUnsupported,
                         fmt::format("{}: {} stored states of an older program are in a form that is not read any more "
                                     "and were removed; their sessions are read once again",
                                     folder_.string(), removed)};
    }
    if (sum.empty() || older) return {};
    PAL_ASSIGN(const int64_t parts, catalogue_->database().integer("SELECT count(*) FROM part"));
    problem_ =
        Error{ErrorCode::kCorrupt,
              fmt::format("{}: it is not what was written last; its list of {} parts was made again from their files",
                          file.string(), parts)};
    return {};
}

// How many files were removed as useless.
Result<int64_t> StateFolder::rebuild(const std::string& vfs) {
    const fs::path file = folder_ / kDatabase;
    const std::map<std::string, int64_t> uses = lastUses(file, vfs);
    std::error_code error;
    for (const char* suffix : {"", "-journal"}) {
        fs::remove(fs::path(file.string() + suffix), error);
        if (error) return fail(ErrorCode::kIo, "{}: {}", file.string(), error.message());
    }
    PAL_ASSIGN(const Tails tails, readTails(parts()));
    PAL_ASSIGN(Catalogue catalogue, Catalogue::open(file, vfs));
    PAL_ASSIGN(auto transaction, sqlite::Transaction::begin(catalogue.database()));
    for (const PartTail& tail : tails.usable) {
        const fs::path path = parts() / partFileName(tail.id);
        std::optional<int64_t> parent;
        if (tail.parent) {
            PAL_ASSIGN(const auto found, catalogue.find({tail.id.family, *tail.parent, 0, StatePart::kPages}));
            if (!found) {
                fs::remove(path, error);
                continue;
            }
            parent = found->row;
        }
        const auto use = uses.find(path.filename().string());
        PAL_TRY(catalogue.add(tail.id, parent, kPartTailBytes + tail.payloadBytes,
                              use != uses.end() ? use->second : writtenAt(path)));
    }
    PAL_TRY(transaction.commit());
    catalogue_ = std::make_unique<Catalogue>(std::move(catalogue));
    return tails.removed;
}

// Without the checksum the next program makes the catalogue again, so nothing here has to succeed.
StateFolder::~StateFolder() {
    if (!catalogue_) return;
    static_cast<void>(catalogue_->database().execute("PRAGMA incremental_vacuum"));
    const auto synced = catalogue_->sync();
    catalogue_.reset();
    if (!trusted_ || !synced.has_value()) return;
    const std::string sum = sumOf(folder_ / kDatabase);
    auto writer = FileWriter::create(folder_ / kSum, FileWriter::Readers::kOwner);
    if (sum.empty() || !writer.has_value() || !writer->write(std::as_bytes(std::span(sum))).has_value()) return;
    static_cast<void>(writer->commit());
}

}  // namespace pal
