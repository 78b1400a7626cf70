// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/cpu/thread_pool.h"

// What the kernels are measured against, in the same process and with the same threads.

namespace pal::bench {

// Reads every byte once with 32-byte loads and returns a value that depends on all of them.
uint64_t streamingRead(const char* data, int64_t bytes, cpu::ThreadPool& pool);

// OpenBLAS, loaded at run time when it is installed.
class OpenBlas {
  public:
    explicit OpenBlas(int threads);
    OpenBlas(const OpenBlas&) = delete;
    OpenBlas& operator=(const OpenBlas&) = delete;
    ~OpenBlas();

    [[nodiscard]] bool present() const { return sgemm_ != nullptr; }
    // out[tokens, rows] = x[tokens, cols] weight[rows, cols]^T
    void multiply(const float* x, const float* weight, float* out, int64_t tokens, int64_t rows, int64_t cols) const;

  private:
    using Sgemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*,
                           int);
    void* library_ = nullptr;
    Sgemm sgemm_ = nullptr;
};

}  // namespace pal::bench
