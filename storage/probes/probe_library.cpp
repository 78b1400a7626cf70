// SPDX-License-Identifier: Apache-2.0
#include "storage/probes/probe_library.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

#include "storage/probes/probe_codec.h"
#include "storage/probes/probes_sql.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kVersion = 2;
constexpr size_t kMostProblems = 16;
constexpr std::chrono::seconds kPatience{1};  // that tokens wait for others, to be written with one commit

std::span<const std::byte> bytesOf(const std::vector<int64_t>& values) {
    return std::as_bytes(std::span(values));
}

std::vector<int64_t> integersOf(std::span<const std::byte> blob) {
    std::vector<int64_t> out(blob.size() / sizeof(int64_t));
    if (!out.empty()) std::memcpy(out.data(), blob.data(), out.size() * sizeof(int64_t));
    return out;
}

// What a probe takes while it waits, about.
uint64_t memoryOf(const TokenProbe& probe) {
    uint64_t floats = 64;
    for (const LayerProbe& layer : probe.layers) {
        floats += 32 + layer.kda.halfLife.size() + 6 * layer.kda.beta.size() + layer.mla.mass.size() +
                  6 * layer.mla.sink.size() + 3 * layer.mla.topKey.size() + 2 * layer.routing.expert.size();
    }
    return floats * sizeof(float);
}

Result<> makeTables(sqlite::Database& database) {
    PAL_ASSIGN(sqlite::Transaction transaction, sqlite::Transaction::begin(database));
    PAL_TRY(database.execute(kProbesSql001));
    PAL_TRY(database.execute(fmt::format("PRAGMA user_version={}", kVersion)));
    return transaction.commit();
}

Result<sqlite::Database> openFile(const ProbeLibraryOptions& options) {
    sqlite::OpenOptions how;
    how.vfs = options.vfs;
    PAL_ASSIGN(sqlite::Database database, sqlite::Database::open(options.file, how));
    PAL_ASSIGN(const int64_t version, database.integer("PRAGMA user_version"));
    if (version > kVersion) {
        return fail(ErrorCode::kUnsupported, "{}: written by a newer program (version {}, this one knows {})",
                    options.file.string(), version, kVersion);
    }
    if (version > 0 && version < kVersion) {
        return fail(ErrorCode::kCorrupt, "{}: written by an older program (version {}, this one knows {})",
                    options.file.string(), version, kVersion);
    }
    PAL_TRY(database.execute("PRAGMA auto_vacuum=INCREMENTAL"));
    PAL_TRY(database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON"));
    if (version == 0) PAL_TRY(makeTables(database));
    PAL_TRY(database.execute(kProbesSql002));
    PAL_TRY(database.integer("SELECT count(*) FROM reply").map([](int64_t) {}));
    return database;
}

void removeFile(const fs::path& file) {
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm"}) fs::remove(fs::path(file) += ending, ignored);
}

}  // namespace

Result<std::unique_ptr<ProbeLibrary>> ProbeLibrary::open(const ProbeLibraryOptions& options) {
    std::optional<Error> lost;
    auto writing = openFile(options);
    if (!writing && writing.error().code == ErrorCode::kCorrupt) {
        lost = Error{ErrorCode::kCorrupt, "what was kept of looking at replies is lost: " + writing.error().message};
        removeFile(options.file);
        writing = openFile(options);
    }
    if (!writing) return fail(writing.error());
    std::unique_ptr<ProbeLibrary> library(new ProbeLibrary(options, std::move(*writing)));
    PAL_TRY(library->takeReader().map([](const Lent&) {}));
    if (lost) library->report(*lost);
    PAL_ASSIGN(const int64_t bytes, library->writing_.integer("SELECT coalesce(sum(bytes), 0) FROM reply"));
    library->bytes_ = static_cast<uint64_t>(bytes);
    PAL_ASSIGN(library->lastUse_, library->writing_.integer("SELECT coalesce(max(used), 0) FROM reply"));
    PAL_TRY(library->makeRoom(0));  // the budget may be smaller than last time
    PAL_TRY(library->finishOld());
    library->thread_ = std::thread([raw = library.get()] { raw->work(); });
    return library;
}

