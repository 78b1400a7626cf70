// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/locked_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

namespace pal::cuda {

LockedMemory::LockedMemory(LockedMemory&& other) noexcept {
    *this = std::move(other);
}

LockedMemory& LockedMemory::operator=(LockedMemory&& other) noexcept {
    if (this == &other) return *this;
    release();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    locked_ = std::exchange(other.locked_, 0);
    return *this;
}

void LockedMemory::release() noexcept {
    for (size_t at = 0; at < locked_; at += kPieceBytes) cudaHostUnregister(data_ + at);
    if (data_ != nullptr) munmap(data_, size_);
    data_ = nullptr;
    size_ = locked_ = 0;
}

bool LockedMemory::reserve(size_t bytes) {
    release();
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: small pages work as well
    data_ = static_cast<std::byte*>(memory);
    size_ = bytes;
    return true;
}

cudaError_t LockedMemory::lockNext() {
    const size_t bytes = std::min(kPieceBytes, size_ - locked_);
    const cudaError_t error =
        cudaHostRegister(data_ + locked_, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped);
    if (error == cudaSuccess) locked_ += bytes;
    return error;
}

void LockedMemory::copyTo(void* device, cudaStream_t stream) const {
    for (size_t at = 0; at < size_; at += kPieceBytes) {
        cudaMemcpyAsync(static_cast<std::byte*>(device) + at, data_ + at, std::min(kPieceBytes, size_ - at),
                        cudaMemcpyHostToDevice, stream);
    }
}

}  // namespace pal::cuda
