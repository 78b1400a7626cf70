// SPDX-License-Identifier: Apache-2.0
// What keeping states costs, beside a plain file of as many bytes on the same disk in the same run. Reads are cold: the system's copy of the
// file is dropped first, as it is when a session is opened the next day.
//   state_bench FOLDER [checkpoint|latents|resume|growth ...]     all when none is named; FOLDER on the disk to measure; needs about 8 GB
//   there and 4 GB of memory
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/base/byte_hash.h"
#include "engine/base/file_writer.h"
#include "engine/exec/parts_ahead.h"
#include "engine/exec/state_archive.h"
#include "storage/states/state_library.h"
#include "tests/bench/kimi_linear_layout.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kCheckpointBytes = 449'000'000;  // Kimi K3: 69 KDA layers of 96 heads, tails in bf16
constexpr uint64_t kGroupBytes = 7'077'888;         // 256 tokens of its 24 layers of latents
constexpr int64_t kGroups = 290;                    // 2 GB
constexpr int kRounds = 4;                          // of both in turn; the best of each counts
constexpr int kPairs = 9;                           // of opening and plain reading; medians count
constexpr size_t kPlainBlock = 8 << 20;

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Processor seconds of all threads, and what of them the system took.
std::pair<double, double> processorSeconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return {of(usage.ru_utime) + of(usage.ru_stime), of(usage.ru_stime)};
}

void require(bool ok, const char* what) {
    if (ok) return;
    std::fprintf(stderr, "state_bench: %s failed\n", what);
    std::exit(1);
}

pal::ByteBuffer randomBytes(size_t size, uint64_t salt) {
    pal::ByteBuffer out(size);
    for (size_t i = 0; i + 8 <= size; i += 8) {
        const uint64_t word = pal::splitmix64(salt + i);
        std::memcpy(out.data() + i, &word, sizeof word);
    }
    return out;
}

// Whether memory that was freed is handed out again or goes back to the system, which gives new pages each time. A virtual machine gets pages that it
// has never used, or has given back, from its host one by one, far slower than any disk.
enum class Memory { kKept, kNew };
void setMemory(Memory memory) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_MMAP_MAX, memory == Memory::kKept ? 0 : 1 << 16);
    mallopt(M_TRIM_THRESHOLD, memory == Memory::kKept ? -1 : 1 << 20);
    malloc_trim(0);
}

void useMemory(size_t bytes) {
    pal::ByteBuffer memory(bytes);
    std::memset(memory.data(), 1, bytes);
    volatile std::byte keep = memory.data()[bytes / 2];
    static_cast<void>(keep);
}

void forget(const fs::path& path) {
    std::vector<fs::path> files{path};
    if (fs::is_directory(path)) files.assign(fs::directory_iterator(path), {});
    for (const fs::path& file : files) {
        const int fd = open(file.c_str(), O_RDONLY);
        fdatasync(fd);
        posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
        close(fd);
    }
}

double writePlain(const fs::path& path, size_t size, int64_t count) {
    const pal::ByteBuffer block = randomBytes(size, 1);
    return seconds([&] {
        auto writer = pal::FileWriter::create(path).value();
        for (int64_t i = 0; i < count; ++i) require(writer.write(block.span()).has_value(), "plain write");
        require(writer.commit().has_value(), "plain sync");
    });
}

// Front to back, `size` bytes at a time, the next `step` bytes behind the last.
void readFile(const fs::path& path, std::byte* into, size_t size, size_t step) {
    const int fd = open(path.c_str(), O_RDONLY);
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    for (uint64_t left = fs::file_size(path); left > 0; into += step) {
        const ssize_t got = ::read(fd, into, std::min<uint64_t>(size, left));
        require(got > 0 && (step == 0 || got == static_cast<ssize_t>(std::min<uint64_t>(size, left))), "plain read");
        left -= static_cast<uint64_t>(got);
    }
    close(fd);
}

// Into one block of `size` bytes, which has been used before.
double readPlain(const fs::path& path, size_t size) {
    pal::ByteBuffer into(size);
    std::memset(into.data(), 0, size);
    return seconds([&] { readFile(path, into.data(), size, 0); });
}

// Into memory for all of it, as who needs the bytes reads them.
double readPlainWhole(const fs::path& path) {
    return seconds([&] {
        pal::ByteBuffer into(fs::file_size(path));
        readFile(path, into.data(), kPlainBlock, kPlainBlock);
    });
}

// A file of `count` blocks of `size` bytes: seconds to write with one sync at the end, and to read.
std::pair<double, double> plainFile(const fs::path& path, size_t size, int64_t count) {
    const double write = writePlain(path, size, count);
    forget(path);
    const double read = readPlain(path, size);
    fs::remove(path);
    return {write, read};
}

std::unique_ptr<pal::StateLibrary> openLibrary(const fs::path& folder) {
    pal::StateLibraryOptions options;
    options.folder = folder;
    options.budgetBytes = 64ULL << 30;
    return std::move(pal::StateLibrary::open(options).value());
}

