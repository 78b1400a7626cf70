// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/api/tensor_view.h"

namespace pal {

// Intermediates of a forward pass. T tokens of the step, h heads, K/V channels per head, k experts per token.
enum class TapPoint : uint8_t {
    kMixAttention,  // [T, sources] weights of the depth mix before attention, snapshots in order, the running stream last
    kKdaInput,      // [T, q | k | v] as the rule takes them: 2 h K + h V, after convolution and norms
    kKdaLogDecay,  // [T, h, K] natural log
    kKdaBeta,      // [T, h]
    kKdaRead,      // [T, h, V] what the state returned, before the output norm
    kKdaGate,      // [T, h, V] after the sigmoid
    kMlaProbs,     // [h, position] attention of the step's last token
    kMlaGate,      // [T, h V] after the sigmoid
    kMixMlp,       // [T, sources] as kMixAttention, before the feed-forward part
    kMoeIndex,     // [T, k] i32, best first
    kMoeWeight,    // [T, k]
    kLayer,        // [T, H] running stream after the layer
    kMixOutput,    // [rows, sources] of the mix before the head, for the rows that get logits
    kFinal,        // [rows, H] input of the head, the same rows
};

// Looks at a forward pass. Without one nothing is computed for it; with one no result changes, bit for bit.
class ForwardTap {
  public:
    virtual ~ForwardTap() = default;
    // Whether tensor() shall be called for this layer's sublayers; those of no layer are always shown.
    [[nodiscard]] virtual bool wants(int64_t layer) const {
        static_cast<void>(layer);
        return true;
    }
    // `values` (float32 unless TapPoint says otherwise, or the activation type for kKdaInput, kKdaRead, kLayer and kFinal) lie on the backend
    // and are gone after the call; read them with Backend::download. `layer` is -1 for the last two points. Engine thread.
    virtual void tensor(TapPoint point, int64_t layer, const ConstTensorView& values) = 0;
};

}  // namespace pal
