// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/stream_read.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

namespace pal {
namespace {

constexpr int kPasses = 4;  // the first brings pages into memory

// Four independent sums, so that the additions do not hold up the loads.
uint64_t sumWords(std::span<const std::byte> bytes) {
    uint64_t sums[4] = {};
    for (size_t i = 0; i + 32 <= bytes.size(); i += 32) {
        uint64_t words[4];
        std::memcpy(words, bytes.data() + i, sizeof words);
        for (int k = 0; k < 4; ++k) sums[k] += words[k];
    }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

// Bytes [begin, end) of the regions as if they lay behind each other.
uint64_t sumShare(const std::vector<std::span<const std::byte>>& regions, size_t begin, size_t end) {
    uint64_t sum = 0;
    size_t start = 0;
    for (const auto& region : regions) {
        const size_t from = std::clamp(begin, start, start + region.size());
        const size_t to = std::clamp(end, start, start + region.size());
        if (from < to) sum += sumWords(region.subspan(from - start, to - from));
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
        const auto start = std::chrono::steady_clock::now();
        {
            std::vector<std::jthread> readers;
            for (size_t t = 0; t < count; ++t) {
                readers.emplace_back([&, t] { sink += sumShare(regions, total / count * t, total / count * (t + 1)); });
            }
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::max(best, static_cast<double>(total) / seconds);
    }
    return best;
}

}  // namespace pal
