// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace pal::cuda {

// Times of single ops on a stream. The first mark after take() holds the device back a moment, so that ops are launched ahead of it and the time
// between two marks is the device's alone and not the launching's.
class TimeMarks {
  public:
    TimeMarks() = default;
    ~TimeMarks();
    TimeMarks(const TimeMarks&) = delete;
    TimeMarks& operator=(const TimeMarks&) = delete;

    void mark(cudaStream_t stream);
    // Seconds between neighbouring marks since the last call. Waits.
    [[nodiscard]] std::vector<double> take(cudaStream_t stream);

  private:
    std::vector<cudaEvent_t> events_;
    size_t used_ = 0;
};

}  // namespace pal::cuda
