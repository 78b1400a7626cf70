// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"

namespace pal::cpu {

// out[n] (+)= sum_k weight[n, k] x[k] for n in [begin, end) of an MXFP4 weight, in one thread, where `packed` is x in the steps of Mxfp4Step. On AVX-512 with byte products (VNNI):
// only where usesVnni() says so. Takes less than half the instructions of AVX2 and gives the same bits: the integers are exact, and the groups of a row
// are added in the same order.
void vnniMultiply(const WeightView& weight, int64_t begin, int64_t end, const float* packed, float* out,
                  LinearPart::Write write);

}  // namespace pal::cpu
