// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "kernels/api/tensor_view.h"

namespace pal {

// Hands out tensors one after the other from a block of memory. With a null block it only adds up the sizes, so the code that places
// tensors also says how much memory it needs. Copying one forks it: both copies continue from the same place, which is how blocks
// that run after each other share memory.
class Carver {
  public:
    explicit Carver(void* base) : base_(static_cast<std::byte*>(base)) {}

    TensorView take(DType dtype, std::initializer_list<int64_t> extents) {
        TensorView view(base_ == nullptr ? nullptr : base_ + used_, dtype, extents);
        const size_t bytes = static_cast<size_t>(view.elements()) * dtypeBytes(dtype);
        used_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
        return view;
    }
    [[nodiscard]] size_t used() const { return used_; }

  private:
    static constexpr size_t kAlignment = 64;
    std::byte* base_;
    size_t used_ = 0;
};

}  // namespace pal
