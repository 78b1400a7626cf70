// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>

#include "kernels/api/tensor_view.h"

namespace pal::cuda {

// Identity of a sequence of ops: two steps with the same fingerprint launch the same kernels on the same memory.
class Fingerprint {
  public:
    void add(uint64_t word) {
        // One step of wyhash (Wang Yi): both halves of a product of 128 bits. Some hundred ops of a hundred words stand before each token.
        __extension__ typedef unsigned __int128 Wide;
        const Wide product = static_cast<Wide>(state_ ^ word) * 0x9E3779B97F4A7C15ULL;
        state_ = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    }
    void add(const void* pointer) { add(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer))); }
    void add(float value) { add(static_cast<uint64_t>(std::bit_cast<uint32_t>(value))); }
    void add(const ConstTensorView& view) {
        add(view.data);
        add(static_cast<uint64_t>(view.dtype));
        for (int d = 0; d < view.rank; ++d) {
            add(static_cast<uint64_t>(view.dim(d)));
            add(static_cast<uint64_t>(view.stride[static_cast<size_t>(d)]));
        }
    }
    [[nodiscard]] uint64_t value() const { return state_; }

  private:
    uint64_t state_ = 0xA0761D6478BD642FULL;
};

}  // namespace pal::cuda
