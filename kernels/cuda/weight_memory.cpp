// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/weight_memory.h"

#include <cuda_runtime.h>

#include <algorithm>

namespace pal::cuda {

WeightMemory::~WeightMemory() {
    for (void* block : blocks_) cudaFree(block);
}

std::byte* WeightMemory::take(size_t bytes) {
    const size_t padded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (padded > freeBytes_) {
        void* memory = nullptr;
        // The rest of a device that has no room for a block may still hold the piece.
        const bool shared = padded < kLargeBytes && cudaMalloc(&memory, kBlockBytes) == cudaSuccess;
        if (!shared && cudaMalloc(&memory, padded) != cudaSuccess) {
            cudaGetLastError();
            return nullptr;
        }
        cudaGetLastError();
        blocks_.push_back(memory);
        if (!shared) return static_cast<std::byte*>(memory);
        free_ = static_cast<std::byte*>(memory);
        freeBytes_ = kBlockBytes;
    }
    std::byte* piece = free_;
    free_ += padded;
    freeBytes_ -= padded;
    return piece;
}

void* WeightMemory::store(std::span<const std::byte> host, HostLink& link) {
    std::byte* piece = take(std::max<size_t>(host.size(), 1));
    if (piece != nullptr) link.send(piece, host);
    return piece;
}

}  // namespace pal::cuda
