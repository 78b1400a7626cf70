// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/logit_digest.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// False without memory for its intermediate results.
[[nodiscard]] bool digestLogits(const Launch& launch, const LogitDigestArgs& args);

}  // namespace pal::cuda
