// SPDX-License-Identifier: Apache-2.0
#include "engine/model/model_verifier.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "engine/model/compute_ahead.h"

namespace pal {
namespace {

constexpr uint64_t kPieceBytes = 8ULL << 20;

// How a stored value is recognised as not a number, or infinite.
enum class Check { kNone, kF16, kBF16, kF32, kF64, kE8M0 };

Check checkFor(const StoredTensor& tensor) {
    switch (tensor.type) {
        case StorageType::kF16:
            return Check::kF16;
        case StorageType::kBF16:
            return Check::kBF16;
        case StorageType::kF32:
            return Check::kF32;
        case StorageType::kF64:
            return Check::kF64;
        case StorageType::kF8E8M0:
            return Check::kE8M0;
        case StorageType::kU8:
            return tensor.name.ends_with(".weight_scale") ? Check::kE8M0 : Check::kNone;
        default:
            return Check::kNone;
    }
}

struct Piece {
    size_t tensor = 0;  // index into the store
    uint64_t begin = 0;
    uint64_t end = 0;
};

struct Found {
    uint64_t count = 0;
    uint64_t firstElement = 0;
};

// Counts elements whose bits under `mask` are all set: the exponent of an IEEE type, or the whole E8M0 byte.
template <typename T>
Found scan(std::span<const std::byte> bytes, T mask) {
    Found found;
    const size_t count = bytes.size() / sizeof(T);
    constexpr size_t kStride = 4096;  // counted without branches, searched only when something is there
    for (size_t from = 0; from < count; from += kStride) {
        const size_t n = std::min(kStride, count - from);
        uint64_t bad = 0;
        for (size_t i = 0; i < n; ++i) {
            T value;
            std::memcpy(&value, bytes.data() + (from + i) * sizeof(T), sizeof(T));
            bad += static_cast<T>(value & mask) == mask ? 1 : 0;
        }
        if (bad > 0 && found.count == 0) {
            for (size_t i = 0; i < n; ++i) {
                T value;
                std::memcpy(&value, bytes.data() + (from + i) * sizeof(T), sizeof(T));
                found.firstElement = from + i;
                if (static_cast<T>(value & mask) == mask) break;
            }
        }
        found.count += bad;
    }
    return found;
}

Found scanPiece(const StoredTensor& tensor, const Piece& piece) {
    const auto bytes = tensor.bytes.subspan(piece.begin, piece.end - piece.begin);
    Found found;
    switch (checkFor(tensor)) {
        case Check::kNone:
            return found;
        case Check::kF16:
            found = scan<uint16_t>(bytes, 0x7C00);
            break;
        case Check::kBF16:
            found = scan<uint16_t>(bytes, 0x7F80);
            break;
        case Check::kF32:
            found = scan<uint32_t>(bytes, 0x7F80'0000);
            break;
        case Check::kF64:
            found = scan<uint64_t>(bytes, 0x7FF0'0000'0000'0000);
            break;
        case Check::kE8M0:
            found = scan<uint8_t>(bytes, 0xFF);
            break;
    }
    found.firstElement += piece.begin / storageBytes(tensor.type);
    return found;
}

// Groups of pieces in file order: reading follows the disk, and one task is worth a thread.
std::vector<std::vector<Piece>> cutIntoTasks(const WeightStore& store) {
    std::vector<size_t> order(store.tensors().size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, [&](size_t a, size_t b) {
        const StoredTensor& left = store.tensors()[a];
        const StoredTensor& right = store.tensors()[b];
        return left.shard != right.shard ? left.shard < right.shard : left.bytes.data() < right.bytes.data();
    });
    std::vector<std::vector<Piece>> tasks(1);
    uint64_t room = kPieceBytes;
    for (const size_t tensor : order) {
        const uint64_t size = store.tensors()[tensor].bytes.size();
        for (uint64_t at = 0; at < size;) {
            const uint64_t bytes = std::min(size - at, room / sizeof(double) * sizeof(double));
            if (bytes == 0) {
                tasks.emplace_back();
                room = kPieceBytes;
                continue;
            }
            tasks.back().push_back({tensor, at, at + bytes});
            at += bytes;
            room -= bytes;
        }
    }
    return tasks;
}

std::vector<Found> scanTask(const WeightStore& store, const std::vector<Piece>& task) {
    std::vector<Found> found;
    for (const Piece& piece : task) found.push_back(scanPiece(store.tensors()[piece.tensor], piece));
    return found;
}

void report(const StoredTensor& tensor, const Found& found, Problems& problems) {
    const std::string_view what =
        checkFor(tensor) == Check::kE8M0 ? "NaN scales (255)" : "values that are NaN or infinite";
    problems.add("tensor '{}' has {} {}, the first at position {} of {}", tensor.name, found.count, what,
                 found.firstElement, tensor.shape.text());
}

}  // namespace

Result<> verifyValues(const WeightStore& store, Problems& problems, const ProgressCallback& progress,
                      const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const size_t threads = std::max(1U, std::thread::hardware_concurrency());
    const auto tasks = cutIntoTasks(store);
    std::vector<Found> perTensor(store.tensors().size());
    uint64_t done = 0;
    const auto scanOne = [&](size_t i) { return scanTask(store, tasks[i]); };
    const auto collect = [&](size_t t, const std::vector<Found>& found) -> Result<> {
        const std::vector<Piece>& task = tasks[t];
        if (stop.stop_requested())
            return fail(ErrorCode::kCancelled, "stopped after {} of {} bytes", done, store.bytes());
        for (size_t i = 0; i < task.size(); ++i) {
            Found& total = perTensor[task[i].tensor];
            if (found[i].count > 0 && total.count == 0) total.firstElement = found[i].firstElement;
            total.count += found[i].count;
            done += task[i].end - task[i].begin;
        }
        if (progress) progress({done, store.bytes(), seconds()});
        return {};
    };
    PAL_TRY(computeAhead(tasks.size(), threads, scanOne, collect));
    for (size_t i = 0; i < perTensor.size(); ++i) {
        if (perTensor[i].count > 0) report(store.tensors()[i], perTensor[i], problems);
    }
    return {};
}

}  // namespace pal
