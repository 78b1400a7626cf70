// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/api/sampling_params.h"
#include "engine/base/result.h"

namespace pal {

// Refuses values outside the ranges of SamplingParams, naming them. Any thread. Errors: kInvalidArgument.
Result<> checkSampling(const SamplingParams& params);

}  // namespace pal
