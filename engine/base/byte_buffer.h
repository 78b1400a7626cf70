// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace pal {

// Bytes with one owner that, unlike a vector's, are not zeroed first: for large blocks that are overwritten whole. Move-only.
class ByteBuffer {
  public:
    ByteBuffer() = default;
    // Contents undefined.
    explicit ByteBuffer(size_t size)
        : bytes_(std::make_unique_for_overwrite<std::byte[]>(size)), size_(size), capacity_(size) {}

    // Makes it `size` bytes with undefined contents; keeps the memory when it is enough.
    void resizeDiscarding(size_t size) {
        if (size > capacity_) *this = ByteBuffer(size);
        size_ = size;
    }

    [[nodiscard]] std::byte* data() { return bytes_.get(); }
    [[nodiscard]] size_t size() const { return size_; }
    [[nodiscard]] std::span<std::byte> span() { return {bytes_.get(), size_}; }
    [[nodiscard]] std::span<const std::byte> span() const { return {bytes_.get(), size_}; }

  private:
    std::unique_ptr<std::byte[]> bytes_;
    size_t size_ = 0;
    size_t capacity_ = 0;
};

}  // namespace pal