ProbeLibrary::~ProbeLibrary() {
    {
        const std::lock_guard lock(queueMutex_);
        closing_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

// Readers do not wait for each other: a view may read a long span from two threads.
Result<ProbeLibrary::Lent> ProbeLibrary::takeReader() {
    {
        const std::lock_guard lock(readersMutex_);
        if (!readers_.empty()) {
            Lent out(readers_.back().release(), GiveBack{this});
            readers_.pop_back();
            return out;
        }
    }
    sqlite::OpenOptions how;
    how.mode = sqlite::OpenMode::kReadOnly;
    how.vfs = options_.vfs;
    PAL_ASSIGN(sqlite::Database database, sqlite::Database::open(options_.file, how));
    return Lent(new Reader{std::move(database), {}, {}}, GiveBack{this});
}

void ProbeLibrary::giveBack(std::unique_ptr<Reader> reader) {
    constexpr size_t kKept = 2;
    if (reader->records) reader->records->reset();
    if (reader->bins) reader->bins->reset();
    const std::lock_guard lock(readersMutex_);
    if (readers_.size() < kKept) readers_.push_back(std::move(reader));
}

void ProbeLibrary::add(ProbeBatch batch) {
    Task task{Task::Kind::kAdd, std::move(batch)};
    for (const auto& token : task.batch.tokens) task.bytes += memoryOf(*token);
    push(std::move(task));
}

void ProbeLibrary::finish(int64_t message) {
    Task task{Task::Kind::kFinish};
    task.batch.message = message;
    push(std::move(task));
}

// The bins of replies that the program before did not come to the end of.
Result<> ProbeLibrary::finishOld() {
    PAL_ASSIGN(auto query, writing_.prepare("SELECT message FROM growing"));
    PAL_TRY(query.start());
    while (true) {
        PAL_ASSIGN(const bool found, query.step());
        if (!found) return {};
        finish(query.integer(0));
    }
}

void ProbeLibrary::setBudget(uint64_t bytes) {
    budget_ = bytes;
    push({Task::Kind::kMakeRoom});
}

void ProbeLibrary::keepOnly(std::vector<int64_t> sessions) {
    push({Task::Kind::kKeepOnly, {}, std::move(sessions)});
}

// The thread is woken where it has something to do: it waits for the second that tokens are gathered in by itself, and a thread that wakes for every
// token takes its time from those that compute the next one.
void ProbeLibrary::push(Task task) {
    task.since = std::chrono::steady_clock::now();
    bool wake = task.kind != Task::Kind::kAdd;
    {
        const std::lock_guard lock(queueMutex_);
        if (task.bytes > 0 && waitingBytes_ + task.bytes > options_.waitingBytes) {
            if (!std::exchange(full_, true)) {
                report({ErrorCode::kBusy, fmt::format("the disk is too slow: {} bytes of looking at replies wait, some "
                                                      "records are not kept",
                                                      waitingBytes_)});
            }
            return;
        }
        full_ = false;
        waitingBytes_ += task.bytes;
        wake = wake || waiting_.empty() || waitingBytes_ > options_.waitingBytes / 2;
        waiting_.push_back(std::move(task));
    }
    if (wake) changed_.notify_all();
}

void ProbeLibrary::flush() {
    std::unique_lock lock(queueMutex_);
    ++hurried_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return waiting_.empty(); });
    --hurried_;
}

// Tokens come one by one, and a commit for each would write some pages per token: those of a second go together. They stay where they are, so that who
// reads finds them until they are in the file. Empty at the end.
std::vector<const ProbeLibrary::Task*> ProbeLibrary::nextTasks(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [this] { return !waiting_.empty() || closing_; });
    std::vector<const Task*> out;
    if (waiting_.empty()) return out;
    const auto isAdd = [](const Task& task) { return task.kind == Task::Kind::kAdd; };
    if (isAdd(waiting_.front())) {
        changed_.wait_until(lock, waiting_.front().since + kPatience, [&] {
            return closing_ || hurried_ > 0 || waitingBytes_ > options_.waitingBytes / 2 || !isAdd(waiting_.back());
        });
    }
    const auto others = isAdd(waiting_.front()) ? std::find_if_not(waiting_.begin(), waiting_.end(), isAdd)
                                                : std::next(waiting_.begin());
    for (auto task = waiting_.begin(); task != others; ++task) out.push_back(&*task);
    return out;
}

