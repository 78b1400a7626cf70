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
// as it is written (a state reached half of a GPU's link, with twelve threads), and locking it takes longer than filling it. The engine's thread takes,
// any thread gives back; what comes back after the backend is gone is only freed.
class HostBlocks {
  public:
    // Blocks that nobody uses are kept up to `mostFree` bytes.
    explicit HostBlocks(Backend& backend, size_t mostFree = size_t{64} << 20);

    // `size` bytes, undefined contents; comes back when it is destroyed. Small ones, and those for which no block can be had, are ordinary memory.
    // Throws std::bad_alloc.
    [[nodiscard]] ByteBuffer take(size_t size);

  private:
    struct Free {
        explicit Free(size_t most) : mostBytes(most) {}
        const size_t mostBytes;
        std::mutex mutex;
        std::vector<Buffer> blocks;
        size_t bytes = 0;
    };
    // A block that is in use.
    struct Lease {
        Lease(std::shared_ptr<Free> to, Buffer taken) : free(std::move(to)), block(std::move(taken)) {}
        ~Lease();
        std::shared_ptr<Free> free;
        Buffer block;
    };
    [[nodiscard]] Buffer takeFree(size_t size);

    Backend& backend_;
    std::shared_ptr<Free> free_;
};

}  // namespace pal
