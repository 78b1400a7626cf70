// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "kernels/cuda/launch.h"

// Programmatic dependent launch (sm_90): a kernel may start while the one before it drains, does what needs none of its results (reading weights
// ahead), and waits where it needs them. A kernel that is launched overlapped calls awaitPrevious() before it touches anything but weights, and
// every thread block does: completion then passes from kernel to kernel, and writes never overtake reads.

namespace pal::cuda {

// The results of all kernels before this one are there.
__device__ inline void awaitPrevious() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The next kernel may start when every block has come here or ended.
__device__ inline void letNextStart() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// Launches a kernel that calls awaitPrevious().
template <typename... Params, typename... Args>
void launchOverlapped(const Launch& launch, void (*kernel)(Params...), dim3 grid, unsigned threads, size_t shared,
                      Args&&... args) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.stream = launch.stream;
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &overlap;
    config.numAttrs = launch.hopper() ? 1 : 0;
    cudaLaunchKernelEx(&config, kernel, std::forward<Args>(args)...);
}

}  // namespace pal::cuda
