// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/cpu/thread_pool.h"

// What the kernel benchmarks share: timing that survives a busy machine, and this machine's limits measured in the same run.

namespace pal::bench {

// The shortest of at least five runs of `run`, repeated until `budget` seconds have passed.
double bestSeconds(const std::function<void()>& run, double budget = 0.5);

// float32 multiply-adds per second times two that all threads reach together with nothing but FMA instructions on registers.
double fmaFlops(cpu::ThreadPool& pool);

// Bytes per second that all threads reach together by plain streaming reads of a buffer much larger than the caches.
double readBytesPerSecond(cpu::ThreadPool& pool);

// {"threads", "isa", "fma_gflops", "read_gb_per_s"} of this machine now.
nlohmann::ordered_json machineLimits(cpu::ThreadPool& pool);

}  // namespace pal::bench
