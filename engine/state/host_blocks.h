// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/base/byte_buffer.h"
#include "kernels/api/backend.h"

namespace pal {

// Blocks of Backend::allocateHost() that are used again and again for what is brought from a device. New memory is slow twice: the system clears it
// as it is written (a state reached half of a GPU's link, with twelve threads), and locking it takes ten times as long as filling it. So no more than a
// limit is ever locked, in use and free together: when a slow disk holds what was handed to it, the rest is ordinary memory. The engine's thread takes,
// any thread gives back; what comes back after the backend is gone is only freed.
class HostBlocks {
  public:
    explicit HostBlocks(Backend& backend, size_t mostBytes = size_t{128} << 20);

    // `size` bytes, undefined contents; comes back when it is destroyed. Small ones, and those for which no block can be had, are ordinary memory.
    // Throws std::bad_alloc.
    [[nodiscard]] ByteBuffer take(size_t size);

  private:
    struct Pool {
        explicit Pool(size_t most) : mostBytes(most) {}
        const size_t mostBytes;
        std::mutex mutex;
        std::vector<Buffer> free;
        size_t bytes = 0;  // of all blocks, in use or free
    };
    // A block that is in use.
    struct Lease {
        explicit Lease(std::shared_ptr<Pool> to) : pool(std::move(to)) {}
        ~Lease();
        std::shared_ptr<Pool> pool;
        Buffer block;
    };
    [[nodiscard]] Buffer takeFree(size_t size);
    [[nodiscard]] Buffer takeNew(size_t size);

    Backend& backend_;
    std::shared_ptr<Pool> pool_;
};

}  // namespace pal
