// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"
#include "kernels/cpu/arena.h"

// Products of weight rows with activation rows, in one thread: what linear and moe are made of.

namespace pal::cpu {

// Activations are brought once into the column order in which the weights of a format unpack; a packed row has packedLength floats (padded
// with zeros) and must be 64-byte aligned.
[[nodiscard]] int64_t packedLength(WeightFormat format, int64_t cols);
void packActivations(WeightFormat format, const float* x, int64_t cols, float* packed);

// out[m][n - begin] (+)= sum_k weight[n, k] x[m][k] for n in [begin, end); x holds packed rows for weight.format. Each result depends on its
// own two rows only.
void multiplyRows(const WeightView& weight, int64_t begin, int64_t end, std::span<const float* const> x,
                  std::span<float* const> out, LinearPart::Write write, Arena& arena);

}  // namespace pal::cpu
