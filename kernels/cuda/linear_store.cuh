// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/api/dense_args.h"
#include "kernels/cuda/element.cuh"

namespace pal::cuda {

// Sets or adds one result of a product. The product is rounded to what Out holds before it is added, as the published bf16 path does.
template <typename Out>
__device__ void storeProduct(Out* out, float value, LinearPart::Write write) {
    value = rounded<Out>(value);
    *out = fromFloat<Out>(write == LinearPart::Write::kAdd ? toFloat(*out) + value : value);
}

}  // namespace pal::cuda
