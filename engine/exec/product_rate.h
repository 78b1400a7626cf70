// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "kernels/api/backend.h"

namespace pal {

// FLOP/s of the backend's own product of large square matrices, bfloat16 weights and the backend's activations, random numbers: best of a few. 0 when
// the device has no room for them. Errors: of the device.
Result<double> productRate(Backend& backend);

}  // namespace pal
