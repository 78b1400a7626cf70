// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/kda_args.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

void shortConv(const Launch& launch, const ShortConvArgs& args);
void l2Norm(const Launch& launch, const L2NormArgs& args);
void kdaGate(const Launch& launch, const KdaGateArgs& args);
// False when a head has more key channels than the kernels hold in registers.
[[nodiscard]] bool kda(const Launch& launch, const KdaArgs& args);
void gatedRmsNorm(const Launch& launch, const GatedRmsNormArgs& args);

// One kernel for a token; prepared chunks without stored decays for long inputs; the single ops for what neither fits. False as kda().
[[nodiscard]] bool kdaMixer(const Launch& launch, const KdaMixerArgs& args);

}  // namespace pal::cuda
