// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/vision_args.h"
#include "kernels/cpu/thread_pool.h"

// CPU versions of the ops of kernels/api/vision_args.h, float32 activations.

namespace pal::cpu {

void visionPosition(const VisionPositionArgs& args, ThreadPool& pool);
void rotate2d(const Rotate2dArgs& args, ThreadPool& pool);
void visionAttention(const VisionAttentionArgs& args, ThreadPool& pool);
void gelu(const GeluArgs& args, ThreadPool& pool);
void mergePatches(const MergePatchesArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
