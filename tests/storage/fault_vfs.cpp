// SPDX-License-Identifier: Apache-2.0
#include "tests/storage/fault_vfs.h"

#include <sqlite3.h>

#include <atomic>
#include <map>
#include <mutex>

#include "tests/support/temp_folder.h"

namespace pal::test {

struct FaultVfs::State {
    std::string name;
    sqlite3_vfs* real = nullptr;
    sqlite3_vfs vfs{};

    std::mutex mutex;
    int64_t operations = 0;
    int64_t failAfter = -1;  // below 0: never
    Fault fault = Fault::kIoError;
    std::atomic<bool> readsFail = false;
    bool watching = false;
    Syncs syncs = Syncs::kKept;
    std::map<std::string, std::string> synced;  // contents of each file at its last sync

    // Counts an operation; true when it shall fail.
    bool fails() {
        const std::lock_guard lock(mutex);
        return operations++ >= failAfter && failAfter >= 0;
    }
    void noteOpen(const std::string& path) {
        const std::lock_guard lock(mutex);
        if (watching && !synced.contains(path)) synced[path] = readText(path);
    }
    // False when the sync shall be left out.
    bool noteSync(const std::string& path) {
        const std::lock_guard lock(mutex);
        if (watching && syncs == Syncs::kLost) return false;
        if (watching) synced[path] = readText(path);
        return true;
    }
};

namespace {

// What SQLite sees of a file; the file of the real layer lies behind it.
struct File {
    sqlite3_file base;
    FaultVfs::State* state;
    const char* path;  // SQLite keeps it while the file is open

    [[nodiscard]] sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
    [[nodiscard]] const sqlite3_io_methods* methods() { return real()->pMethods; }
};

File& own(sqlite3_file* file) {
    return *reinterpret_cast<File*>(file);
}

int failure(FaultVfs::Fault fault) {
    switch (fault) {
        case FaultVfs::Fault::kShortWrite:
            return SQLITE_IOERR_WRITE;
        case FaultVfs::Fault::kIoError:
            return SQLITE_IOERR;
        case FaultVfs::Fault::kFull:
            return SQLITE_FULL;
    }
    return SQLITE_ERROR;
}

int closeFile(sqlite3_file* file) {
    return own(file).methods()->xClose(own(file).real());
}
int readFile(sqlite3_file* file, void* data, int size, sqlite3_int64 at) {
    if (own(file).state->readsFail) return SQLITE_IOERR_CORRUPTFS;
    return own(file).methods()->xRead(own(file).real(), data, size, at);
}
int writeFile(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
    File& self = own(file);
    if (!self.state->fails()) return self.methods()->xWrite(self.real(), data, size, at);
    if (self.state->fault == FaultVfs::Fault::kShortWrite) self.methods()->xWrite(self.real(), data, size / 2, at);
    return failure(self.state->fault);
}
int truncateFile(sqlite3_file* file, sqlite3_int64 size) {
    File& self = own(file);
    return self.state->fails() ? failure(self.state->fault) : self.methods()->xTruncate(self.real(), size);
}
int syncFile(sqlite3_file* file, int flags) {
    File& self = own(file);
    if (self.state->fails()) return failure(self.state->fault);
    if (self.path != nullptr && !self.state->noteSync(self.path)) return SQLITE_OK;
    return self.methods()->xSync(self.real(), flags);
}
int fileSize(sqlite3_file* file, sqlite3_int64* size) {
    return own(file).methods()->xFileSize(own(file).real(), size);
}
int lockFile(sqlite3_file* file, int level) {
    return own(file).methods()->xLock(own(file).real(), level);
}
int unlockFile(sqlite3_file* file, int level) {
    return own(file).methods()->xUnlock(own(file).real(), level);
}
int checkReservedLock(sqlite3_file* file, int* out) {
    return own(file).methods()->xCheckReservedLock(own(file).real(), out);
}
int fileControl(sqlite3_file* file, int operation, void* argument) {
    return own(file).methods()->xFileControl(own(file).real(), operation, argument);
}
int sectorSize(sqlite3_file* file) {
    return own(file).methods()->xSectorSize(own(file).real());
}
// None of them: a power cut must be allowed to do its worst.
int deviceCharacteristics(sqlite3_file*) {
    return 0;
}
int shmMap(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
    return own(file).methods()->xShmMap(own(file).real(), page, size, extend, out);
}
int shmLock(sqlite3_file* file, int offset, int count, int flags) {
    return own(file).methods()->xShmLock(own(file).real(), offset, count, flags);
}
void shmBarrier(sqlite3_file* file) {
    own(file).methods()->xShmBarrier(own(file).real());
}
int shmUnmap(sqlite3_file* file, int remove) {
    return own(file).methods()->xShmUnmap(own(file).real(), remove);
}

const sqlite3_io_methods kMethods = {
    2,          closeFile,         readFile,    writeFile,  truncateFile,          syncFile, fileSize, lockFile,
    unlockFile, checkReservedLock, fileControl, sectorSize, deviceCharacteristics, shmMap,   shmLock,  shmBarrier,
    shmUnmap,   nullptr,           nullptr};

int openFile(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* outFlags) {
    auto* state = static_cast<FaultVfs::State*>(vfs->pAppData);
    File& self = own(file);
    self.base.pMethods = nullptr;
    self.state = state;
    self.path = path;
    const int result = state->real->xOpen(state->real, path, self.real(), flags, outFlags);
    if (result != SQLITE_OK) return result;
    self.base.pMethods = &kMethods;
    if (path != nullptr) state->noteOpen(path);
    return SQLITE_OK;
}

}  // namespace

FaultVfs::FaultVfs() : state_(std::make_shared<State>()) {
    static std::atomic<int> count = 0;
    State& state = *state_;
    state.name = "pal_fault_" + std::to_string(count++);
    state.real = sqlite3_vfs_find(nullptr);
    state.vfs = *state.real;  // all but opening is the real layer's
    state.vfs.zName = state.name.c_str();
    state.vfs.pNext = nullptr;
    state.vfs.pAppData = &state;
    state.vfs.szOsFile = static_cast<int>(sizeof(File)) + state.real->szOsFile;
    state.vfs.xOpen = openFile;
    sqlite3_vfs_register(&state.vfs, 0);
}

FaultVfs::~FaultVfs() {
    sqlite3_vfs_unregister(&state_->vfs);
}

const std::string& FaultVfs::name() const {
    return state_->name;
}

void FaultVfs::failAfter(int64_t operations, Fault fault) {
    const std::lock_guard lock(state_->mutex);
    state_->operations = 0;
    state_->failAfter = operations;
    state_->fault = fault;
}

void FaultVfs::failReads() {
    state_->readsFail = true;
}

void FaultVfs::heal() {
    const std::lock_guard lock(state_->mutex);
    state_->readsFail = false;
    state_->operations = 0;
    state_->failAfter = -1;
}

int64_t FaultVfs::operations() const {
    const std::lock_guard lock(state_->mutex);
    return state_->operations;
}

void FaultVfs::watchSyncs(Syncs syncs) {
    const std::lock_guard lock(state_->mutex);
    state_->watching = true;
    state_->syncs = syncs;
    state_->synced.clear();
}

void FaultVfs::powerCut() {
    const std::lock_guard lock(state_->mutex);
    for (const auto& [path, contents] : state_->synced) writeText(path, contents);
    state_->watching = false;
}

}  // namespace pal::test
