// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/cuda/host_link.h"

namespace pal::cuda {

// Device memory of weights: taken piece by piece from large blocks, freed all at once.
class WeightMemory {
  public:
    WeightMemory() = default;
    ~WeightMemory();
    WeightMemory(const WeightMemory&) = delete;
    WeightMemory& operator=(const WeightMemory&) = delete;

    // Null when the device is full. The bytes are there, and `host` free to change, after link.settle().
    [[nodiscard]] void* store(std::span<const std::byte> host, HostLink& link);

  private:
    static constexpr size_t kBlockBytes = size_t{256} << 20;
    static constexpr size_t kLargeBytes =
        kBlockBytes / 4;  // gets memory of its own: the rest of the open block would be lost
    static constexpr size_t kAlignment = 256;

    [[nodiscard]] std::byte* take(size_t bytes);

    std::vector<void*> blocks_;
    std::byte* free_ = nullptr;  // in the newest block
    size_t freeBytes_ = 0;
};

}  // namespace pal::cuda
