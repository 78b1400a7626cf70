// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// A ring of stages in shared memory between the warp that copies and those that multiply. The barriers themselves are in hopper.cuh.

namespace pal::cuda {

// Two barriers per stage in shared memory, each eight bytes.
template <int Stages>
struct StageBarriers {
    uint32_t first;
    __device__ uint32_t full(int stage) const { return first + 8 * stage; }
    __device__ uint32_t empty(int stage) const { return first + 8 * (Stages + stage); }
};

// The stage whose turn it is, and the parity of its barriers in this round.
template <int Stages>
struct StageRing {
    int slot = 0;
    uint32_t parity = 0;
    __device__ void next() {
        if (++slot == Stages) {
            slot = 0;
            parity ^= 1;
        }
    }
};

}  // namespace pal::cuda
