// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"

// Arguments of the mixture of experts. T tokens, E experts, k chosen per token, L width of the experts' input (latent or hidden).

namespace pal {

enum class RouterScore : uint8_t { kSigmoid, kSoftmax };

// s = score(logits);  choice = s + bias (bias steers the choice only);  with groups > keptGroups: group value = sum of its two best choices,
// all but the best `keptGroups` groups are excluded;  picks = top k of choice, best first, ties to the lower index;
// weight_i = s_i [ / (sum over picks + 1e-20) if renormalise and k > 1 ] * scale
struct RouterArgs {
    ConstTensorView logits;       // [T, E] f32
    const float* bias = nullptr;  // [E] e_score_correction_bias
    RouterScore score = RouterScore::kSigmoid;
    int64_t groups = 1;
    int64_t keptGroups = 1;
    enum class Renormalise : uint8_t { kNo, kYes } renormalise = Renormalise::kYes;
    float scale = 1;
    TensorView index;   // [T, k] i32
    TensorView weight;  // [T, k] f32
};

// One routed expert: down(glu(gate x, up x)).
struct ExpertWeights {
    WeightView gate;  // w1 [M, L]
    WeightView up;    // w3 [M, L]
    WeightView down;  // w2 [L, M]
};

// out[t] = sum over picks of weight * expert(x[t]); the weight multiplies after `down`; summed in pick order. Tokens are sorted by expert inside,
// so each expert's weights are read once per call. `gate` and `up` of all experts have one format, `down` of all experts another or the same: the
// input is rounded and packed once, for the format of experts[0].
struct MoeArgs {
    ConstTensorView x;                       // [T, L] act
    ConstTensorView index;                   // [T, k] i32 in [0, E), distinct within a row
    ConstTensorView weight;                  // [T, k] f32
    std::span<const ExpertWeights> experts;  // [E]
    GluParams glu;
    TensorView out;  // [T, L] act
};

}  // namespace pal