void ProbeLibrary::work() {
    std::unique_lock lock(queueMutex_);
    while (true) {
        const std::vector<const Task*> tasks = nextTasks(lock);
        if (tasks.empty()) break;
        lock.unlock();
        runOrReport(tasks);
        lock.lock();
        for (const Task* task : tasks) waitingBytes_ -= task->bytes;
        waiting_.erase(waiting_.begin(), waiting_.begin() + std::ssize(tasks));
        changed_.notify_all();
    }
    lock.unlock();
    // Replies that were broken off.
    while (!growing_.empty()) {
        Task last{Task::Kind::kFinish};
        last.batch.message = growing_.begin()->first;
        const Task* const only = &last;
        if (const auto done = run(std::span(&only, 1)); !done) report(done.error());
        growing_.erase(last.batch.message);
    }
}

// What cannot be written costs itself alone, not what came in the same second. A database that another program keeps is waited for only once.
void ProbeLibrary::runOrReport(std::span<const Task* const> tasks) {
    const auto done = run(tasks);
    if (done) return;
    for (const Task* task : tasks) recount(*task);
    if (tasks.size() == 1 || done.error().code == ErrorCode::kBusy) return report(done.error());
    const size_t half = tasks.size() / 2;
    runOrReport(tasks.first(half));
    runOrReport(tasks.subspan(half));
}

// All or none: tokens of any replies, or another task alone.
Result<> ProbeLibrary::run(std::span<const Task* const> tasks) try {
    PAL_ASSIGN(sqlite::Transaction transaction, sqlite::Transaction::begin(writing_));
    for (auto rest = tasks; !rest.empty();) {
        const Task& first = *rest.front();
        const auto other = std::ranges::find_if(rest, [&](const Task* task) {
            return task->kind != first.kind || task->batch.message != first.batch.message;
        });
        const auto alike = rest.first(first.kind == Task::Kind::kAdd ? static_cast<size_t>(other - rest.begin()) : 1);
        PAL_TRY(first.kind == Task::Kind::kAdd ? write(alike) : run(first));
        PAL_TRY(makeRoom(first.batch.message));
        rest = rest.subspan(alike.size());
    }
    PAL_TRY(transaction.commit());
    const Task& last = *tasks.back();
    if (last.kind != Task::Kind::kFinish) return {};
    const std::lock_guard lock(seriesMutex_);
    growing_.erase(last.batch.message);
    return {};
} catch (const std::bad_alloc&) {
    return fail(ErrorCode::kOutOfMemory, "no memory to store what was looked at");
}

Result<> ProbeLibrary::run(const Task& task) {
    if (task.kind == Task::Kind::kFinish) return endReply(task.batch.message);
    if (task.kind == Task::Kind::kKeepOnly) return dropOthers(task.sessions);
    return {};
}

// After a task was rolled back: what was counted meanwhile is not so, and bins that were handed out are not written. They are built from
// the records when the reply is finished.
void ProbeLibrary::recount(const Task& failed) {
    if (const auto sum = writing_.integer("SELECT coalesce(sum(bytes), 0) FROM reply"))
        bytes_ = static_cast<uint64_t>(*sum);
    const std::lock_guard lock(seriesMutex_);
    growing_.erase(failed.batch.message);
}

Result<> ProbeLibrary::endReply(int64_t message) {
    if (options_.series == nullptr) return {};
    PAL_ASSIGN(const int64_t known, writing_.integer("SELECT count(*) FROM growing WHERE message = ?", message));
    if (known == 0) return {};
    std::vector<SeriesBuilder::Row> rows;
    bool whole = false;
    {
        const std::lock_guard lock(seriesMutex_);
        if (const auto at = growing_.find(message); at != growing_.end()) {
            rows = at->second.take(SeriesBuilder::Which::kAll);
            whole = true;
        }
    }
    uint64_t bytes = 0;
    PAL_TRY(whole ? writeRows(message, rows, bytes) : rebuild(message, bytes));
    bytes_ += bytes;
    PAL_TRY(writing_.run("UPDATE reply SET bytes = bytes + ? WHERE message = ?", static_cast<int64_t>(bytes), message));
    return writing_.run("DELETE FROM growing WHERE message = ?", message);
}

