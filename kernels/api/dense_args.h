// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/probe_args.h"
#include "kernels/api/tensor_view.h"

// Arguments of the dense ops. T tokens, H hidden size. Activations are float32 on the CPU backend and bfloat16 on the CUDA backend;
// "act" below means that type. Outputs must not alias inputs unless a struct says so.

namespace pal {

// out[t] = table[ids[t]]. Rows may be bf16 or f32.
struct EmbedArgs {
    std::span<const int32_t> ids;  // [T] host memory, each in [0, table.rows)
    WeightView table;              // [vocab, H], kBF16 or kF32
    TensorView out;                // [T, H] act
};

// One product of a group that shares its input: y = x W^T, or y += x W^T. No bias.
struct LinearPart {
    enum class Write : uint8_t { kSet, kAdd };
    WeightView weight;  // [N, K]
    TensorView out;     // [T, N] act or f32
    Write write = Write::kSet;
};

// Accumulation is float32. On the CPU the result of a row does not depend on the other rows or on the number of threads, nor on T, with one
// exception: T = 1 may differ from T > 1 by rounding. With MXFP4 weights it is made in another order, after x was rounded to 23 bits below the
// largest of its group of 32 columns. Where there is a matrix unit, T > 1 is made there with bf16 and MXFP4 weights, in another order, without
// denormal numbers (below 2^-126), and an infinite weight gives NaN.
struct LinearArgs {
    ConstTensorView x;                  // [T, K] act
    std::span<const LinearPart> parts;  // all with K columns
};

// out = x * rsqrt(mean(x^2) + eps) * weight, statistics in float32. In place allowed.
struct RmsNormArgs {
    ConstTensorView x;              // [T, N] act
    const float* weight = nullptr;  // [N]
    float eps = 0;
    TensorView out;  // [T, N] act
};

// Attention over depth (Attention Residuals), each token on its own:
//   s_j = (v_j . w) * rsqrt(mean(v_j^2) + eps), p = softmax(s), out = sum_j p_j v_j      (raw values, float32 throughout)
// With normWeight given, out is followed by rmsNorm(out, normWeight, normEps) in the same pass.
struct DepthMixArgs {
    std::span<const ConstTensorView> sources;  // 1..n of [T, H] act, oldest snapshot first, the running stream last
    const float* query = nullptr;              // [H] res_norm.weight * res_proj.weight
    float eps = 0;
    const float* normWeight = nullptr;  // [H] or null
    float normEps = 0;
    TensorView out;      // [T, H] act
    TensorView probTap;  // [T, n] f32, or absent
};

// SiTU: b tanh(gate/b) sigmoid(gate) * (B tanh(up/B), or up when linearBeta == 0). SwiGLU: silu(gate) * up.
enum class GluKind : uint8_t { kSwiGlu, kSitu };
struct GluParams {
    GluKind kind = GluKind::kSwiGlu;
    float beta = 1;        // SiTU b > 0
    float linearBeta = 0;  // SiTU B, 0 = no bound on `up`
};
struct GluArgs {
    ConstTensorView gate;  // [T, N] act
    ConstTensorView up;    // [T, N] act
    GluParams params;
    TensorView out;  // [T, N] act; may be `gate` or `up`
};

// out = x * sigmoid(gate), elementwise; in place allowed.
struct SigmoidGateArgs {
    ConstTensorView x;      // [T, N] act
    ConstTensorView gate;   // [T, N] act, before the sigmoid
    TensorView out;         // [T, N] act
    TensorView gateTap;     // [T, N] f32 sigmoid(gate), or absent
    TensorView openness{};  // [P, h, 3] f32 (kOpennessValues) of N / h neighbouring columns each, or absent
};

// out += x.
struct AddArgs {
    ConstTensorView x;  // [T, N] act
    TensorView out;     // [T, N] act
};

}  // namespace pal
