// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <unordered_map>
#include <vector>

#include "kernels/cuda/mla.h"
#include "kernels/cuda/moe.h"

namespace pal::cuda {

// Device copies of the pointer lists that ops take as host spans: the latent pages of a layer and the experts of a layer.
class DeviceTables {
  public:
    DeviceTables() = default;
    ~DeviceTables();
    DeviceTables(const DeviceTables&) = delete;
    DeviceTables& operator=(const DeviceTables&) = delete;

    // Forgets the page lists when they have become many. Lists that pages() gave are gone then: not while a step that uses them is collected.
    void tidy();
    // `pages` null when the device is full. Only what changed since the last call is sent. Stays until tidy().
    [[nodiscard]] PageTable pages(const LatentPages& cache, cudaStream_t stream);
    // `experts` null when the device is full. Weights never move, so an expert's address names its layer.
    [[nodiscard]] ExpertTable experts(std::span<const ExpertWeights> experts, cudaStream_t stream);

  private:
    struct Pages {
        std::vector<void*> host;
        void** device = nullptr;
        size_t capacity = 0;
        const void* base = nullptr;  // PageTable::base
    };
    static constexpr size_t kMostPageLists = 4096;  // of closed sequences, too

    void dropPages();
    [[nodiscard]] static bool grow(Pages& list, size_t count);
    [[nodiscard]] static const void* baseOf(const std::vector<void*>& pages);

    std::unordered_map<const void*, Pages> pages_;  // by the host span's address
    std::unordered_map<const void*, ExpertTable> experts_;
};

}  // namespace pal::cuda
