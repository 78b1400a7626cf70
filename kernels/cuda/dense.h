// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/dense_args.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// `ids` in device memory.
void embed(const Launch& launch, const EmbedArgs& args, const int32_t* ids);
void glu(const Launch& launch, const GluArgs& args);
void sigmoidGate(const Launch& launch, const SigmoidGateArgs& args);
void add(const Launch& launch, const AddArgs& args);
void rmsNorm(const Launch& launch, const RmsNormArgs& args);
// False when there are more sources than one launch can name.
[[nodiscard]] bool depthMix(const Launch& launch, const DepthMixArgs& args);

}  // namespace pal::cuda
