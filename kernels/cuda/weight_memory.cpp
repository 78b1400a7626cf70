// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/weight_memory.h"

#include <algorithm>
#include <cstring>

namespace pal::cuda {

WeightMemory::~WeightMemory() {
    for (void* block : blocks_) cudaFree(block);
    for (const Stage& stage : stages_) {
        if (stage.sent != nullptr) cudaEventDestroy(stage.sent);
        cudaFreeHost(stage.memory);
    }
}

std::byte* WeightMemory::take(size_t bytes) {
    const size_t padded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (padded > freeBytes_) {
        const size_t block = std::max(padded, kBlockBytes);
        void* memory = nullptr;
        if (cudaMalloc(&memory, block) != cudaSuccess) {
            cudaGetLastError();
            // The rest of the device may still hold a smaller block.
            if (block == padded || cudaMalloc(&memory, padded) != cudaSuccess) {
                cudaGetLastError();
                return nullptr;
            }
            blocks_.push_back(memory);
            return static_cast<std::byte*>(memory);
        }
        blocks_.push_back(memory);
        free_ = static_cast<std::byte*>(memory);
        freeBytes_ = block;
    }
    std::byte* piece = free_;
    free_ += padded;
    freeBytes_ -= padded;
    return piece;
}

bool WeightMemory::openStages() {
    for (Stage& stage : stages_) {
        if (stage.memory != nullptr) continue;
        if (cudaMallocHost(&stage.memory, kStageBytes) != cudaSuccess ||
            cudaEventCreateWithFlags(&stage.sent, cudaEventDisableTiming) != cudaSuccess) {
            return false;
        }
    }
    return true;
}

bool WeightMemory::send(std::byte* to, std::span<const std::byte> host, cudaStream_t stream) {
    for (size_t done = 0; done < host.size();) {
        const size_t bytes = std::min(kStageBytes, host.size() - done);
        Stage& stage = stages_[nextStage_];
        nextStage_ = (nextStage_ + 1) % stages_.size();
        if (cudaEventSynchronize(stage.sent) != cudaSuccess) return false;
        std::memcpy(stage.memory, host.data() + done, bytes);
        if (cudaMemcpyAsync(to + done, stage.memory, bytes, cudaMemcpyHostToDevice, stream) != cudaSuccess ||
            cudaEventRecord(stage.sent, stream) != cudaSuccess) {
            return false;
        }
        done += bytes;
    }
    return true;
}

void* WeightMemory::store(std::span<const std::byte> host, cudaStream_t stream) {
    if (!openStages()) return nullptr;
    std::byte* piece = take(std::max<size_t>(host.size(), 1));
    if (piece == nullptr || !send(piece, host, stream)) return nullptr;
    return piece;
}

}  // namespace pal::cuda
