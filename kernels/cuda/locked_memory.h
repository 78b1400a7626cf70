// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace pal::cuda {

// Memory of the host that a device reads at the host's own addresses. It is reserved as a whole, filled by its owner, then page-locked piece by piece:
// locking pages that are already there, large ones where the system gives them, takes a fraction of what allocating locked memory does.
class LockedMemory {
  public:
    LockedMemory() = default;
    LockedMemory(LockedMemory&& other) noexcept;
    LockedMemory& operator=(LockedMemory&& other) noexcept;
    LockedMemory(const LockedMemory&) = delete;
    LockedMemory& operator=(const LockedMemory&) = delete;
    ~LockedMemory() { release(); }

    // False when the system has no such stretch of addresses.
    [[nodiscard]] bool reserve(size_t bytes);
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] size_t size() const { return size_; }
    [[nodiscard]] size_t lockedBytes() const { return locked_; }
    // Locks the next piece, up to kPieceBytes.
    [[nodiscard]] cudaError_t lockNext();
    // All of it to the device, once all is locked. Asynchronous.
    void copyTo(void* device, cudaStream_t stream) const;

  private:
    // A copy must lie in one locked piece.
    static constexpr size_t kPieceBytes = size_t{1} << 30;

    void release() noexcept;

    std::byte* data_ = nullptr;
    size_t size_ = 0;
    size_t locked_ = 0;
};

}  // namespace pal::cuda
