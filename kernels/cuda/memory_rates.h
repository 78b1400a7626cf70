// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include "kernels/api/backend.h"

namespace pal::cuda {

// Best of a few copies each, in what memory is free; a rate is 0 where there is no room to measure it.
[[nodiscard]] MemoryRates measureMemoryRates(cudaStream_t stream);

}  // namespace pal::cuda