// The same through the library: parts of `size` bytes, each continuing the one before.
std::pair<double, double> libraryParts(const fs::path& folder, size_t size, int64_t count, pal::StatePart kind) {
    fs::remove_all(folder);
    const auto library = openLibrary(folder);
    const auto id = [&](int64_t i) { return pal::StateId{{1, 1}, {7, static_cast<uint64_t>(i)}, i + 1, kind}; };
    const pal::ByteBuffer block = randomBytes(size, 1);
    const double write = seconds([&] {
        for (int64_t i = 0; i < count; ++i) {
            pal::StateWrite part;
            part.id = id(i);
            if (i > 0) part.pages = id(i - 1).prefix;
            part.bytes = pal::ByteBuffer(size);
            std::memcpy(part.bytes.data(), block.span().data(), size);  // the engine's snapshot
            library->write(std::move(part));
        }
        library->flush();
    });
    require(!library->takeProblem(), "library write");
    forget(folder / "parts");
    if (kind == pal::StatePart::kCheckpoint) {
        pal::ByteBuffer into(size);
        std::memset(into.data(), 0, size);
        return {write, seconds([&] {
                    for (int64_t i = 0; i < count; ++i) require(library->read(id(i), into), "library read");
                })};
    }
    std::vector<pal::StateId> parts;
    for (int64_t i = 0; i < count; ++i) parts.push_back(id(i));
    const double read = seconds([&] {
        pal::PartsAhead ahead(*library, std::move(parts));  // as the engine does
        for (int64_t i = 0; i < count; ++i) require(ahead.next() != nullptr, "library read");
    });
    return {write, read};
}

Json compare(const fs::path& folder, size_t size, int64_t count, pal::StatePart kind) {
    std::vector<std::pair<double, double>> plain;
    std::vector<std::pair<double, double>> library;
    for (int round = 0; round < kRounds; ++round) {
        plain.push_back(plainFile(folder / "plain", size, count));
        library.push_back(libraryParts(folder / "library", size, count, kind));
    }
    fs::remove_all(folder / "library");
    const double megabytes = static_cast<double>(size) * static_cast<double>(count) / 1e6;
    const auto best = [&](const auto& runs, auto member) {
        double least = 1e9;
        for (const auto& run : runs) least = std::min(least, run.*member);
        return megabytes / least;
    };
    using Run = std::pair<double, double>;
    Json out{{"megabytes", megabytes},
             {"plain_write", best(plain, &Run::first)},
             {"library_write", best(library, &Run::first)},
             {"plain_read", best(plain, &Run::second)},
             {"library_read", best(library, &Run::second)}};
    out["write_share"] = out["library_write"].get<double>() / out["plain_write"].get<double>();
    out["read_share"] = out["library_read"].get<double>() / out["plain_read"].get<double>();
    return out;
}

std::vector<uint64_t> path(int64_t tokens) {
    std::vector<uint64_t> out;
    for (int64_t i = 0; i < tokens; ++i) out.push_back(pal::splitmix64(static_cast<uint64_t>(i)) % 160000);
    return out;
}