// All bins of a reply from its records, in place of those that were stored. Damaged records are left out.
Result<> ProbeLibrary::rebuild(int64_t message, uint64_t& bytes) {
    PAL_ASSIGN(const int64_t old,
               writing_.integer("SELECT coalesce(sum(length(bytes)), 0) FROM series WHERE message = ?", message));
    PAL_TRY(writing_.run("DELETE FROM series WHERE message = ?", message));
    PAL_TRY(writing_.run("UPDATE reply SET bytes = bytes - ? WHERE message = ?", old, message));
    bytes_ -= std::min(bytes_, static_cast<uint64_t>(old));
    PAL_ASSIGN(auto records, writing_.prepare("SELECT bytes FROM record WHERE message = ? ORDER BY position"));
    PAL_TRY(records.start(message));
    SeriesBuilder series;
    while (true) {
        PAL_ASSIGN(const bool found, records.step());
        if (!found) break;
        const auto probe = decodeProbe(records.blob(0));
        if (probe) series.add(probe->position, options_.series(*probe));
        PAL_TRY(writeRows(message, series.take(SeriesBuilder::Which::kPassed), bytes));
    }
    return writeRows(message, series.take(SeriesBuilder::Which::kAll), bytes);
}

Result<> ProbeLibrary::dropOthers(const std::vector<int64_t>& sessions) {
    std::vector<int64_t> gone;
    PAL_ASSIGN(auto query, writing_.prepare("SELECT message, session FROM reply"));
    PAL_TRY(query.start());
    while (true) {
        PAL_ASSIGN(const bool found, query.step());
        if (!found) break;
        if (std::count(sessions.begin(), sessions.end(), query.integer(1)) == 0) gone.push_back(query.integer(0));
    }
    for (const int64_t message : gone) PAL_TRY(drop(message));
    return {};
}

// Tokens of one reply, which come one by one: what is the same for all of them is done once.
Result<> ProbeLibrary::write(std::span<const Task* const> tasks) {
    std::vector<const TokenProbe*> tokens;
    for (const Task* task : tasks)
        for (const auto& token : task->batch.tokens) tokens.push_back(token.get());
    if (tokens.empty()) return {};
    const ProbeBatch& batch = tasks.front()->batch;
    // Before its records, which refer to it.
    PAL_TRY(writing_.run("INSERT INTO reply VALUES (?, ?, ?, ?, ?, 0) ON CONFLICT (message) DO NOTHING", batch.message,
                         batch.session, batch.model, ++lastUse_, bytesOf(batch.regionEnds)));
    const bool isNew = writing_.changes() > 0;
    PAL_TRY(writing_.run("INSERT OR IGNORE INTO growing VALUES (?)", batch.message));
    uint64_t bytes = 0;
    PAL_ASSIGN(auto insert,
               writing_.prepare("INSERT OR REPLACE INTO record (message, position, bytes) VALUES (?, ?, ?)"));
    for (const TokenProbe* token : tokens) {
        const std::vector<std::byte> record = encodeProbe(*token);
        PAL_TRY(insert.run(batch.message, token->position, std::span<const std::byte>(record)));
        bytes += record.size();
    }
    std::vector<SeriesBuilder::Row> rows;
    if (options_.series != nullptr) {
        const std::lock_guard lock(seriesMutex_);
        if (isNew) growing_[batch.message] = {};
        // Where earlier tokens are missing, half the bins would take the place of whole ones.
        if (const auto at = growing_.find(batch.message); at != growing_.end()) {
            for (const TokenProbe* token : tokens) at->second.add(token->position, options_.series(*token));
            rows = at->second.take(SeriesBuilder::Which::kPassed);
        }
    }
    PAL_TRY(writeRows(batch.message, rows, bytes));
    return count(batch, bytes);
}

Result<> ProbeLibrary::writeRows(int64_t message, const std::vector<SeriesBuilder::Row>& rows, uint64_t& bytes) {
    PAL_ASSIGN(auto insert, writing_.prepare("INSERT OR REPLACE INTO series SELECT ?, ?, ?, ?, ?, ? "
                                             "WHERE EXISTS (SELECT 1 FROM reply WHERE message = ?1)"));
    for (const SeriesBuilder::Row& row : rows) {
        PAL_TRY(insert.run(message, row.key.number, row.key.layer, static_cast<int64_t>(row.level), row.first,
                           std::span<const std::byte>(row.bytes)));
        bytes += row.bytes.size();
    }
    return {};
}

Result<> ProbeLibrary::count(const ProbeBatch& batch, uint64_t bytes) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    lastUse_ = std::max(lastUse_ + 1, int64_t{std::chrono::duration_cast<std::chrono::microseconds>(now).count()});
    bytes_ += bytes;
    return writing_.run("UPDATE reply SET bytes = bytes + ?, used = ? WHERE message = ?", static_cast<int64_t>(bytes),
                        lastUse_, batch.message);
}

