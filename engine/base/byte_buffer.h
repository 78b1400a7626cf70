// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace pal {

// Bytes with one owner that, unlike a vector's, are not zeroed first: for large blocks that are overwritten whole. Move-only.
class ByteBuffer {
  public:
    ByteBuffer() = default;
    // Contents undefined. Throws std::bad_alloc.
    explicit ByteBuffer(size_t size);
    // Memory that `owner` keeps and gets back when this is destroyed, on whatever thread that is.
    ByteBuffer(std::byte* data, size_t size, std::shared_ptr<void> owner)
        : bytes_(data, Release{std::move(owner)}), size_(size), capacity_(size) {}

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
        std::shared_ptr<void> owner;  // null: the memory is its own
        void operator()(std::byte* bytes);
    };
    std::unique_ptr<std::byte[], Release> bytes_;
    size_t size_ = 0;
    size_t capacity_ = 0;
};

}  // namespace pal
