// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/dense_args.h"
#include "kernels/cpu/thread_pool.h"

// CPU versions of the ops of kernels/api/dense_args.h, float32 activations.

namespace pal::cpu {

void embed(const EmbedArgs& args, ThreadPool& pool);
void rmsNorm(const RmsNormArgs& args, ThreadPool& pool);
void depthMix(const DepthMixArgs& args, ThreadPool& pool);
void glu(const GluArgs& args, ThreadPool& pool);
void sigmoidGate(const SigmoidGateArgs& args, ThreadPool& pool);
void add(const AddArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