Result<> ProbeLibrary::drop(int64_t message) {
    PAL_ASSIGN(const int64_t bytes, writing_.integer("SELECT bytes FROM reply WHERE message = ?", message));
    PAL_TRY(writing_.run("DELETE FROM reply WHERE message = ?", message));
    bytes_ -= std::min(bytes_, static_cast<uint64_t>(bytes));
    const std::lock_guard lock(seriesMutex_);
    growing_.erase(message);
    return {};
}

// Inside a transaction, or alone.
Result<> ProbeLibrary::makeRoom(int64_t current) {
    bool dropped = false;
    while (bytes_ > budget_) {
        PAL_ASSIGN(auto oldest, writing_.prepare("SELECT message FROM reply ORDER BY used LIMIT 1"));
        PAL_TRY(oldest.start());
        PAL_ASSIGN(const bool found, oldest.step());
        if (!found) break;
        const int64_t message = oldest.integer(0);
        oldest.reset();
        if (message == current) {
            report({ErrorCode::kOutOfMemory, fmt::format("looking at one reply took {} bytes, {} may be kept: its "
                                                         "records are dropped",
                                                         bytes_, budget_.load())});
        }
        PAL_TRY(drop(message));
        dropped = true;
    }
    if (dropped) PAL_TRY(writing_.execute("PRAGMA incremental_vacuum"));
    return {};
}

Result<std::vector<StoredReply>> ProbeLibrary::replies(int64_t session) {
    std::map<int64_t, StoredReply> out;
    {  // first: what leaves the queue meanwhile is found in the file
        const std::lock_guard lock(queueMutex_);
        for (const Task& task : waiting_) {
            const ProbeBatch& batch = task.batch;
            if (task.kind != Task::Kind::kAdd || batch.session != session || batch.tokens.empty()) continue;
            const int64_t begin = batch.tokens.front()->position, end = batch.tokens.back()->position + 1;
            const auto [at, isNew] = out.try_emplace(
                batch.message, StoredReply{session, batch.message, batch.model, batch.regionEnds, begin, end, 0});
            if (!isNew) at->second.end = std::max(at->second.end, end);
        }
    }
    PAL_ASSIGN(const Lent reader, takeReader());
    PAL_ASSIGN(auto query,
               reader->database.prepare("SELECT message, model, region_ends, bytes,"
                                        " (SELECT min(position) FROM record WHERE record.message = reply.message),"
                                        " (SELECT max(position) FROM record WHERE record.message = reply.message)"
                                        " FROM reply WHERE session = ? ORDER BY message"));
    PAL_TRY(query.start(session));
    while (true) {
        PAL_ASSIGN(const bool found, query.step());
        if (!found) break;
        const StoredReply stored{session,
                                 query.integer(0),
                                 std::string(query.text(1)),
                                 integersOf(query.blob(2)),
                                 query.integer(4),
                                 query.integer(5) + 1,
                                 static_cast<uint64_t>(query.integer(3))};
        const auto [at, isNew] = out.try_emplace(stored.message, stored);
        if (isNew) continue;
        at->second.begin = std::min(at->second.begin, stored.begin);
        at->second.end = std::max(at->second.end, stored.end);
        at->second.bytes = stored.bytes;
    }
    std::vector<StoredReply> sorted;
    for (auto& [message, reply] : out) sorted.push_back(std::move(reply));
    return sorted;
}

std::vector<std::shared_ptr<const TokenProbe>> ProbeLibrary::waitingTokens(int64_t message, int64_t begin,
                                                                           int64_t end) {
    std::vector<std::shared_ptr<const TokenProbe>> out;
    const std::lock_guard lock(queueMutex_);
    for (const Task& task : waiting_) {
        if (task.kind != Task::Kind::kAdd || task.batch.message != message) continue;
        for (const auto& token : task.batch.tokens)
            if (token->position >= begin && token->position < end) out.push_back(token);
    }
    return out;
}

Result<> ProbeLibrary::startRecords(Reader& reader, int64_t message, int64_t begin, int64_t end) {
    if (!reader.records) {
        PAL_ASSIGN(reader.records,
                   reader.database.prepare("SELECT bytes FROM record WHERE message = ? AND position >= ? AND "
                                           "position < ? ORDER BY position"));
    }
    return reader.records->start(message, begin, end);
}

