// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/api/state_store.h"
#include "engine/base/result.h"
#include "storage/states/catalogue.h"
#include "storage/states/state_folder.h"

namespace pal {

struct StateLibraryOptions {
    std::filesystem::path folder;          // made when it is not there; holds states.db, states.sum and parts/
    uint64_t budgetBytes = 32ULL << 30;    // of all parts together; the least recently used go first
    uint64_t spareBytes = 1ULL << 30;      // of the disk that states never take (a tenth of a small disk)
    uint64_t waitingBytes = 512ULL << 20;  // that may wait for the disk before write() waits
    std::string vfs;                       // SQLite's file layer for states.db; empty: the system's
};

// A StateStore in a folder: one file per part, a catalogue over them in SQLite, and a thread that writes. Thread-safe.
//
// Bytes lie beside the database since SQLite reads large blobs at a third of the disk's speed. A part's file is whole on the disk before the
// catalogue knows it, and carries its own name and checksum, so that a lost or damaged catalogue is made again from the files: after a crash,
// and whenever states.db is not, byte for byte, what the last program left (states.sum holds its checksum while no program is running).
class StateLibrary final : public StateStore {
  public:
    // Errors: kBusy when another program has the folder; kUnsupported when a newer program wrote it; kIo.
    static Result<std::unique_ptr<StateLibrary>> open(const StateLibraryOptions& options);
    ~StateLibrary() override;  // after everything handed over is written

    [[nodiscard]] std::vector<int64_t> checkpointPositions(const Hash128& family, int64_t upTo) override;
    [[nodiscard]] bool read(const StateId& id, ByteBuffer& bytes) override;
    [[nodiscard]] bool contains(const StateId& id) override;
    [[nodiscard]] uint64_t bytesToRead(const StateId& checkpoint) override;
    void write(StateWrite part) override;
    void flush() override;
    [[nodiscard]] std::optional<Error> takeProblem() override;

    // The files of a checkpoint and of all it continues, the sequence's beginning first; none when it is not there. They may go at any time,
    // except while nothing is written. Errors: those of SQLite.
    Result<std::vector<std::filesystem::path>> filesOf(const StateId& checkpoint);

    struct Usage {
        uint64_t bytes = 0;
        uint64_t budget = 0;
        int64_t parts = 0;
        int64_t checkpoints = 0;
    };
    [[nodiscard]] Usage usage();
    // Of the bytes of all parts, from now on; what is over it is dropped before this returns. Waits for what is being written. Errors: kIo.
    Result<> setBudget(uint64_t bytes);
    // Reads every part and checks it; damaged ones are dropped with all that continues them, as they would be when met. Those that cannot be read now (a
    // disk that is away or fails, no memory) are told and stay. What was found.
    struct Verified {
        int64_t parts = 0;
        uint64_t bytes = 0;
        std::vector<std::string> damaged;  // what and why, one line each
    };
    [[nodiscard]] Verified verify();

  private:
    struct Batch;
    StateLibrary(const StateLibraryOptions& options, StateFolder folder);

    void work();
    std::vector<StateWrite> takeParts();
    void writeParts(const std::vector<StateWrite>& parts);
    Result<> writeFile(const StateWrite& part, Batch& batch);
    Result<> settle(Batch& batch);
    bool holds(const StateWrite& part);
    Result<bool> reserve(const StateWrite& part, Batch& batch);
    Result<> makeRoom(uint64_t bytes, const Batch& batch);
    Result<> enter(const Batch& batch);
    [[nodiscard]] uint64_t limit() const;
    Result<> remove(const std::vector<Catalogue::Part>& parts);
    void removeFile(const StateId& id, uint64_t bytes);
    void dropChain(const StateId& id);
    [[nodiscard]] bool isAway() const;
    [[nodiscard]] bool mayWorkLater(const Error& error) const;
    int64_t now();
    void report(const Error& error);
    [[nodiscard]] std::filesystem::path fileOf(const StateId& id) const;

    const StateLibraryOptions options_;

    std::mutex catalogueMutex_;  // never held while bytes are read or written
    StateFolder folder_;
    Catalogue& catalogue_;
    uint64_t budget_;                   // of them
    uint64_t bytes_ = 0;                // of all parts, and of those being written
    int64_t lastUse_ = 0;               // microseconds since 1970
    std::optional<StateId> continued_;  // the checkpoint read or written last: not dropped for others

    std::mutex queueMutex_;
    std::condition_variable changed_;
    std::deque<StateWrite> waiting_;
    std::vector<StateId> writing_;
    uint64_t waitingBytes_ = 0;  // of both
    uint64_t handedOver_ = 0;    // parts, since the beginning
    uint64_t finished_ = 0;      // written or given up, in the same order
    bool closing_ = false;

    std::mutex problemMutex_;
    std::deque<Error> problems_;
    std::set<ErrorCode> reported_;  // since the last success

    std::thread thread_;
};

}  // namespace pal
