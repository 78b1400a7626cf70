// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace pal::test {

// A GPU that is not there, for programs that link played_gpu.cpp: it stands in the place of createCudaBackend() and computes on one CPU thread.
struct PlayedGpu {
    std::atomic<int64_t>
        callsLeft;  // until it is lost (FragileBackend); at first the environment's PAL_PLAYED_CALLS, or for ever
    std::atomic<int> inUse = 0;            // backends with weights; the end of each is told on standard error
    std::atomic<int> timesMeasured = 0;    // rates
    std::atomic<uint64_t> takenBytes = 0;  // of its memory: kWeightBytes for each weight of a model
    static constexpr uint64_t kBytes = 8ULL << 30;
    static constexpr uint64_t kWeightBytes = 1ULL << 20;
};
[[nodiscard]] PlayedGpu& playedGpu();

}  // namespace pal::test
