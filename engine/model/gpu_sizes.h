// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/api/model_files.h"
#include "engine/model/layer_plan.h"
#include "engine/model/weight_resolver.h"
#include "engine/model/weight_store.h"

namespace pal {

// As the config promises, and as the files hold it.
[[nodiscard]] GpuPlanSizes gpuPlanSizes(const LayerPlan& plan);
[[nodiscard]] GpuPlanSizes gpuPlanSizes(const LayerPlan& plan, const WeightStore& store);

// Bytes of a planned tensor as a checkpoint stores it; 0 for one that is not there.
[[nodiscard]] uint64_t storedBytes(WeightResolver& resolver, const TensorSpec& spec);

}  // namespace pal
