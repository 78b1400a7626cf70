// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"

namespace pal {

// The GPU that Device::kCuda takes and the memory around it, before anything is loaded. Rates are bytes per second; 0: not known.
struct GpuMemory {
    std::string name;
    uint64_t bytes = 0;                 // all that it has, whoever uses it
    uint64_t freeBytes = 0;             // of these, now
    uint64_t ramBytes = 0;              // of the machine, that weights may take now; 0: not known
    double copyRate = 0, linkRate = 0;  // within the GPU, read plus written; from page-locked RAM to the GPU
};

// kMeasured: by the first call of a process that finds 1 GiB free on the GPU; it keeps the link busy for a moment. kAsKnown: by an earlier call, or not
// at all. Blocks, the first time for as long as the driver takes to start. Any thread. Errors: kUnsupported with the reason why there is none.
enum class GpuRates { kMeasured, kAsKnown };
Result<GpuMemory> gpuMemory(GpuRates rates = GpuRates::kMeasured);

}  // namespace pal
