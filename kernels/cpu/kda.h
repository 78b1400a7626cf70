// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/kda_args.h"
#include "kernels/cpu/thread_pool.h"

// CPU versions of the ops of kernels/api/kda_args.h, float32 activations.

namespace pal::cpu {

void shortConv(const ShortConvArgs& args, ThreadPool& pool);
void l2Norm(const L2NormArgs& args, ThreadPool& pool);
void kdaGate(const KdaGateArgs& args, ThreadPool& pool);
void kda(const KdaArgs& args, ThreadPool& pool);
void gatedRmsNorm(const GatedRmsNormArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
