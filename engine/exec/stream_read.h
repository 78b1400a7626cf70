// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pal {

// A plain read of memory that is too large for caches by some threads, each summing its own contiguous share: the yardstick of a decode step, which
// reads every weight once.
class StreamRead {
  public:
    // Reads up to 8 GiB of the regions, from their beginning. They must outlive this.
    StreamRead(std::vector<std::span<const std::byte>> regions, int threads);

    // Reads everything three times, as it comes and told ahead what comes in two ways, and returns the rate of the fastest: bytes per second. The first
    // call also brings files into memory. Blocks.
    double pass();
    // Of all passes so far; 0 before the first.
    [[nodiscard]] double best() const { return best_; }

  private:
    std::vector<std::span<const std::byte>> regions_;
    size_t total_ = 0;
    size_t threads_;
    double best_ = 0;
};

}  // namespace pal