Result<std::vector<TokenProbe>> ProbeLibrary::read(int64_t message, int64_t begin, int64_t end) {
    const auto waiting = waitingTokens(message, begin, end);  // first: what is written meanwhile is found in the file
    std::vector<TokenProbe> stored;
    PAL_ASSIGN(const Lent reader, takeReader());
    PAL_TRY(startRecords(*reader, message, begin, end));
    while (true) {
        PAL_ASSIGN(const bool found, reader->records->step());
        if (!found) break;
        auto probe = decodeProbe(reader->records->blob(0));
        if (probe) {
            stored.push_back(std::move(*probe));
        } else {
            report(probe.error());
        }
    }
    if (waiting.empty()) return stored;
    std::map<int64_t, TokenProbe> all;
    for (const auto& token : waiting) all[token->position] = *token;
    for (TokenProbe& probe : stored) all.try_emplace(probe.position, std::move(probe));
    std::vector<TokenProbe> sorted;
    for (auto& [position, probe] : all) sorted.push_back(std::move(probe));
    return sorted;
}

Result<> ProbeLibrary::visitLayer(int64_t message, int64_t begin, int64_t end, int64_t layer,
                                  const std::function<void(const TokenProbe&)>& visit) {
    const auto waiting = waitingTokens(message, begin, end);  // as above
    PAL_ASSIGN(const Lent reader, takeReader());
    PAL_TRY(startRecords(*reader, message, begin, end));
    ProbeLayerDecoder decoder(layer);
    while (true) {
        PAL_ASSIGN(const bool found, reader->records->step());
        if (!found) break;
        if (const auto probe = decoder.decode(reader->records->blob(0))) {
            visit(**probe);
        } else {
            report(probe.error());
        }
    }
    for (const auto& token : waiting) visit(*token);
    return {};
}

Result<std::vector<ProbeBin>> ProbeLibrary::bins(int64_t message, const SeriesKey& key, int64_t begin, int64_t end,
                                                 int64_t width) {
    {
        std::unique_lock lock(queueMutex_);
        ++hurried_;
        changed_.notify_all();
        changed_.wait(lock, [&] {
            return std::none_of(waiting_.begin(), waiting_.end(),
                                [&](const Task& task) { return task.batch.message == message; });
        });
        --hurried_;
    }
    const size_t level = seriesLevel(width);
    const int64_t stored = kSeriesWidths[level];
    std::map<int64_t, ProbeBin> bins;  // by where they begin; what grows is newer than what is stored
    {
        PAL_ASSIGN(const Lent reader, takeReader());
        auto& rows = reader->bins;
        if (!rows) {
            PAL_ASSIGN(rows, reader->database.prepare(
                                 "SELECT first, bytes FROM series WHERE message = ? AND number = ? AND layer = ? AND "
                                 "level = ? AND first < ? AND first > ? ORDER BY first"));
        }
        PAL_TRY(rows->start(message, key.number, key.layer, static_cast<int64_t>(level), end / stored + 1,
                            begin / stored - kSeriesRowBins));
        while (true) {
            PAL_ASSIGN(const bool found, rows->step());
            if (!found) break;
            for (const ProbeBin& bin : binsOf(rows->blob(1), level, rows->integer(0))) bins[bin.begin] = bin;
        }
    }
    {
        const std::lock_guard lock(seriesMutex_);
        if (const auto at = growing_.find(message); at != growing_.end()) {
            for (const ProbeBin& bin : at->second.open(key, level)) bins[bin.begin] = bin;
        }
    }
    std::vector<ProbeBin> sorted;
    sorted.reserve(bins.size());
    for (const auto& [at, bin] : bins)
        if (bin.end > begin && bin.begin < end) sorted.push_back(bin);
    return joinBins(sorted, width);
}

void ProbeLibrary::report(const Error& error) {
    const std::lock_guard lock(problemMutex_);
    if (!problems_.empty() && problems_.back().message == error.message) return;  // a full disk refuses all alike
    if (problems_.size() < kMostProblems) problems_.push_back(error);
}

std::optional<Error> ProbeLibrary::takeProblem() {
    const std::lock_guard lock(problemMutex_);
    if (problems_.empty()) return std::nullopt;
    Error first = std::move(problems_.front());
    problems_.pop_front();
    return first;
}

}  // namespace pal
