// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/mla_args.h"
#include "kernels/cpu/thread_pool.h"

// CPU versions of the ops of kernels/api/mla_args.h, float32 activations.

namespace pal::cpu {

void mlaAppend(const MlaAppendArgs& args, ThreadPool& pool);
void mlaAttention(const MlaAttentionArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