void fill(pal::SequenceState& state, int64_t tokens) {
    const pal::StateLayout& layout = state.layout();
    require(state.reserve(tokens).has_value(), "memory for the state");
    const pal::ByteBuffer noise = randomBytes(layout.layerPageBytes(), 5);
    for (int64_t layer = 0; layer < layout.mlaLayers; ++layer) {
        for (void* page : state.latents(layer).pages) std::memcpy(page, noise.span().data(), noise.size());
    }
    state.advance(tokens);
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Seconds of opening and of reading plainly, in turns, each cold after the other; medians, and the ratios of all pairs.
Json inTurns(const fs::path& folder, const std::function<double()>& open, const std::function<double()>& readPlainly) {
    std::vector<double> opened, plain, ratios, processor, system;
    for (int pair = 0; pair < kPairs; ++pair) {
        forget(folder / "plain");
        forget(folder / "library" / "parts");
        plain.push_back(readPlainly());
        const auto before = processorSeconds();
        opened.push_back(open());
        const auto after = processorSeconds();
        processor.push_back(after.first - before.first);
        system.push_back(after.second - before.second);
        ratios.push_back(opened.back() / plain.back());
    }
    return {{"open_seconds", median(opened)},
            {"plain_read_seconds", median(plain)},
            {"ratio", median(ratios)},
            {"ratios", ratios},
            {"processor_seconds", median(processor)},
            {"of_them_system", median(system)}};
}

// Opening a stored session beside reading a plain file of as many bytes: in memory that the program has used before, where the plain file goes to one
// block; and in new memory, which is not page-locked, where the plain file goes to new memory too.
Json resume(const fs::path& folder, int64_t tokens) {
    const auto backend = pal::createCpuBackend({0, pal::CpuIsa::kBest}).backend;
    const pal::StateLayout layout = pal::bench::kimiLinearLayout(pal::DType::kF32);
    const std::vector<uint64_t> ids = path(tokens);
    const pal::StateFamilies families{{1, 2}, {}};
    fs::remove_all(folder / "library");
    const auto library = openLibrary(folder / "library");
    {
        auto state = pal::SequenceState::create(*backend, layout).value();
        fill(state, tokens);
        pal::StateArchive archive(*library, families, *backend, layout);
        archive.saveCheckpoint(state, ids, std::vector<float>(163840, 1.0F), pal::StateArchive::Keep::kLasting);
        library->flush();
    }
    const auto bytes = static_cast<double>(library->usage().bytes);
    const fs::path plainFile = folder / "plain";
    writePlain(plainFile, kPlainBlock, static_cast<int64_t>(bytes) / static_cast<int64_t>(kPlainBlock));
    const auto open = [&] {
        pal::StateArchive archive(*library, families, *backend, layout);
        std::optional<pal::StateArchive::Found> found;
        return seconds([&] {
            auto read = archive.find(ids, 1);
            require(read.has_value() && *read && (*read)->state.position() == tokens, "resume");
            found = std::move(**read);
        });
    };
    Json out{{"tokens", tokens}, {"gigabytes", bytes / 1e9}, {"pairs", kPairs}};
    setMemory(Memory::kKept);
    open();  // it finds its places
    out["memory_used_before"] = inTurns(folder, open, [&] { return readPlain(plainFile, kPlainBlock); });
    setMemory(Memory::kNew);
    out["new_memory"] = inTurns(folder, open, [&] { return readPlainWhole(plainFile); });
    fs::remove(plainFile);
    fs::remove_all(folder / "library");
    return out;
}

// A small model, so that a million tokens fit anywhere: 1 latent layer of 32 numbers.
Json growth(const fs::path& folder, int64_t tokens) {
    const auto backend = pal::createCpuBackend({1, pal::CpuIsa::kBest}).backend;
    pal::StateLayout layout = pal::bench::kimiLinearLayout(pal::DType::kF32);
    layout.kdaLayers = 1;
    layout.heads = 1;
    layout.mlaLayers = 1;
    layout.latentRank = 24;
    layout.latentRope = 8;
    const std::vector<uint64_t> ids = path(tokens);
    fs::remove_all(folder / "library");
    auto library = openLibrary(folder / "library");
    auto state = pal::SequenceState::create(*backend, layout).value();
    fill(state, tokens - 1);
    pal::StateArchive archive(*library, {{1, 2}, {}}, *backend, layout);
    const double all = seconds([&] {
        archive.savePages(state, ids);
        library->flush();
    });
    require(state.reserve(1).has_value(), "memory for the state");
    state.advance(1);
    const double one = seconds([&] {
        archive.saveCheckpoint(state, ids, std::vector<float>(16, 1.0F), pal::StateArchive::Keep::kLasting);
        library->flush();
    });
    const auto usage = library->usage();
    pal::StateArchive reader(*library, {{1, 2}, {}}, *backend, layout);
    const double look = seconds([&] { require(reader.longest(ids).checkpoint.tokens == tokens, "lookup"); });
    const double read = seconds([&] { require(reader.find(ids, 1).value().has_value(), "read"); });
    library.reset();
    const auto catalogue = fs::file_size(folder / "library" / "states.db");
    fs::remove_all(folder / "library");
    return {{"tokens", tokens},
            {"parts", usage.parts},
            {"bytes_per_token", static_cast<double>(usage.bytes) / static_cast<double>(tokens)},
            {"catalogue_bytes_per_part", static_cast<double>(catalogue) / static_cast<double>(usage.parts)},
            {"write_pages_seconds", all},
            {"write_checkpoint_seconds", one},
            {"look_up_seconds", look},
            {"read_seconds", read}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "state_bench FOLDER [checkpoint|latents|resume|growth ...]\n");
        return 2;
    }
    setMemory(Memory::kKept);  // as the engine's blocks, which are used again and again
    useMemory(2ULL << 30);
    const fs::path folder = fs::path(argv[1]) / "state_bench";
    fs::create_directories(folder);
    const std::vector<std::string> named(argv + 2, argv + argc);
    const auto wanted = [&](const char* name) {
        return named.empty() || std::count(named.begin(), named.end(), name) != 0;
    };
    Json out;
    if (wanted("checkpoint")) {
        out["checkpoint_k3"] = compare(folder, kCheckpointBytes, 1, pal::StatePart::kCheckpoint);
    }
    if (wanted("latents")) out["latents_2_gb"] = compare(folder, kGroupBytes, kGroups, pal::StatePart::kPages);
    if (wanted("resume")) out["resume_kimi_linear_128k"] = resume(folder, 131072);
    if (wanted("growth")) {
        for (int64_t tokens = 1024; tokens <= 1 << 20; tokens *= 4) out["growth"].push_back(growth(folder, tokens));
    }
    fs::remove_all(folder);
    std::printf("%s\n", out.dump(2).c_str());
    return 0;
}
