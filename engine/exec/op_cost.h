// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/api/backend.h"

namespace pal {

// What an op cannot do without: every input and output moved once (weights, states, activations), and two FLOPs per multiply-add of its products; sums,
// norms and activations are not counted. What a kernel moves beyond that shows as a smaller share of the limits.
struct OpCost {
    uint64_t bytes = 0;
    double flops = 0;
};

[[nodiscard]] OpCost costOf(const EmbedArgs& args);
[[nodiscard]] OpCost costOf(const LinearArgs& args);
[[nodiscard]] OpCost costOf(const RmsNormArgs& args);
[[nodiscard]] OpCost costOf(const DepthMixArgs& args);
[[nodiscard]] OpCost costOf(const GluArgs& args);
[[nodiscard]] OpCost costOf(const SigmoidGateArgs& args);
[[nodiscard]] OpCost costOf(const AddArgs& args);
[[nodiscard]] OpCost costOf(const ShortConvArgs& args);
[[nodiscard]] OpCost costOf(const L2NormArgs& args);
[[nodiscard]] OpCost costOf(const KdaGateArgs& args);
// The recurrence: 6 FLOPs per token and number of the state (read with k, write with k, read with q).
[[nodiscard]] OpCost costOf(const KdaArgs& args);
[[nodiscard]] OpCost costOf(const GatedRmsNormArgs& args);
[[nodiscard]] OpCost costOf(const KdaMixerArgs& args);
[[nodiscard]] OpCost costOf(const MlaAppendArgs& args);
// FLOPs of the cheaper form.
[[nodiscard]] OpCost costOf(const MlaAttentionArgs& args);
[[nodiscard]] OpCost costOf(const RouterArgs& args);
// Without the weights, which depend on the picks.
[[nodiscard]] OpCost costOf(const MoeArgs& args);
[[nodiscard]] OpCost costOf(const LogitDigestArgs& args);
[[nodiscard]] OpCost costOf(const VisionPositionArgs& args);
[[nodiscard]] OpCost costOf(const Rotate2dArgs& args);
[[nodiscard]] OpCost costOf(const VisionAttentionArgs& args);
[[nodiscard]] OpCost costOf(const GeluArgs& args);
[[nodiscard]] OpCost costOf(const MergePatchesArgs& args);

}  // namespace pal
