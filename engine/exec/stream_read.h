// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pal {

// How fast `threads` threads read memory that is too large for caches: bytes per second of the best of some passes over `regions`, each
// thread summing its own contiguous share. The yardstick of a decode step, which reads every weight once. Blocks for about a second.
double streamReadRate(const std::vector<std::span<const std::byte>>& regions, int threads);

}  // namespace pal
