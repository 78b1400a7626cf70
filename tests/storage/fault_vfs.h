// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace pal::test {

// A file layer for SQLite over real files that fails on command, for code that also looks at the database as a file (states.sum). Where
// only SQLite sees it, FaultDisk (tests/support) is in memory and tears writes too. Open the database with the VFS name().
//
//   FaultVfs vfs;
//   vfs.failAfter(7, FaultVfs::Fault::kShortWrite);
//   Database::open(path, {OpenMode::kCreate, 0, vfs.name()});
//
// Counts writes, truncations and syncs of database, journal and WAL files. Once the given number has passed, every one of them fails, until
// heal(). Thread-safe; one object per name, databases must be closed before it goes.
class FaultVfs {
  public:
    enum class Fault {
        kShortWrite,  // a write stores half of its bytes and reports SQLITE_IOERR_WRITE
        kIoError,     // nothing is stored, SQLITE_IOERR
        kFull,        // nothing is stored, SQLITE_FULL
    };

    FaultVfs();
    FaultVfs(const FaultVfs&) = delete;
    FaultVfs& operator=(const FaultVfs&) = delete;
    ~FaultVfs();

    [[nodiscard]] const std::string& name() const;

    void failAfter(int64_t operations, Fault fault);
    void heal();
    // From now on reads fail too, as of a disk that is gone: with EIO, which SQLite has a code of its own for. heal() ends it.
    void failReads();
    // Operations since the last failAfter() or heal().
    [[nodiscard]] int64_t operations() const;

    // From now on remembers what was written since each file's last sync. With `lost` syncs do nothing but say that all went well.
    enum class Syncs { kKept, kLost };
    void watchSyncs(Syncs syncs);
    // Puts every file, closed or not, back to what its last sync left, as a power cut would with a disk that had written nothing more.
    // Call when the databases are closed.
    void powerCut();

    struct State;  // of the file layer, for its functions

  private:
    std::shared_ptr<State> state_;
};

}  // namespace pal::test
