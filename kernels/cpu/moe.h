// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/moe_args.h"
#include "kernels/cpu/thread_pool.h"

// CPU versions of the ops of kernels/api/moe_args.h, float32 activations.

namespace pal::cpu {

void router(const RouterArgs& args, ThreadPool& pool);
void moe(const MoeArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
