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
#include <utility>

namespace pal {
namespace {

constexpr size_t kMostBytes = size_t{8} << 30;

// How a read asks for what it will need: processors that stop at the end of each page of memory are faster when told, into the first-level cache or the
// second.
enum class Ahead : uint8_t { kProcessor, kFirstLevel, kSecondLevel };

template <Ahead kAhead>
void prefetch(const std::byte* at) {
    if constexpr (kAhead == Ahead::kFirstLevel) __builtin_prefetch(at, 0, 3);
    if constexpr (kAhead == Ahead::kSecondLevel) __builtin_prefetch(at, 0, 2);
}

// Independent sums, so that the additions do not hold up the loads.
template <Ahead kAhead>
uint64_t sumWords(std::span<const std::byte> bytes) {
    constexpr size_t kLine = 64;
    constexpr size_t kDistance = kAhead == Ahead::kFirstLevel ? 4096 : 8192;
    uint64_t sums[8] = {};
    for (size_t i = 0; i + kLine <= bytes.size(); i += kLine) {
        prefetch<kAhead>(bytes.data() + std::min(i + kDistance, bytes.size() - 1));
        uint64_t words[8];
        std::memcpy(words, bytes.data() + i, sizeof words);
        for (int k = 0; k < 8; ++k) sums[k] += words[k];
    }
    return std::accumulate(std::begin(sums), std::end(sums), uint64_t{0});
}

uint64_t sumWords(std::span<const std::byte> bytes, Ahead ahead) {
    switch (ahead) {
        case Ahead::kProcessor:
            return sumWords<Ahead::kProcessor>(bytes);
        case Ahead::kFirstLevel:
            return sumWords<Ahead::kFirstLevel>(bytes);
        case Ahead::kSecondLevel:
            return sumWords<Ahead::kSecondLevel>(bytes);
    }
    return 0;
}

// Bytes [begin, end) of the regions as if they lay behind each other.
uint64_t sumShare(const std::vector<std::span<const std::byte>>& regions, size_t begin, size_t end, Ahead ahead) {
    uint64_t sum = 0;
    size_t start = 0;
    for (const auto& region : regions) {
        const size_t from = std::clamp(begin, start, start + region.size());
        const size_t to = std::clamp(end, start, start + region.size());
        const auto part = from < to ? region.subspan(from - start, to - from) : std::span<const std::byte>();
        sum += sumWords(part, ahead);
        start += region.size();
    }
    return sum;
}

}  // namespace

StreamRead::StreamRead(std::vector<std::span<const std::byte>> regions, int threads)
    : regions_(std::move(regions)), threads_(static_cast<size_t>(std::max(1, threads))) {
    for (auto& region : regions_) {
        region = region.first(std::min(region.size(), kMostBytes - total_));
        total_ += region.size();
    }
}

double StreamRead::pass() {
    std::atomic<uint64_t> sink = 0;  // keeps the sums from being optimised away
    double fastest = 0;
    for (const Ahead ahead : {Ahead::kProcessor, Ahead::kFirstLevel, Ahead::kSecondLevel}) {
        const auto start = std::chrono::steady_clock::now();
        {
            std::vector<std::jthread> readers;
            for (size_t t = 0; t < threads_; ++t) {
                readers.emplace_back(
                    [&, t] { sink += sumShare(regions_, total_ / threads_ * t, total_ / threads_ * (t + 1), ahead); });
            }
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        fastest = std::max(fastest, static_cast<double>(total_) / seconds);
    }
    best_ = std::max(best_, fastest);
    return fastest;
}

}  // namespace pal
