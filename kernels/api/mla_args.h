// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/probe_args.h"
#include "kernels/api/tensor_view.h"

// Arguments of multi-head latent attention without position encoding (NoPE). T new tokens of ONE sequence after `past` cached ones; h heads;
// R latent rank; D = nope + rope key width, of which the `rope` part is shared by all heads and never rotated; V value width.

namespace pal {

// Tokens in one latent page. Pages are append-only and may be shared between sessions.
inline constexpr int64_t kLatentPageTokens = 64;

// The latent cache of one layer: page i holds rows of tokens [64 i, 64 i + 64), each row [R latent after its norm | rope raw]. The rows behind the last
// token do not count, but are finite numbers: kernels multiply whole pages, such rows by 0.
struct LatentPages {
    std::span<void* const> pages;  // each [64, R + rope], dense
    DType dtype = DType::kF32;     // kF32 or kBF16
    int64_t rank = 0;              // R
    int64_t rope = 0;
};

// Row past + t <- [ rmsNorm(kv[t, 0:R], weight, eps) | kv[t, R:R+rope] ]
struct MlaAppendArgs {
    ConstTensorView kv;             // [T, R + rope] act
    const float* weight = nullptr;  // [R] kv_a_layernorm
    float eps = 0;                  // 1e-6 in the released models
    LatentPages cache;              // has room for past + T tokens
    int64_t past = 0;
};

// Causal attention of T queries over past + T cached rows (append first):
//   k_n, v = per head split(kvB c_s, nope, V);  score = (q_n . k_n + q_r . c_s[R:]) * scale;  out = sum softmax(score) v
// Absorbed form: q~ = [q_n Uk | q_r] against the cached rows, then Uv. Expanded form: keys and values are made once per chunk of rows.
// kAuto picks by T; both give the same result within rounding.
struct MlaAttentionArgs {
    enum class Form : uint8_t { kAuto, kAbsorbed, kExpanded };
    ConstTensorView q;  // [T, h, nope + rope] act
    WeightView kvB;     // [h * (nope + V), R]: per head nope key rows, then V value rows
    int64_t nope = 0;
    int64_t valueDim = 0;
    LatentPages cache;
    int64_t past = 0;
    float scale = 0;     // (nope + rope)^-0.5
    TensorView out;      // [T, h, V] act
    TensorView probTap;  // [h, past + T] f32 attention of the LAST query, or absent
    Form form = Form::kAuto;
    MlaProbeViews probe{};
};

}  // namespace pal
