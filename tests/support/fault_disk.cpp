// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fault_disk.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <random>

namespace pal::test {
namespace {

using File = FaultDisk::File;
using Fault = FaultDisk::Fault;

struct Handle {
    sqlite3_file base;
    FaultDisk* disk;
    std::shared_ptr<File>* file;
};

Handle& handleOf(sqlite3_file* file) {
    return *reinterpret_cast<Handle*>(file);
}
FaultDisk& diskOf(sqlite3_vfs* vfs) {
    return *static_cast<FaultDisk*>(vfs->pAppData);
}

int closeFile(sqlite3_file* file) {
    delete handleOf(file).file;
    return SQLITE_OK;
}

int readFile(sqlite3_file* handle, void* out, int count, sqlite3_int64 offset) {
    const std::string& bytes = (*handleOf(handle).file)->now;
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    const auto there = static_cast<size_t>(std::clamp<sqlite3_int64>(size - offset, 0, count));
    if (there > 0) std::memcpy(out, bytes.data() + offset, there);
    if (there == static_cast<size_t>(count)) return SQLITE_OK;
    std::memset(static_cast<char*>(out) + there, 0, static_cast<size_t>(count) - there);
    return SQLITE_IOERR_SHORT_READ;
}

int change(sqlite3_file* handle, FaultDisk::Change wanted) {
    File& file = **handleOf(handle).file;
    const Fault fault = handleOf(handle).disk->next();
    if (fault == Fault::kFull) return SQLITE_FULL;
    if (fault == Fault::kWriteError || fault == Fault::kPowerCut) return SQLITE_IOERR_WRITE;
    if (fault == Fault::kShortWrite) wanted.bytes.resize(wanted.bytes.size() / 2);
    FaultDisk::apply(file.now, wanted);
    file.pending.push_back(std::move(wanted));
    return fault == Fault::kShortWrite ? SQLITE_IOERR_WRITE : SQLITE_OK;
}

int writeFile(sqlite3_file* handle, const void* bytes, int count, sqlite3_int64 offset) {
    return change(handle, {offset, std::string(static_cast<const char*>(bytes), static_cast<size_t>(count)), -1});
}
int truncateFile(sqlite3_file* handle, sqlite3_int64 size) {
    return change(handle, {0, "", size});
}

int syncFile(sqlite3_file* handle, int) {
    const Fault fault = handleOf(handle).disk->next();
    if (fault != Fault::kNone) return fault == Fault::kFull ? SQLITE_FULL : SQLITE_IOERR_FSYNC;
    handleOf(handle).disk->sync(**handleOf(handle).file);
    return SQLITE_OK;
}

int fileSize(sqlite3_file* handle, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>((*handleOf(handle).file)->now.size());
    return SQLITE_OK;
}

// One connection: every lock is free.
int lockFile(sqlite3_file*, int) {
    return SQLITE_OK;
}
int checkLock(sqlite3_file*, int* held) {
    *held = 0;
    return SQLITE_OK;
}
int controlFile(sqlite3_file*, int, void*) {
    return SQLITE_NOTFOUND;
}
int sectorSize(sqlite3_file*) {
    return 512;
}
int characteristics(sqlite3_file*) {
    return 0;
}

int mapShared(sqlite3_file* handle, int region, int bytes, int extend, void volatile** out) {
    auto& shared = (*handleOf(handle).file)->shared;
    *out = nullptr;
    while (static_cast<int>(shared.size()) <= region && extend != 0)
        shared.push_back(std::make_unique<char[]>(static_cast<size_t>(bytes)));
    if (region < static_cast<int>(shared.size())) *out = shared[static_cast<size_t>(region)].get();
    return SQLITE_OK;
}
int lockShared(sqlite3_file*, int, int, int) {
    return SQLITE_OK;
}
void barrier(sqlite3_file*) {}
int unmapShared(sqlite3_file* handle, int) {
    (*handleOf(handle).file)->shared.clear();
    return SQLITE_OK;
}

constexpr sqlite3_io_methods kMethods{2,           closeFile,   readFile,        writeFile, truncateFile,
                                      syncFile,    fileSize,    lockFile,        lockFile,  checkLock,
                                      controlFile, sectorSize,  characteristics, mapShared, lockShared,
                                      barrier,     unmapShared, nullptr,         nullptr};

int openFile(sqlite3_vfs* vfs, const char* name, sqlite3_file* out, int flags, int* outFlags) {
    auto& files = diskOf(vfs).files();
    const std::string key = name == nullptr ? "temporary" + std::to_string(files.size()) : name;
    auto& file = files[key];
    if (!file) file = std::make_shared<File>();
    auto* handle = reinterpret_cast<Handle*>(out);
    handle->base.pMethods = &kMethods;
    handle->disk = &diskOf(vfs);
    handle->file = new std::shared_ptr<File>(file);
    if (outFlags != nullptr) *outFlags = flags;
    return SQLITE_OK;
}
int deleteFile(sqlite3_vfs* vfs, const char* name, int) {
    if (diskOf(vfs).next() != Fault::kNone) return SQLITE_IOERR_DELETE;
    return diskOf(vfs).files().erase(name) > 0 ? SQLITE_OK : SQLITE_IOERR_DELETE_NOENT;
}
int accessFile(sqlite3_vfs* vfs, const char* name, int, int* there) {
    const auto at = diskOf(vfs).files().find(name);
    *there = at != diskOf(vfs).files().end() && !at->second->now.empty() ? 1 : 0;
    return SQLITE_OK;
}
int fullPath(sqlite3_vfs*, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
}

}  // namespace

struct FaultDisk::Vfs {
    sqlite3_vfs base{};
};

FaultDisk::FaultDisk() : vfs_(std::make_unique<Vfs>()) {
    static_assert(sizeof(Handle) > 0);
    name_ = "fault-disk-" + std::to_string(reinterpret_cast<uintptr_t>(this));
    const sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    sqlite3_vfs& vfs = vfs_->base;
    vfs = *system;  // time, randomness and sleep are the system's
    vfs.iVersion = 2;
    vfs.szOsFile = sizeof(Handle);
    vfs.pNext = nullptr;
    vfs.zName = name_.c_str();
    vfs.pAppData = this;
    vfs.xOpen = openFile;
    vfs.xDelete = deleteFile;
    vfs.xAccess = accessFile;
    vfs.xFullPathname = fullPath;
    sqlite3_vfs_register(&vfs, 0);
}

FaultDisk::~FaultDisk() {
    sqlite3_vfs_unregister(&vfs_->base);
}

void FaultDisk::failAt(int64_t operation, Fault fault) {
    failAt_ = operations_ + operation;
    fault_ = fault;
}

void FaultDisk::heal() {
    failAt_ = 0;
    lasting_ = Fault::kNone;
}

FaultDisk::Fault FaultDisk::next() {
    ++operations_;
    if (lasting_ != Fault::kNone) return lasting_;
    if (operations_ != failAt_) return Fault::kNone;
    if (fault_ == Fault::kPowerCut || fault_ == Fault::kFull) lasting_ = fault_;
    return fault_;
}

void FaultDisk::sync(File& file) {
    if (sync_ == Sync::kPretended) return;
    file.durable = file.now;
    file.pending.clear();
}

void FaultDisk::apply(std::string& bytes, const Change& change) {
    if (change.truncateTo >= 0) {
        bytes.resize(static_cast<size_t>(change.truncateTo));
        return;
    }
    const auto end = static_cast<size_t>(change.offset) + change.bytes.size();
    if (bytes.size() < end) bytes.resize(end);
    bytes.replace(static_cast<size_t>(change.offset), change.bytes.size(), change.bytes);
}

void FaultDisk::powerOn(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (auto& [name, file] : files_) {
        const size_t reached = file->pending.empty() ? 0 : random() % (file->pending.size() + 1);
        for (size_t i = 0; i < file->pending.size(); ++i) {
            Change& pending = file->pending[i];
            // Without syncs, only a disk that keeps the order can be survived.
            const bool there = sync_ == Sync::kPretended ? i < reached : random() % 2 == 0;
            if (!there && i != reached) continue;
            if (!there) pending.bytes.resize(pending.bytes.size() / 512 / 2 * 512);  // torn at a sector
            if (there || !pending.bytes.empty()) apply(file->durable, pending);
        }
        file->pending.clear();
        file->now = file->durable;
        file->shared.clear();
    }
    heal();
}

}  // namespace pal::test
