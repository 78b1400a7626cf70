// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "kernels/cuda/launch.h"

namespace pal::cuda {

// Copies device memory to page-locked memory of the host by a kernel, which begins where the kernel before it ends: a copy engine takes several
// microseconds more to start, and a step of one token waits for it. For what is small; both ends at a border of 16 bytes.
void fetchByKernel(const Launch& launch, std::span<std::byte> host, const void* device);
[[nodiscard]] bool fetchableByKernel(std::span<const std::byte> host, const void* device);

}  // namespace pal::cuda
