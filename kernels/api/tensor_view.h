// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "kernels/api/dtype.h"

namespace pal {

inline constexpr int kMaxRank = 4;

// A borrowed tensor: pointer, element type, extents and strides in elements, outermost first. Trivially copyable, owns nothing.
// The last dimension of every view that a kernel takes is contiguous (stride 1); the others may be strided, so that q, k and v can be
// columns of one wide buffer. A view with data == nullptr means "absent" where an args struct allows it.
template <typename Void>
struct BasicTensorView {
    Void* data = nullptr;
    DType dtype = DType::kF32;
    int rank = 0;
    std::array<int64_t, kMaxRank> extent{};
    std::array<int64_t, kMaxRank> stride{};

    BasicTensorView() = default;

    // A dense row-major tensor.
    BasicTensorView(Void* pointer, DType type, std::initializer_list<int64_t> extents)
        : data(pointer), dtype(type), rank(static_cast<int>(extents.size())) {
        int i = 0;
        for (const int64_t e : extents) extent[static_cast<size_t>(i++)] = e;
        int64_t step = 1;
        for (int d = rank - 1; d >= 0; --d) {
            stride[static_cast<size_t>(d)] = step;
            step *= extent[static_cast<size_t>(d)];
        }
    }

    [[nodiscard]] bool present() const { return data != nullptr; }
    [[nodiscard]] int64_t dim(int d) const { return extent[static_cast<size_t>(d)]; }
    [[nodiscard]] int64_t elements() const {
        int64_t n = 1;
        for (int d = 0; d < rank; ++d) n *= extent[static_cast<size_t>(d)];
        return n;
    }
    // Address of element [i, 0, ...] as T; T must match dtype.
    template <typename T>
    [[nodiscard]] T* row(int64_t i) const {
        return static_cast<T*>(data) + i * stride[0];
    }
    template <typename T>
    [[nodiscard]] T* row(int64_t i, int64_t j) const {
        return static_cast<T*>(data) + i * stride[0] + j * stride[1];
    }
    // Columns [begin, begin + count) of the last dimension of a rank-2 view.
    [[nodiscard]] BasicTensorView columns(int64_t begin, int64_t count) const {
        BasicTensorView part = *this;
        part.data = offset(begin);
        part.extent[static_cast<size_t>(rank - 1)] = count;
        return part;
    }
    // Rows [begin, begin + count) of the first dimension.
    [[nodiscard]] BasicTensorView rows(int64_t begin, int64_t count) const {
        BasicTensorView part = *this;
        part.data = offset(begin * stride[0]);
        part.extent[0] = count;
        return part;
    }
    // The last dimension of a rank-2 view [T, a*b] seen as [T, a, b].
    [[nodiscard]] BasicTensorView splitLast(int64_t outer, int64_t inner) const {
        BasicTensorView part = *this;
        part.rank = 3;
        part.extent = {extent[0], outer, inner, 0};
        part.stride = {stride[0], inner, 1, 0};
        return part;
    }

  private:
    [[nodiscard]] Void* offset(int64_t elements) const {
        using Byte = std::conditional_t<std::is_const_v<Void>, const char, char>;
        return static_cast<Byte*>(data) + elements * static_cast<int64_t>(dtypeBytes(dtype));
    }
};

using TensorView = BasicTensorView<void>;

// A view that is only read; converts from TensorView.
struct ConstTensorView : BasicTensorView<const void> {
    using BasicTensorView::BasicTensorView;
    ConstTensorView() = default;
    ConstTensorView(const BasicTensorView<const void>& other) : BasicTensorView(other) {}
    ConstTensorView(const TensorView& other) {
        data = other.data;
        dtype = other.dtype;
        rank = other.rank;
        extent = other.extent;
        stride = other.stride;
    }
};

// Storage formats of weight matrices.
enum class WeightFormat : uint8_t {
    kF32,
    kBF16,
    kMxfp4,  // E2M1 nibbles, low nibble = even column; one E8M0 scale (2^(s-127)) per 32 columns (spec: OCP MX v1.0)
};

inline constexpr int64_t kMxfp4Group = 32;

// A borrowed weight matrix [rows = out, cols = in], dense and row-major as in the checkpoint; y = x W^T.
struct WeightView {
    WeightFormat format = WeightFormat::kBF16;
    int64_t rows = 0;
    int64_t cols = 0;
    const void* data = nullptr;      // kF32, kBF16: [rows, cols]; kMxfp4: bytes [rows, cols / 2]. Any alignment.
    const uint8_t* scale = nullptr;  // kMxfp4 only: [rows, cols / 32]

    [[nodiscard]] bool present() const { return data != nullptr; }
    // Bytes that reading the whole matrix moves.
    [[nodiscard]] int64_t bytes() const {
        switch (format) {
            case WeightFormat::kF32:
                return rows * cols * 4;
            case WeightFormat::kBF16:
                return rows * cols * 2;
            case WeightFormat::kMxfp4:
                return rows * cols / 2 + rows * cols / kMxfp4Group;
        }
        return 0;
    }
};

}  // namespace pal
