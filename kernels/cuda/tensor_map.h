// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>

namespace pal::cuda {

// A bfloat16 tensor [c2][c1][c0], c0 contiguous, that kernels read with bulk copies in boxes of [1][rows][64], swizzled over rows of 128 bytes
// (kernels/cuda/hopper.cuh). Elements outside the extents are read as zero. Address and strides are multiples of 16 bytes.
struct TensorBoxes {
    const void* data = nullptr;
    std::array<uint64_t, 3> extent{};       // c0, c1, c2 in elements
    std::array<uint64_t, 2> strideBytes{};  // of c1 and c2
    uint32_t rows = 0;                      // of a box, at most 256
};

// False when the driver has no such maps or refuses this one.
[[nodiscard]] bool makeTensorMap(const TensorBoxes& boxes, CUtensorMap& map);

}  // namespace pal::cuda
