// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pal {

// Element types of tensors that kernels read and write. Packed weights are described by WeightView instead.
enum class DType : uint8_t { kF32, kBF16, kI32, kU8 };

[[nodiscard]] constexpr size_t dtypeBytes(DType dtype) {
    switch (dtype) {
        case DType::kF32:
        case DType::kI32:
            return 4;
        case DType::kBF16:
            return 2;
        case DType::kU8:
            return 1;
    }
    return 0;
}

[[nodiscard]] constexpr std::string_view dtypeName(DType dtype) {
    switch (dtype) {
        case DType::kF32:
            return "f32";
        case DType::kBF16:
            return "bf16";
        case DType::kI32:
            return "i32";
        case DType::kU8:
            return "u8";
    }
    return "?";
}

}  // namespace pal
