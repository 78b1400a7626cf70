// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine/api/probe.h"

namespace pal::inspect {

// Which earlier tokens the read of a KDA head came from. The layer has no softmax: these are the signed weights that the recurrence implies, not
// attention.
//
// S_t = S_{t-1} D_t (I - b_t k_t k_t^T) + b_t v_t k_t^T and o_t = S_t q_t (S [V, K], D_t = diag(e^g_t)), so with x = q_t and, from t back to the
// window's first token,
//   w_s = b_s (k_s . x),   x <- D_s (x - b_s k_s (k_s . x)),
// the read is o_t = sum_s w_s v_s + S_0 x: exact, nothing is left out.
struct ImpliedReads {
    std::vector<float> weight;  // [token + 1] w_s of the window's tokens up to `token`
    std::vector<float> share;   // [token + 1] |w_s v_s| / |o_t|: how much each moved the read
    float olderShare = 0;       // |S_0 x| / |o_t|: what came from before the window
    float selfCheck = 0;  // |sum_s w_s v_s + S_0 x - o_t| / |o_t| against what the layer gave; rounding of float32
};

// Of one head's read at token `token` of the window, both in range. In double; O(token (K + V) + V K).
[[nodiscard]] ImpliedReads impliedReads(const RawKda& raw, int64_t token, int64_t head);

}  // namespace pal::inspect
