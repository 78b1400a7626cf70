// SPDX-License-Identifier: Apache-2.0
#include "storage/states/state_library.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "engine/base/descriptor.h"
#include "storage/states/part_file.h"
#include "storage/states/state_folder.h"

namespace pal {
namespace {

// Written before they are settled and the catalogue hears of them.
constexpr uint64_t kBatchBytes = 64 << 20;
constexpr size_t kBatchParts = 64;  // each is an open file

bool same(const StateId& a, const StateId& b) {
    return a.family == b.family && a.prefix == b.prefix && a.part == b.part;
}

uint64_t fileBytes(const StateWrite& part) {
    return kPartTailBytes + part.bytes.size();
}

std::optional<StateId> parentOf(const StateWrite& part) {
    if (!part.pages) return std::nullopt;
    return StateId{part.id.family, *part.pages, 0, StatePart::kPages};
}

// What is read lies in memory; there may be none, on whatever thread that is.
Result<> readWithin(const std::filesystem::path& file, const StateId& id, ByteBuffer& bytes) {
    try {
        return readPart(file, id, bytes);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::kOutOfMemory, "{}: no memory to read it", file.string());
    }
}

}  // namespace

// Parts whose files are written before the catalogue hears of them together.
struct StateLibrary::Batch {
    struct Begun {
        const StateWrite* part;
        FileWriter file;
    };
    std::vector<Begun> begun;                // all bytes are written
    std::vector<const StateWrite*> written;  // of them, those that are on the disk under their names
    std::vector<int64_t> parents;            // rows in the catalogue that they continue

    [[nodiscard]] bool holds(const StateId& id) const {
        return std::any_of(begun.begin(), begun.end(), [&](const Begun& one) { return same(one.part->id, id); });
    }
};

StateLibrary::StateLibrary(const StateLibraryOptions& options, StateFolder folder)
    : options_(options), folder_(std::move(folder)), catalogue_(folder_.catalogue()), budget_(options.budgetBytes) {}

Result<std::unique_ptr<StateLibrary>> StateLibrary::open(const StateLibraryOptions& options) {
    PAL_ASSIGN(StateFolder folder, StateFolder::open(options.folder, options.vfs));
    std::unique_ptr<StateLibrary> library(new StateLibrary(options, std::move(folder)));
    if (library->folder_.problem()) library->report(*library->folder_.problem());
    PAL_ASSIGN(library->bytes_, library->catalogue_.totalBytes());
    PAL_ASSIGN(library->lastUse_, library->catalogue_.newestUse());
    PAL_TRY(library->makeRoom(0, {}));  // the budget may be smaller than last time
    library->thread_ = std::thread([raw = library.get()] { raw->work(); });
    return library;
}

