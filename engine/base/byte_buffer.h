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
    // Contents undefined. Throws std::bad_alloc.
    explicit ByteBuffer(size_t size);

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
    struct Release {
        void operator()(std::byte* bytes) const;
    };
    std::unique_ptr<std::byte[], Release> bytes_;
    size_t size_ = 0;
    size_t capacity_ = 0;
};

}  // namespace pal
