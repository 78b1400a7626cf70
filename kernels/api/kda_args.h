// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/api/probe_args.h"
#include "kernels/api/tensor_view.h"

// Arguments of Kimi Delta Attention. T tokens of ONE sequence, h heads, K key and V value channels per head (kernels are tested with
// K != V), W taps of the short convolution. Formulas: Kimi Linear (arXiv 2510.26692) and the released models' code.

namespace pal {

// Causal depthwise convolution, then SiLU:  y_t[c] = silu( sum_{j<W} weight[c, j] * in_{t-W+1+j}[c] ); weight[c, W-1] multiplies the
// current token. Inputs before the first token come from `tail`, which afterwards holds the last W-1 inputs, oldest first (also when T < W-1).
struct ShortConvArgs {
    ConstTensorView x;              // [T, C] act, projected q|k|v
    const float* weight = nullptr;  // [C, W]
    int64_t taps = 0;               // W >= 2
    TensorView tail;                // [W-1, C] act, in and out; zeros at the start of a sequence
    TensorView out;                 // [T, C] act
};

// out = x * rsqrt(sum(x^2) + eps) * scale per (token, head): eps on the SUM. In place allowed.
struct L2NormArgs {
    ConstTensorView x;  // [T, h, K] act
    float eps = 0;
    float scale = 1;
    TensorView out;  // [T, h, K] act
};

// Log decay per channel and write strength per head:
//   bounded (K3):           g = lowerBound * sigmoid(exp(aLog[head]) * (z + dtBias))       in (lowerBound, 0)
//   unbounded (Kimi Linear): g = -exp(aLog[head]) * softplus(z + dtBias)                     in (-inf, 0)
//   beta = sigmoid(betaLogits)
struct KdaGateArgs {
    ConstTensorView z;                // [T, h, K] act
    ConstTensorView betaLogits;       // [T, h] act
    const float* aLog = nullptr;      // [h]
    const float* dtBias = nullptr;    // [h, K]
    std::optional<float> lowerBound;  // < 0; selects the bounded form
    TensorView logDecay;              // [T, h, K] f32
    TensorView beta;                  // [T, h] f32
    TensorView halfLife{};            // [P, h, 5] f32 quantiles over K (kProbePercents), in tokens; or absent
};

// The gated delta rule over T tokens, per head, state S as [V, K]:
//   S <- S diag(exp(g_t));  u = beta_t (v_t - S k_t);  S <- S + u k_t^T;  o_t = S q_t
// Any T >= 1; kAuto takes the recurrence for few tokens and the chunk form otherwise. The chunk form is safe for every log decay <= 0.
struct KdaArgs {
    enum class Form : uint8_t { kAuto, kRecurrent, kChunked };
    ConstTensorView q;         // [T, h, K] act, L2-normalised and scaled by K^-0.5 by the caller
    ConstTensorView k;         // [T, h, K] act, L2-normalised
    ConstTensorView v;         // [T, h, V] act
    ConstTensorView logDecay;  // [T, h, K] f32, natural log, <= 0
    ConstTensorView beta;      // [T, h] f32 in (0, 1)
    TensorView state;          // [h, V, K] f32, K contiguous, in and out; zeros at the start
    TensorView out;            // [T, h, V] act
    Form form = Form::kAuto;
    KdaProbeViews probe{};
};

// out = x * rsqrt(mean(x^2) + eps) * weight * sigmoid(gate) per (token, head); the norm comes first. In place allowed.
struct GatedRmsNormArgs {
    ConstTensorView x;              // [T, h, V] act
    const float* weight = nullptr;  // [V], shared by all heads
    float eps = 0;
    ConstTensorView gate;   // [T, h, V] act, before the sigmoid
    TensorView out;         // [T, h, V] act
    TensorView gateTap;     // [T, h, V] f32 sigmoid(gate), or absent
    TensorView openness{};  // [P, h, 3] f32 (kOpennessValues), or absent
};

// A KDA layer between its projections and its output projection as one op, which a backend may fuse: shortConv over q|k|v; l2Norm of q (scale K^-0.5)
// and k; kdaGate; kda; gatedRmsNorm. The result is that of the single ops within rounding. h and K from z, V from gate.
struct KdaMixerArgs {
    ConstTensorView qkv;          // [T, 2 h K + h V] act, projected
    const float* conv = nullptr;  // [2 h K + h V, W]
    int64_t taps = 0;             // W
    TensorView tail;              // [W-1, 2 h K + h V] act, in and out
    float normEps = 0;            // of q and k

    ConstTensorView z;                // [T, h, K] act
    ConstTensorView betaLogits;       // [T, h] act
    const float* aLog = nullptr;      // [h]
    const float* dtBias = nullptr;    // [h, K]
    std::optional<float> lowerBound;  // of KdaGateArgs

    TensorView state;                  // [h, V, K] f32, in and out
    const float* outWeight = nullptr;  // [V]
    float outEps = 0;
    ConstTensorView gate;  // [T, h, V] act
    TensorView out;        // [T, h, V] act

    // Memory for a backend that needs it; what it holds afterwards is nobody's business.
    TensorView convolved;  // [T, 2 h K + h V] act
    TensorView logDecay;   // [T, h, K] f32
    TensorView beta;       // [T, h] f32

    // What the single ops gave on the way, or absent.
    TensorView decayTap;  // [T, h, K] f32
    TensorView betaTap;   // [T, h] f32
    TensorView readTap;   // [T, h, V] act, before the gated norm
    TensorView gateTap;   // [T, h, V] f32
    TensorView inputTap;  // [T, 2 h K + h V] act: q and k as the rule takes them, v

    // Reduced values of KdaGateArgs, KdaArgs and GatedRmsNormArgs, or absent.
    TensorView halfLife;  // [P, h, 5] f32
    KdaProbeViews probe{};
    TensorView openness;  // [P, h, 3] f32
};

}  // namespace pal
