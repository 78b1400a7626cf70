// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/api/tensor_view.h"

// Arguments of the vision tower (MoonViT). One item: an image or a group of video frames, t x h x w patches, N = t h w, frame-major then row-major.

namespace pal {

struct PatchGrid {
    int64_t t = 1;  // frames, 1..the time table's length
    int64_t h = 0;  // patch rows
    int64_t w = 0;  // patch columns
    [[nodiscard]] int64_t patches() const { return t * h * w; }
};

// x += position: the learned grid resized bilinearly to h x w (half-pixel centres, clamped, no antialias; unchanged when sizes match), and, when
// t > 1, [sin(k w_i) | cos(k w_i)] with w_i = 10000^(-i / (D/2)) for frame k.
struct VisionPositionArgs {
    PatchGrid grid;
    const float* table = nullptr;  // [tableHeight, tableWidth, D]
    int64_t tableHeight = 0;
    int64_t tableWidth = 0;
    TensorView x;  // [N, D] act, in and out
};

// Rotates adjacent pairs (2j, 2j+1) of every head: angle = (j even ? column : row) * 10000^(-2 floor(j/2) * 2 / dim), in place.
struct Rotate2dArgs {
    PatchGrid grid;
    TensorView x;  // [N, heads, dim] act, dim a multiple of 4
};

// softmax(q k^T * scale) v over all N patches of the item, no mask. A call may take only some of the queries: their results are the same.
struct VisionAttentionArgs {
    ConstTensorView q;  // [Nq, heads, dim] act, Nq <= N
    ConstTensorView k;  // [N, heads, dim] act
    ConstTensorView v;  // [N, heads, dim] act
    float scale = 0;
    TensorView out;  // [Nq, heads, dim] act
};

// kTanh: 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)));  kErf: 0.5 x (1 + erf(x / sqrt(2))). In place.
enum class GeluKind : uint8_t { kTanh, kErf };
struct GeluArgs {
    GeluKind kind = GeluKind::kTanh;
    TensorView x;  // [N, C] act
};

// Mean over the frames, then kernelH x kernelW neighbours side by side (row-major inside the block): [N, D] -> [(h/kH) (w/kW), kH kW D].
struct MergePatchesArgs {
    PatchGrid grid;  // h, w multiples of the kernel
    int64_t kernelH = 2;
    int64_t kernelW = 2;
    ConstTensorView x;  // [N, D] act
    TensorView out;     // [(h/kH) (w/kW), kH kW D] act
};

}  // namespace pal
