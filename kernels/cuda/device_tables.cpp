// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/device_tables.h"

#include <algorithm>

namespace pal::cuda {

DeviceTables::~DeviceTables() {
    dropPages();
    for (const auto& [key, table] : experts_) cudaFree(const_cast<ExpertWeights*>(table.experts));
}

void DeviceTables::dropPages() {
    for (const auto& [key, list] : pages_) cudaFree(list.device);  // waits for what still reads it
    pages_.clear();
}

bool DeviceTables::grow(Pages& list, size_t count) {
    if (count <= list.capacity) return true;
    const size_t capacity = std::max<size_t>(64, count * 2);
    void* memory = nullptr;
    if (cudaMalloc(&memory, capacity * sizeof(void*)) != cudaSuccess) return false;
    cudaFree(list.device);
    list = {{}, static_cast<void**>(memory), capacity};
    return true;
}

PageTable DeviceTables::pages(const LatentPages& cache, cudaStream_t stream) {
    PageTable table{nullptr, cache.dtype, cache.rank, cache.rope};
    if (pages_.size() > kMostPageLists) dropPages();
    Pages& list = pages_[cache.pages.data()];
    if (!grow(list, cache.pages.size())) return table;
    const auto known = std::min(list.host.size(), cache.pages.size());
    const auto [same, _] =
        std::mismatch(list.host.begin(), list.host.begin() + static_cast<std::ptrdiff_t>(known), cache.pages.begin());
    const auto first = static_cast<size_t>(same - list.host.begin());
    if (first < cache.pages.size()) {
        list.host.assign(cache.pages.begin(), cache.pages.end());
        cudaMemcpyAsync(list.device + first, list.host.data() + first, (list.host.size() - first) * sizeof(void*),
                        cudaMemcpyHostToDevice, stream);
    }
    table.pages = list.device;
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
