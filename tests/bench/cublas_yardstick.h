// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace pal::bench {

// FLOP/s of cuBLAS for a bf16 product of n x n matrices of random values, float32 sums; median of 10. The library is the one that PAL_CUBLAS names; without
// it, or when it cannot be used, there is no figure.
[[nodiscard]] std::optional<double> cublasFlops(int64_t n);

}  // namespace pal::bench
