// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/cpu/thread_pool.h"

// What the kernel benchmarks share: timing that survives a busy machine, and this machine's limits measured in the same run.

namespace pal::bench {

// Seconds by the clock, and processor seconds of all threads together: on a machine that others use too, only the latter tell about the code.
struct Timing {
    double wall;
    double cpu;
};

// The least of each over at least five runs of `run`, repeated until `budget` seconds have passed.
Timing bestTiming(const std::function<void()>& run, double budget = 0.5);

// What the machine gives now, measured with all threads of the pool.
struct MachineLimits {
    double fmaFlops;  // per second by the clock: nothing but float32 FMA instructions on registers, two operations each
    double fmaFlopsPerCore;  // per processor second
    double readBytes;        // per second by the clock: plain streaming reads of a buffer much larger than the caches
};
MachineLimits measureLimits(cpu::ThreadPool& pool);

nlohmann::ordered_json toJson(const MachineLimits& limits, const cpu::ThreadPool& pool);

}  // namespace pal::bench