StateLibrary::~StateLibrary() {
    {
        const std::lock_guard lock(queueMutex_);
        closing_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

std::filesystem::path StateLibrary::fileOf(const StateId& id) const {
    return folder_.parts() / partFileName(id);
}

std::vector<int64_t> StateLibrary::checkpointPositions(const Hash128& family, int64_t upTo) {
    flush();
    const std::lock_guard lock(catalogueMutex_);
    auto found = catalogue_.positions(family, upTo);
    if (found.has_value()) return std::move(*found);
    report(found.error());
    return {};
}

bool StateLibrary::read(const StateId& id, ByteBuffer& bytes) {
    {
        const std::lock_guard lock(catalogueMutex_);
        const auto found = catalogue_.find(id);
        if (!found.has_value()) report(found.error());
        if (!found.has_value() || !*found) return false;
        if (id.part == StatePart::kCheckpoint) {
            if (const auto touched = catalogue_.touch((*found)->row, now()); !touched.has_value())
                report(touched.error());
            continued_ = id;
        }
    }
    const auto done = readWithin(fileOf(id), id, bytes);
    if (done.has_value()) return true;
    report({isAway() ? ErrorCode::kIo : done.error().code, done.error().message});
    if (!mayWorkLater(done.error())) dropChain(id);
    return false;
}

bool StateLibrary::isAway() const {
    std::error_code ignored;
    return !std::filesystem::exists(folder_.parts(), ignored);
}

// Without its file an entry is useless; a disk that fails to answer or is away now may be there later, and so may memory.
bool StateLibrary::mayWorkLater(const Error& error) const {
    return error.code == ErrorCode::kIo || error.code == ErrorCode::kOutOfMemory || isAway();
}

bool StateLibrary::contains(const StateId& id) {
    {
        const std::lock_guard lock(queueMutex_);
        const auto named = [&](const StateId& other) { return same(other, id); };
        if (std::any_of(writing_.begin(), writing_.end(), named)) return true;
        if (std::any_of(waiting_.begin(), waiting_.end(), [&](const StateWrite& part) { return named(part.id); }))
            return true;
    }
    const std::lock_guard lock(catalogueMutex_);
    const auto found = catalogue_.find(id);
    return found.has_value() && found->has_value();
}

uint64_t StateLibrary::bytesToRead(const StateId& checkpoint) {
    const std::lock_guard lock(catalogueMutex_);
    const auto found = catalogue_.find(checkpoint);
    if (!found.has_value() || !*found) return 0;
    return catalogue_.chainBytes((*found)->row).value_or(0);
}

void StateLibrary::write(StateWrite part) {
    {
        std::unique_lock lock(queueMutex_);
        changed_.wait(lock,
                      [&] { return waitingBytes_ == 0 || waitingBytes_ + part.bytes.size() <= options_.waitingBytes; });
        waitingBytes_ += part.bytes.size();
        ++handedOver_;
        waiting_.push_back(std::move(part));
    }
    changed_.notify_all();
}

void StateLibrary::flush() {
    std::unique_lock lock(queueMutex_);
    changed_.wait(lock, [&, before = handedOver_] { return finished_ >= before; });
}

std::optional<Error> StateLibrary::takeProblem() {
    const std::lock_guard lock(problemMutex_);
    if (problems_.empty()) return std::nullopt;
    Error error = std::move(problems_.front());
    problems_.pop_front();
    return error;
}

void StateLibrary::report(const Error& error) {
    const std::lock_guard lock(problemMutex_);
    if (reported_.insert(error.code).second) problems_.push_back(error);
}

Result<std::vector<std::filesystem::path>> StateLibrary::filesOf(const StateId& checkpoint) {
    const std::lock_guard lock(catalogueMutex_);
    PAL_ASSIGN(const auto found, catalogue_.find(checkpoint));
    std::vector<std::filesystem::path> out;
    if (!found) return out;
    PAL_ASSIGN(const std::vector<Catalogue::Part> chain, catalogue_.chainTo(found->row));
    for (const Catalogue::Part& part : chain) out.push_back(fileOf(part.id));
    return out;
}

Result<> StateLibrary::setBudget(uint64_t bytes) {
    flush();  // a part can only be dropped when it is there
    const std::lock_guard lock(catalogueMutex_);
    budget_ = bytes;
    return makeRoom(0, {});
}

StateLibrary::Usage StateLibrary::usage() {
    const std::lock_guard lock(catalogueMutex_);
    Usage out{bytes_, budget_, 0, 0};
    out.parts = catalogue_.database().integer("SELECT count(*) FROM part").value_or(0);
    out.checkpoints = catalogue_.database().integer("SELECT count(*) FROM part WHERE kind=1").value_or(0);
    return out;
}

StateLibrary::Verified StateLibrary::verify() {
    flush();
    Verified out;
    std::vector<Catalogue::Part> parts;
    {
        const std::lock_guard lock(catalogueMutex_);
        if (const auto sound = catalogue_.quickCheck(); !sound.has_value())
            out.damaged.push_back(sound.error().message);
        auto all = catalogue_.all();
        if (!all.has_value()) out.damaged.push_back(all.error().message);
        if (all.has_value()) parts = std::move(*all);
    }
    ByteBuffer bytes;
    for (const Catalogue::Part& part : parts) {
        const auto done = readWithin(fileOf(part.id), part.id, bytes);
        if (!done.has_value() && !contains(part.id)) continue;  // dropped meanwhile, with what was damaged or for room
        ++out.parts;
        out.bytes += part.bytes;
        if (done.has_value()) continue;
        out.damaged.push_back(done.error().message);
        if (!mayWorkLater(done.error())) dropChain(part.id);
    }
    return out;
}

void StateLibrary::work() {
    while (true) {
        const std::vector<StateWrite> parts = takeParts();
        if (parts.empty()) return;
        try {
            writeParts(parts);
        } catch (const std::bad_alloc&) {
            report({ErrorCode::kOutOfMemory, "no memory to store states"});
            const std::lock_guard lock(catalogueMutex_);
            folder_.distrustCatalogue();  // it may not know of files that were written
        }
        {
            const std::lock_guard lock(queueMutex_);
            finished_ += writing_.size();
            writing_.clear();
            waitingBytes_ = 0;
            for (const StateWrite& part : waiting_) waitingBytes_ += part.bytes.size();
        }
        changed_.notify_all();
    }
}

// Waits for parts; none once the library closes and all are written.
std::vector<StateWrite> StateLibrary::takeParts() {
    std::unique_lock lock(queueMutex_);
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    std::vector<StateWrite> batch;
    uint64_t bytes = 0;
    const auto fits = [&](const StateWrite& next) {
        if (batch.empty()) return true;
        // One that is there twice, a checkpoint without and with logits, would share its file.
        const bool twice =
            std::any_of(batch.begin(), batch.end(), [&](const StateWrite& part) { return same(part.id, next.id); });
        return !twice && batch.size() < kBatchParts && bytes + next.bytes.size() <= kBatchBytes;
    };
    while (!waiting_.empty() && fits(waiting_.front())) {
        bytes += waiting_.front().bytes.size();
        writing_.push_back(waiting_.front().id);
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    return batch;
}

// Files first, then the catalogue in one transaction: what the catalogue knows is there. Bytes of all files before the disk is asked to settle the first:
// it then settles the others too.
void StateLibrary::writeParts(const std::vector<StateWrite>& parts) {
    Batch batch;
    bool failed = false;
    for (const StateWrite& part : parts) {
        if (const auto done = writeFile(part, batch); !done.has_value()) {
            report(done.error());
            failed = true;
        }
    }
    if (const auto done = settle(batch); !done.has_value()) {
        report(done.error());
        failed = true;
    }
    if (batch.written.empty()) return;
    const auto synced = syncFolder(folder_.parts());
    const std::lock_guard lock(catalogueMutex_);
    if (const auto entered = synced.has_value() ? enter(batch) : synced; !entered.has_value()) {
        // The files stay, and count: a commit that failed may yet have happened.
        folder_.distrustCatalogue();
        report(entered.error());
        return;
    }
    if (failed) return;
    const std::lock_guard problemLock(problemMutex_);
    reported_.clear();
}

Result<> StateLibrary::writeFile(const StateWrite& part, Batch& batch) {
    if (part.id.part == StatePart::kPages && holds(part)) return {};
    {
        const std::lock_guard lock(catalogueMutex_);
        PAL_ASSIGN(const bool wanted, reserve(part, batch));
        if (!wanted) return {};
    }
    auto file = writePart(fileOf(part.id), {part.id, part.pages, part.bytes.size()}, part.bytes.span());
    if (file.has_value()) {
        batch.begun.push_back({&part, std::move(*file)});
        return {};
    }
    const std::lock_guard lock(catalogueMutex_);
    bytes_ -= fileBytes(part);
    return fail(file.error());
}

// The first error, of parts that are not there then.
Result<> StateLibrary::settle(Batch& batch) {
    Result<> out;
    for (Batch::Begun& one : batch.begun) {
        if (const auto done = one.file.commit(); done.has_value()) {
            batch.written.push_back(one.part);
            continue;
        } else if (out.has_value()) {
            out = fail(done.error());
        }
        const std::lock_guard lock(catalogueMutex_);
        bytes_ -= fileBytes(*one.part);
    }
    return out;
}

// The part is there and holds these very bytes. Someone had to compute it once more, so there may be a reason to look. One that is damaged, or
// was rounded otherwise (decoded there, part of a prompt here), goes with all that continues it: a state never mixes the two.
bool StateLibrary::holds(const StateWrite& part) {
    {
        const std::lock_guard lock(catalogueMutex_);
        const auto found = catalogue_.find(part.id);
        if (!found.has_value() || !*found) return false;
    }
    ByteBuffer bytes;
    const auto done = readPart(fileOf(part.id), part.id, bytes);
    if (done.has_value() && std::ranges::equal(bytes.span(), part.bytes.span())) return true;
    if (!isAway()) dropChain(part.id);
    return false;
}

// Makes room for a part; false when it is there already, or would be of no use since what it continues is not there.
Result<bool> StateLibrary::reserve(const StateWrite& part, Batch& batch) {
    if (part.id.part == StatePart::kPages && batch.holds(part.id)) return false;
    if (const auto parent = parentOf(part); parent && !batch.holds(*parent)) {
        PAL_ASSIGN(const auto found, catalogue_.find(*parent));
        if (!found) return false;
        batch.parents.push_back(found->row);
    }
    PAL_TRY(makeRoom(fileBytes(part), batch));
    bytes_ += fileBytes(part);
    return true;
}

// Drops the parts that were used longest ago, but neither what the batch continues nor the checkpoint that a session lives on.
Result<> StateLibrary::makeRoom(uint64_t bytes, const Batch& batch) {
    constexpr int64_t kAtOnce = 16;
    while (bytes_ + bytes > limit()) {
        PAL_ASSIGN(std::vector<Catalogue::Part> parts, catalogue_.leastUsed(kAtOnce));
        std::erase_if(parts, [&](const Catalogue::Part& part) {
            return std::count(batch.parents.begin(), batch.parents.end(), part.row) != 0 || batch.holds(part.id) ||
                   (bytes > 0 && continued_ && same(*continued_, part.id));
        });
        if (parts.empty()) {
            return fail(ErrorCode::kIo, "{}: no room for a state of {} bytes: {} of at most {} bytes are in use",
                        folder_.parts().string(), bytes, bytes_, limit());
        }
        size_t count = 0;
        for (uint64_t freed = 0; count < parts.size() && bytes_ + bytes > limit() + freed; ++count)
            freed += parts[count].bytes;
        parts.resize(count);
        PAL_TRY(remove(parts));
    }
    return {};
}

// What states may take: the budget, or what the disk has left.
uint64_t StateLibrary::limit() const {
    struct statvfs disk {};
    if (statvfs(folder_.parts().c_str(), &disk) != 0) return budget_;
    const uint64_t size = static_cast<uint64_t>(disk.f_blocks) * disk.f_frsize;
    const uint64_t free = static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize;
    const uint64_t spare = std::min(options_.spareBytes, size / 10);
    const uint64_t most = bytes_ + free;
    return std::min(budget_, most > spare ? most - spare : 0);
}

Result<> StateLibrary::enter(const Batch& batch) {
    std::vector<Catalogue::Part> replaced;
    std::vector<const StateWrite*> useless;
    uint64_t rewritten = 0;
    PAL_ASSIGN(auto transaction, sqlite::Transaction::begin(catalogue_.database()));
    for (const StateWrite* part : batch.written) {
        std::optional<int64_t> parent;
        if (const auto id = parentOf(*part)) {
            PAL_ASSIGN(const auto found, catalogue_.find(*id));
            if (!found) {  // damaged, and found so meanwhile
                useless.push_back(part);
                continue;
            }
            parent = found->row;
        }
        PAL_ASSIGN(const auto before, catalogue_.find(part->id));
        if (before) rewritten += before->bytes;
        PAL_TRY(catalogue_.add(part->id, parent, fileBytes(*part), now()));
        if (!part->replaces) continue;
        PAL_ASSIGN(const auto old, catalogue_.find({part->id.family, *part->replaces, 0, StatePart::kCheckpoint}));
        if (!old) continue;
        PAL_TRY(catalogue_.remove(old->row));
        replaced.push_back(*old);
    }
    PAL_TRY(transaction.commit());
    bytes_ -= rewritten;
    for (const Catalogue::Part& part : replaced) removeFile(part.id, part.bytes);
    for (const StateWrite* part : useless) removeFile(part->id, fileBytes(*part));
    if (batch.written.back()->id.part == StatePart::kCheckpoint) continued_ = batch.written.back()->id;
    return {};
}

// From the catalogue first: a file that it does not know costs nothing but its room until the next start.
Result<> StateLibrary::remove(const std::vector<Catalogue::Part>& parts) {
    auto removed = [&]() -> Result<> {
        PAL_ASSIGN(auto transaction, sqlite::Transaction::begin(catalogue_.database()));
        for (const Catalogue::Part& part : parts) PAL_TRY(catalogue_.remove(part.row));
        return transaction.commit();
    }();
    if (!removed.has_value()) {
        folder_.distrustCatalogue();
        return removed;
    }
    for (const Catalogue::Part& part : parts) removeFile(part.id, part.bytes);
    return {};
}

// Of a part that the catalogue does not know any more. A file that stays counts on, and the next program takes it in.
void StateLibrary::removeFile(const StateId& id, uint64_t bytes) {
    std::error_code error;
    std::filesystem::remove(fileOf(id), error);
    if (error) {
        folder_.distrustCatalogue();
    } else {
        bytes_ -= std::min(bytes_, bytes);
    }
}

// What continues a part is of no use without it.
void StateLibrary::dropChain(const StateId& id) {
    const std::lock_guard lock(catalogueMutex_);
    const auto dropped = [&]() -> Result<> {
        PAL_ASSIGN(const auto found, catalogue_.find(id));
        if (!found) return {};
        PAL_ASSIGN(const auto chain, catalogue_.chainFrom(found->row));
        return remove(chain);
    }();
    if (!dropped.has_value()) report(dropped.error());
}

int64_t StateLibrary::now() {
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    lastUse_ = std::max<int64_t>(lastUse_ + 1, std::chrono::duration_cast<std::chrono::microseconds>(time).count());
    return lastUse_;
}

}  // namespace pal
