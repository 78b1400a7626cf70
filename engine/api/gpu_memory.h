// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"

namespace pal {

// The GPU that Device::kCuda takes, before anything is loaded onto it.
struct GpuMemory {
    std::string name;
    uint64_t bytes = 0;  // all that it has, whoever uses it
};

// Blocks, the first time for as long as the driver takes to start. Any thread. Errors: kUnsupported with the reason why there is none.
Result<GpuMemory> gpuMemory();

}  // namespace pal
