// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace pal::cuda {

// Device memory that one op needs while it runs. Grows to the largest op and stays; an op's pieces are valid until the next begin().
// Growing waits for the device, so it happens only while sizes are new.
class Scratch {
  public:
    Scratch() = default;
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    // Makes room for an op's pieces, `bytes` with their padding (see padded()). False when the device has no room.
    [[nodiscard]] bool begin(size_t bytes);
    // The next piece; all of an op's pieces together fit what begin() was told.
    [[nodiscard]] void* take(size_t bytes);
    template <typename T>
    [[nodiscard]] T* take(int64_t count) {
        return static_cast<T*>(take(sizeof(T) * static_cast<size_t>(count)));
    }
    [[nodiscard]] static size_t padded(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
    // Counts the times that the memory moved.
    [[nodiscard]] uint64_t generation() const { return generation_; }
    // Bytes of `count` elements of T with padding.
    template <typename T>
    [[nodiscard]] static size_t bytesFor(int64_t count) {
        return padded(sizeof(T) * static_cast<size_t>(count));
    }

  private:
    static constexpr size_t kAlignment = 256;
    std::byte* data_ = nullptr;
    size_t size_ = 0;
    size_t used_ = 0;
    uint64_t generation_ = 0;
};

// Tokens before a step: known to the host, or in device memory where a captured graph finds each step's own value.
struct Past {
    int64_t value = 0;
    const int64_t* device = nullptr;
};

// What every launch needs. Launches return nothing; the backend looks for errors after each op.
struct Launch {
    cudaStream_t stream;
    Scratch& scratch;
    int multiprocessors;
    int capability;  // 10 * major + minor
    // Code for 9.0a runs on that capability alone.
    [[nodiscard]] bool hopper() const { return capability == 90; }
};

[[nodiscard]] constexpr int64_t ceilDiv(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

// Threads of a block where each thread takes one element, and a grid over [rows, columns] of them; x takes the rows, of which there may be more than
// 65535.
inline constexpr int kElementThreads = 256;
[[nodiscard]] inline dim3 gridOver(int64_t rows, int64_t columns) {
    return {static_cast<unsigned>(rows), static_cast<unsigned>(ceilDiv(columns, kElementThreads))};
}

}  // namespace pal::cuda
