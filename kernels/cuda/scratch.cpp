// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/launch.h"

namespace pal::cuda {

Scratch::~Scratch() {
    cudaFree(data_);
}

bool Scratch::begin(size_t bytes) {
    used_ = 0;
    if (bytes <= size_) return true;
    ++generation_;
    cudaFree(data_);  // waits for what still uses it
    data_ = nullptr;
    size_ = 0;
    void* grown = nullptr;
    if (cudaMalloc(&grown, bytes) != cudaSuccess) return false;
    data_ = static_cast<std::byte*>(grown);
    size_ = bytes;
    return true;
}

void* Scratch::take(size_t bytes) {
    void* piece = data_ + used_;
    used_ += padded(bytes);
    return piece;
}

}  // namespace pal::cuda
