// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace pal::cuda {

// Device memory of weights: taken piece by piece from large blocks, freed all at once, filled through pinned memory so that the copy from the mapped
// file and the transfer over the link overlap.
class WeightMemory {
  public:
    WeightMemory() = default;
    ~WeightMemory();
    WeightMemory(const WeightMemory&) = delete;
    WeightMemory& operator=(const WeightMemory&) = delete;

    // Null when the device is full.
    [[nodiscard]] void* store(std::span<const std::byte> host, cudaStream_t stream);

  private:
    static constexpr size_t kBlockBytes = size_t{256} << 20;
    static constexpr size_t kStageBytes = size_t{16} << 20;
    static constexpr size_t kAlignment = 256;

    struct Stage {
        void* memory = nullptr;
        cudaEvent_t sent = nullptr;
    };

    [[nodiscard]] std::byte* take(size_t bytes);
    [[nodiscard]] bool openStages();
    [[nodiscard]] bool send(std::byte* to, std::span<const std::byte> host, cudaStream_t stream);

    std::vector<void*> blocks_;
    std::byte* free_ = nullptr;  // in the newest block
    size_t freeBytes_ = 0;
    std::array<Stage, 2> stages_;
    size_t nextStage_ = 0;
};

}  // namespace pal::cuda
