// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "kernels/api/dtype.h"
#include "kernels/api/tensor_view.h"

// Activations are bfloat16 in the engine; every kernel also takes float32, which is how its formula is checked to float32's precision.
// All arithmetic is float32.

namespace pal::cuda {

using Bf16 = __nv_bfloat16;

__device__ inline float toFloat(float x) {
    return x;
}
__device__ inline float toFloat(Bf16 x) {
    return __bfloat162float(x);
}

template <typename T>
__device__ T fromFloat(float x);
template <>
__device__ inline float fromFloat<float>(float x) {
    return x;
}
template <>
__device__ inline Bf16 fromFloat<Bf16>(float x) {
    return __float2bfloat16_rn(x);
}

// x as T holds it: the rounding contract names the places where the published bf16 path stores a value.
template <typename T>
__device__ float rounded(float x) {
    return toFloat(fromFloat<T>(x));
}

__device__ inline float sigmoid(float x) {
    return 1.0F / (1.0F + expf(-x));
}

inline constexpr float kLog2E = 1.44269504F;

// 2^x, to two units in the last place; 2^-inf = 0.
__device__ inline float exp2Fast(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
__device__ inline float inverseFast(float x) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Calls f(T{}) with the element type.
template <typename F>
void withElement(DType dtype, const F& f) {
    if (dtype == DType::kBF16) {
        f(Bf16{});
    } else {
        f(float{});
    }
}

// Rows of a tensor in device code: [rows][.., contiguous].
template <typename T>
struct Rows {
    T* data;
    int64_t stride;  // elements from row to row
    __device__ T* operator[](int64_t row) const { return data + row * stride; }
};

template <typename T>
Rows<T> rowsOf(const TensorView& view) {
    return {static_cast<T*>(view.data), view.stride[0]};
}
template <typename T>
Rows<const T> rowsOf(const ConstTensorView& view) {
    return {static_cast<const T*>(view.data), view.stride[0]};
}

// True when every row, and head of [T, h, D], of a bfloat16 tensor starts at a 16-byte border, as copies in pieces of 16 bytes need.
[[nodiscard]] inline bool alignedForPieces(const ConstTensorView& view) {
    constexpr int64_t kElements = 8;  // of 16 bytes
    return reinterpret_cast<uintptr_t>(view.data) % 16 == 0 && view.stride[0] % kElements == 0 &&
           (view.rank < 3 || view.stride[1] % kElements == 0);
}

// A [T, h, D] tensor whose heads lie `head` elements apart.
template <typename T>
struct HeadRows {
    T* data;
    int64_t stride;
    int64_t head;
    __device__ T* at(int64_t row, int64_t h) const { return data + row * stride + h * head; }
};

template <typename T>
HeadRows<T> headRowsOf(const TensorView& view) {
    return {static_cast<T*>(view.data), view.stride[0], view.stride[1]};
}
template <typename T>
HeadRows<const T> headRowsOf(const ConstTensorView& view) {
    return {static_cast<const T*>(view.data), view.stride[0], view.stride[1]};
}

}  // namespace pal::cuda
