// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "engine/api/model_files.h"
#include "engine/base/result.h"
#include "engine/model/problems.h"
#include "engine/model/weight_store.h"

namespace pal {

// Reads every value of every tensor, with all cores, and notes per tensor how many are not finite and where the first is: NaN and infinity in
// F16, BF16, F32 and F64; NaN (255) in the E8M0 scales of MXFP4 weights ("*.weight_scale" of type U8, or F8_E8M0).
// Errors: kCancelled.
Result<> verifyValues(const WeightStore& store, Problems& problems, const ProgressCallback& progress,
                      const std::stop_token& stop);

}  // namespace pal
