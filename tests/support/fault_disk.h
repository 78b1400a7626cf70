// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pal::test {

// A disk in memory under SQLite that fails as real ones do: writes that are refused or cut short, syncs that do nothing, power that goes away
// in the middle. For one connection at a time, on one thread. Registered as a VFS under its name while it lives.
class FaultDisk {
  public:
    FaultDisk();
    FaultDisk(const FaultDisk&) = delete;
    FaultDisk& operator=(const FaultDisk&) = delete;
    ~FaultDisk();

    [[nodiscard]] const std::string& name() const { return name_; }  // for sqlite::OpenOptions::vfs

    enum class Fault {
        kNone,
        kWriteError,  // EIO
        kFull,        // ENOSPC
        kShortWrite,  // half of it is written, then EIO
        kPowerCut,    // from here on nothing works until powerOn()
    };
    // The `operation`-th write, truncation or sync from now fails so, counted from 1; kPowerCut and kFull stay until healed.
    void failAt(int64_t operation, Fault fault);
    void heal();
    // Whether syncs only pretend.
    enum class Sync { kHonest, kPretended };
    void setSync(Sync sync) { sync_ = sync; }

    // The power comes back: of what was not synced, a beginning that `seed` chooses is there, and the write after it is torn (with honest
    // syncs: any of the writes may be there).
    void powerOn(uint64_t seed);

    [[nodiscard]] int64_t operations() const { return operations_; }

    struct Change {
        int64_t offset = 0;
        std::string bytes;
        int64_t truncateTo = -1;  // >= 0: no write but a truncation
    };
    struct File {
        std::string durable;          // what survives for sure
        std::string now;              // what programs see
        std::vector<Change> pending;  // between the two
        std::vector<std::unique_ptr<char[]>> shared;
    };
    // For the VFS functions.
    [[nodiscard]] std::map<std::string, std::shared_ptr<File>>& files() { return files_; }
    // What happens to the next operation.
    [[nodiscard]] Fault next();
    void sync(File& file);
    static void apply(std::string& bytes, const Change& change);

  private:
    std::string name_;
    std::map<std::string, std::shared_ptr<File>> files_;
    int64_t operations_ = 0;
    int64_t failAt_ = 0;
    Fault fault_ = Fault::kNone;
    Fault lasting_ = Fault::kNone;
    Sync sync_ = Sync::kHonest;
    struct Vfs;
    std::unique_ptr<Vfs> vfs_;
};

}  // namespace pal::test
