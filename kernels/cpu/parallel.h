// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/thread_pool.h"

namespace pal::cpu {

// Runs body(begin, end, thread) over [0, count) in blocks of `block` items (the last may be short). Block borders do not depend on the
// number of threads.
template <typename Body>
void forBlocks(ThreadPool& pool, int64_t count, int64_t block, const Body& body) {
    block = std::max<int64_t>(block, 1);
    pool.parallelFor((count + block - 1) / block, [&](int64_t task, int thread) {
        body(task * block, std::min(count, (task + 1) * block), thread);
    });
}

// How many rows of `rowElements` make a block that is worth waking a thread for.
inline int64_t rowsPerBlock(int64_t rowElements) {
    constexpr int64_t kElements = 16384;
    return std::max<int64_t>(1, kElements / std::max<int64_t>(rowElements, 1));
}

}  // namespace pal::cpu
