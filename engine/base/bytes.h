// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace pal {

// a * b and a + b, or nothing when the result does not fit: sizes from outside files go through these.
[[nodiscard]] inline std::optional<uint64_t> checkedMul(uint64_t a, uint64_t b) {
    uint64_t out = 0;
    if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
    return out;
}
[[nodiscard]] inline std::optional<uint64_t> checkedAdd(uint64_t a, uint64_t b) {
    uint64_t out = 0;
    if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
    return out;
}

// The little-endian value at `offset`, or nothing when it does not lie wholly inside `bytes`. Any alignment.
template <typename T>
    requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::optional<T> readAt(std::span<const std::byte> bytes, uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

}  // namespace pal
