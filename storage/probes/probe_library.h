// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/api/probe.h"
#include "engine/base/result.h"
#include "storage/probes/probe_series.h"
#include "storage/sqlite/database.h"

namespace pal {

// The numbers of a token that are kept in bins for long sessions.
using SeriesOf = std::vector<SeriesValue> (*)(const TokenProbe& probe);

struct ProbeLibraryOptions {
    std::filesystem::path file;            // probes.db; made when it is not there
    uint64_t budgetBytes = 1ULL << 30;     // of all records and bins together; whole replies go, the oldest first
    uint64_t waitingBytes = 256ULL << 20;  // of values that may wait for the disk; what comes beyond is not kept
    SeriesOf series = nullptr;             // null: no bins
    std::string vfs;                       // SQLite's file layer; empty: the system's
};

// Tokens of a reply that were looked at, in order, behind those handed over before.
struct ProbeBatch {
    int64_t session = 0;  // of chats.db, as `message`, the reply
    int64_t message = 0;
    std::string model;                // its fingerprint
    std::vector<int64_t> regionEnds;  // that attention was summed over, the same for a whole reply
    std::vector<std::shared_ptr<const TokenProbe>> tokens;
};

struct StoredReply {
    int64_t session = 0, message = 0;
    std::string model;  // its fingerprint
    std::vector<int64_t> regionEnds;
    int64_t begin = 0, end = 0;  // positions of the tokens that are there
    uint64_t bytes = 0;          // of it on the disk
};

// What reading the tokens of replies did, kept beside chats.db, with a thread that writes. Thread-safe. A lost or damaged file costs the records, and
// nothing else.
class ProbeLibrary {
  public:
    // A file that is no database, damaged or of an older program is made anew, which is told as a problem. Errors: kUnsupported when a newer
    // program wrote it; kIo.
    static Result<std::unique_ptr<ProbeLibrary>> open(const ProbeLibraryOptions& options);
    ~ProbeLibrary();  // after everything handed over is written
    ProbeLibrary(const ProbeLibrary&) = delete;
    ProbeLibrary& operator=(const ProbeLibrary&) = delete;

    // Returns at once. Written within about a second, together with what else came.
    void add(ProbeBatch batch);
    // No more tokens of this reply come.
    void finish(int64_t message);
    // Forgets the replies of all other sessions.
    void keepOnly(std::vector<int64_t> sessions);
    // Of all records and bins together from now on; what is over it is dropped, soon.
    void setBudget(uint64_t bytes);
    // Waits until everything handed over is written.
    void flush();

    // Of a session, in the order of their messages, with what still waits for the disk. Errors of this and what follows: those of SQLite.
    Result<std::vector<StoredReply>> replies(int64_t session);
    // Records of the positions [begin, end) that are there or wait; a damaged one is left out, and told as a problem.
    Result<std::vector<TokenProbe>> read(int64_t message, int64_t begin, int64_t end);
    // The same of one layer (ProbeLayerDecoder), for spans of which much is shown and little of each token: `visit` is called with one after the other,
    // in any order, each valid during the call; of a token that comes twice the later one counts.
    Result<> visitLayer(int64_t message, int64_t begin, int64_t end, int64_t layer,
                        const std::function<void(const TokenProbe&)>& visit);
    // A series over [begin, end) in bins of `width` tokens, a power of two from kSeriesWidths[0] on; bins of which nothing was told are left
    // out. Costs by the bins, not by the tokens. Waits until what was handed over of the reply is written.
    Result<std::vector<ProbeBin>> bins(int64_t message, const SeriesKey& key, int64_t begin, int64_t end,
                                       int64_t width);

    // What could not be done since the last call, oldest first.
    [[nodiscard]] std::optional<Error> takeProblem();

  private:
    struct Task {
        enum class Kind { kAdd, kFinish, kKeepOnly, kMakeRoom } kind = Kind::kAdd;
        ProbeBatch batch{};
        std::vector<int64_t> sessions{};
        uint64_t bytes = 0;
        std::chrono::steady_clock::time_point since{};
    };
    // What one thread reads with.
    struct Reader {
        sqlite::Database database;
        std::optional<sqlite::Statement> records, bins;  // made when they are first needed
    };
    struct GiveBack {
        ProbeLibrary* library;
        void operator()(Reader* reader) const { library->giveBack(std::unique_ptr<Reader>(reader)); }
    };
    using Lent = std::unique_ptr<Reader, GiveBack>;

    ProbeLibrary(const ProbeLibraryOptions& options, sqlite::Database writing)
        : options_(options), writing_(std::move(writing)), budget_(options.budgetBytes) {}

    Result<Lent> takeReader();
    void giveBack(std::unique_ptr<Reader> reader);
    // Starts reading the records of [begin, end) in the file, in order: the bytes of each.
    static Result<> startRecords(Reader& reader, int64_t message, int64_t begin, int64_t end);
    void push(Task task);
    void work();
    [[nodiscard]] std::vector<const Task*> nextTasks(std::unique_lock<std::mutex>& lock);
    void runOrReport(std::span<const Task* const> tasks);
    Result<> run(std::span<const Task* const> tasks);
    Result<> run(const Task& task);
    void recount(const Task& failed);
    Result<> finishOld();
    Result<> endReply(int64_t message);
    Result<> dropOthers(const std::vector<int64_t>& sessions);
    Result<> write(std::span<const Task* const> tasks);
    Result<> rebuild(int64_t message, uint64_t& bytes);
    Result<> writeRows(int64_t message, const std::vector<SeriesBuilder::Row>& rows, uint64_t& bytes);
    Result<> count(const ProbeBatch& batch, uint64_t bytes);
    Result<> drop(int64_t message);
    std::vector<std::shared_ptr<const TokenProbe>> waitingTokens(int64_t message, int64_t begin, int64_t end);
    Result<> makeRoom(int64_t current);
    void report(const Error& error);

    const ProbeLibraryOptions options_;
    sqlite::Database writing_;  // the thread's
    std::atomic<uint64_t> budget_;
    uint64_t bytes_ = 0;   // the thread's
    int64_t lastUse_ = 0;  // likewise; microseconds since 1970

    std::mutex readersMutex_;
    std::vector<std::unique_ptr<Reader>> readers_;  // that nobody has

    std::mutex seriesMutex_;
    std::map<int64_t, SeriesBuilder>
        growing_;  // by message; those in the file that are not here are built from their records

    std::mutex queueMutex_;
    std::condition_variable changed_;
    std::deque<Task> waiting_;  // the first ones are being written
    int hurried_ = 0;           // who waits for the file
    uint64_t waitingBytes_ = 0;
    bool closing_ = false;
    bool full_ = false;  // told already

    std::mutex problemMutex_;
    std::deque<Error> problems_;

    std::thread thread_;
};

}  // namespace pal
