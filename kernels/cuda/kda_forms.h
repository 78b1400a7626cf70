// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kda.h"

namespace pal::cuda {

// Token by token; up to 256 key channels. False beyond.
[[nodiscard]] bool kdaRecurrent(const Launch& launch, const KdaArgs& args);

// Sixteen tokens at a time on tensor cores. For bfloat16 rows at 16-byte borders, 64 or 128 key channels and value channels in multiples of 64.
[[nodiscard]] bool fitsChunks(const KdaArgs& args);
// That form is asked for, or pays, and fits.
[[nodiscard]] bool takesChunks(const KdaArgs& args);
[[nodiscard]] size_t chunksBytes(int64_t tokens, int64_t heads, int64_t keyDim);
// False when the device has no room for the chunks' matrices.
[[nodiscard]] bool kdaChunked(const Launch& launch, const KdaArgs& args);

}  // namespace pal::cuda
