// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "engine/api/gpu_plan.h"

namespace pal::cli {

[[nodiscard]] nlohmann::json placementJson(const GpuPlan& plan);

}  // namespace pal::cli
