// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/device_tables.h"

#include <algorithm>
#include <cstring>

namespace pal::cuda {

DeviceTables::~DeviceTables() {
    dropPages();
    for (const auto& [key, table] : experts_) cudaFree(const_cast<ExpertWeights*>(table.experts));
}

void DeviceTables::dropPages() {
    for (const auto& [key, list] : pages_) cudaFree(list.device);  // waits for what still reads it
    pages_.clear();
}

void DeviceTables::tidy() {
    if (pages_.size() > kMostPageLists) dropPages();
}

// A border of 64 GB below the pages, so that it seldom changes as they grow in number.
const void* DeviceTables::baseOf(const std::vector<void*>& pages) {
    constexpr uintptr_t kBorder = uintptr_t{1} << 36;
    constexpr uintptr_t kLowest = 4096;  // an address must not be null
    constexpr uintptr_t kReach = uintptr_t{1} << 38;
    const auto [first, last] = std::minmax_element(pages.begin(), pages.end());
    const auto low = reinterpret_cast<uintptr_t>(*first);
    const uintptr_t base = std::max(low & ~(kBorder - 1), kLowest);
    const bool reached = low >= base && reinterpret_cast<uintptr_t>(*last) - base < kReach;
    const bool onUnits = std::all_of(pages.begin(), pages.end(), [&](const void* page) {
        return (reinterpret_cast<uintptr_t>(page) - base) % PageTable::kUnit == 0;
    });
    return reached && onUnits ? reinterpret_cast<const void*>(base) : nullptr;
}

bool DeviceTables::grow(Pages& list, size_t count) {
    if (count <= list.capacity) return true;
    const size_t capacity = std::max<size_t>(64, count * 2);
    void* memory = nullptr;
    if (cudaMalloc(&memory, capacity * sizeof(void*)) != cudaSuccess) return false;
    cudaFree(list.device);
    list = {{}, static_cast<void**>(memory), capacity, nullptr};
    return true;
}

PageTable DeviceTables::pages(const LatentPages& cache, cudaStream_t stream) {
    PageTable table{nullptr, cache.dtype, cache.rank, cache.rope};
    Pages& list = pages_[cache.pages.data()];
    if (!grow(list, cache.pages.size())) return table;
    const auto known = std::min(list.host.size(), cache.pages.size());
    size_t first = known;
    // For each layer of each token: by far the most often nothing has changed, and memcmp is quick.
    if (known > 0 && std::memcmp(list.host.data(), cache.pages.data(), known * sizeof(void*)) != 0) {
        first = static_cast<size_t>(std::ranges::mismatch(list.host, cache.pages).in1 - list.host.begin());
    }
    if (first < cache.pages.size()) {
        list.host.assign(cache.pages.begin(), cache.pages.end());
        list.base = baseOf(list.host);
        cudaMemcpyAsync(list.device + first, list.host.data() + first, (list.host.size() - first) * sizeof(void*),
                        cudaMemcpyHostToDevice, stream);
    }
    table.pages = list.device;
    table.base = list.base;
    return table;
}

ExpertTable DeviceTables::experts(std::span<const ExpertWeights> experts, cudaStream_t stream) {
    const ExpertWeights& first = experts.front();
    ExpertTable& table = experts_[first.gate.data];
    if (table.experts != nullptr) return table;
    void* memory = nullptr;
    if (cudaMalloc(&memory, experts.size_bytes()) != cudaSuccess) return table;
    cudaMemcpyAsync(memory, experts.data(), experts.size_bytes(), cudaMemcpyHostToDevice, stream);
    table = {static_cast<const ExpertWeights*>(memory), first.gate.format, first.down.format,
             static_cast<int64_t>(experts.size()),      first.gate.cols,   first.gate.rows};
    return table;
}

}  // namespace pal::cuda
