// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/kda.h"

#include "kernels/cpu/kda_forms.h"

namespace pal::cpu {

void kda(const KdaArgs& args, ThreadPool& pool) {
    kdaRecurrent(args, pool);
}

}  // namespace pal::cpu
