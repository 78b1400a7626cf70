// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/vision_args.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

void visionPosition(const Launch& launch, const VisionPositionArgs& args);
// False when the device has no room for the table of angles.
[[nodiscard]] bool rotate2d(const Launch& launch, const Rotate2dArgs& args);
void visionAttention(const Launch& launch, const VisionAttentionArgs& args);
void gelu(const Launch& launch, const GeluArgs& args);
void mergePatches(const Launch& launch, const MergePatchesArgs& args);

}  // namespace pal::cuda
