// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernels/api/dense_args.h"
#include "kernels/cuda/launch.h"

namespace pal::cuda {

// Picks by T, formats and alignment among the forms below.
void linear(const Launch& launch, const LinearArgs& args);

// True when rows of x and of the weight start at 16-byte borders, as the vector loads of the fast forms need.
[[nodiscard]] bool alignedForVectors(const ConstTensorView& x, const WeightView& weight);

// T <= kGemvTokens, parts of one format, aligned: bound by reading the weights.
inline constexpr int64_t kGemvTokens = 4;
void linearGemv(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts);

// 2 <= T <= kFewTokens, bfloat16 activations and bf16 weights, aligned: bound by reading the weights too. The order of sums is the same for each T.
inline constexpr int64_t kFewTokens = 8;
void linearFew(const Launch& launch, const ConstTensorView& x, std::span<const LinearPart> parts);

// bfloat16 activations, bf16 or MXFP4 weights, aligned: tensor cores.
void linearTensor(const Launch& launch, const ConstTensorView& x, const LinearPart& part);

// The same for bf16 weights and many tokens on sm_90a (wgmma). False when this product does not suit it.
[[nodiscard]] bool linearHopper(const Launch& launch, const ConstTensorView& x, const LinearPart& part);

// Anything: float32 arithmetic on the ordinary cores.
void linearPlain(const Launch& launch, const ConstTensorView& x, const LinearPart& part);

}  // namespace pal::cuda
