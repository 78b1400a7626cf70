// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/stream_read.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <numeric>
#include <thread>

namespace pal {
namespace {

constexpr int kPasses = 6;  // the first brings pages into memory

// How a read asks for what it will need: processors that stop at the end of each page of memory are faster when told.
enum class Ahead : uint8_t { kProcessor, kTold };

// Independent sums, so that the additions do not hold up the loads.
template <Ahead kAhead>
uint64_t sumWords(std::span<const std::byte> bytes) {
    constexpr size_t kLine = 64;
    constexpr size_t kDistance = 4096;
    uint64_t sums[8] = {};
    for (size_t i = 0; i + kLine <= bytes.size(); i += kLine) {
        if (kAhead == Ahead::kTold) __builtin_prefetch(bytes.data() + std::min(i + kDistance, bytes.size() - 1));
        uint64_t words[8];
        std::memcpy(words, bytes.data() + i, sizeof words);
        for (int k = 0; k < 8; ++k) sums[k] += words[k];
    }
    return std::accumulate(std::begin(sums), std::end(sums), uint64_t{0});
}

// Bytes [begin, end) of the regions as if they lay behind each other.
uint64_t sumShare(const std::vector<std::span<const std::byte>>& regions, size_t begin, size_t end, Ahead ahead) {
    uint64_t sum = 0;
    size_t start = 0;
    for (const auto& region : regions) {
        const size_t from = std::clamp(begin, start, start + region.size());
        const size_t to = std::clamp(end, start, start + region.size());
        const auto part = from < to ? region.subspan(from - start, to - from) : std::span<const std::byte>();
        sum += ahead == Ahead::kTold ? sumWords<Ahead::kTold>(part) : sumWords<Ahead::kProcessor>(part);
        start += region.size();
    }
    return sum;
}

}  // namespace

double streamReadRate(const std::vector<std::span<const std::byte>>& regions, int threads) {
    size_t total = 0;
    for (const auto& region : regions) total += region.size();
    const auto count = static_cast<size_t>(std::max(1, threads));
    std::atomic<uint64_t> sink = 0;  // keeps the sums from being optimised away
    double best = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Ahead ahead = pass % 2 == 0 ? Ahead::kProcessor : Ahead::kTold;
        const auto start = std::chrono::steady_clock::now();
        {
            std::vector<std::jthread> readers;
            for (size_t t = 0; t < count; ++t) {
                readers.emplace_back(
                    [&, t] { sink += sumShare(regions, total / count * t, total / count * (t + 1), ahead); });
            }
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::max(best, static_cast<double>(total) / seconds);
    }
    return best;
}

}  // namespace pal
