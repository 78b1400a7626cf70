// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pal {

// Element types of the safetensors format whose elements fill whole bytes.
enum class StorageType : uint8_t {
    kBool,
    kU8,
    kI8,
    kF8E4M3,
    kF8E5M2,
    kF8E8M0,
    kU16,
    kI16,
    kF16,
    kBF16,
    kU32,
    kI32,
    kF32,
    kU64,
    kI64,
    kF64
};

// Bytes of one element.
[[nodiscard]] uint64_t storageBytes(StorageType type);
// The name in a header ("BF16"), and back; nothing for a name that is not known.
[[nodiscard]] std::string_view storageTypeName(StorageType type);
[[nodiscard]] std::optional<StorageType> storageTypeFromName(std::string_view name);

// Extents of a stored tensor, outermost first; rank 0 is a scalar. A value without allocation: a checkpoint has half a million.
class TensorShape {
  public:
    static constexpr size_t kMaxRank = 6;

    TensorShape() = default;
    TensorShape(std::initializer_list<int64_t> extents);

    // Appends a dimension; false when the rank would exceed kMaxRank.
    [[nodiscard]] bool push(int64_t extent);
    [[nodiscard]] std::span<const int64_t> extents() const { return {extents_.data(), rank_}; }
    [[nodiscard]] size_t rank() const { return rank_; }
    [[nodiscard]] int64_t operator[](size_t i) const { return extents_[i]; }
    // Product of the extents, or nothing when it does not fit.
    [[nodiscard]] std::optional<uint64_t> checkedElements() const;
    // The same for shapes that were validated or planned.
    [[nodiscard]] uint64_t elements() const;
    // "[12288, 1, 4]"
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool operator==(const TensorShape& other) const;

  private:
    std::array<int64_t, kMaxRank> extents_{};
    uint8_t rank_ = 0;
};

}  // namespace pal
