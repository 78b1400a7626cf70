// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/mla.h"

namespace pal::cuda {

__device__ inline int64_t tokensBefore(const Past& past) {
    return past.device == nullptr ? past.value : *past.device;
}

// Cached row of token s; C is the cache's element type.
template <typename C>
__device__ C* cachedRow(const PageTable& table, int64_t s) {
    return static_cast<C*>(table.pages[s / kLatentPageTokens]) + s % kLatentPageTokens * (table.rank + table.rope);
}

}  // namespace pal::cuda
