// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/dense_args.h"
#include "kernels/cpu/thread_pool.h"

// CPU versions of the ops of kernels/api/dense_args.h, float32 activations.

namespace pal::cpu {

void linear(const LinearArgs& args, ThreadPool& pool);

}  // namespace pal::cpu
