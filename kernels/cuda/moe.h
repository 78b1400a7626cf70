// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/moe_args.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// The experts of one layer as kernels find them: [E] each, in device memory.
struct ExpertTable {
    const ExpertWeights* experts = nullptr;  // device copy of MoeArgs::experts
    WeightFormat inFormat = WeightFormat::kBF16;
    WeightFormat outFormat = WeightFormat::kBF16;
    int64_t count = 0;
    int64_t width = 0;  // L
    int64_t inner = 0;  // M
};

// One warp per token; any number of experts that fits shared memory.
void router(const Launch& launch, const RouterArgs& args);

// False when the device has no room for the intermediate rows.
[[nodiscard]] bool moe(const Launch& launch, const MoeArgs& args, const ExpertTable& table);

}  // namespace pal::cuda
