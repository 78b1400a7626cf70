// SPDX-License-Identifier: Apache-2.0
// Reading latent pages and kv_b rows as float32, compiled once per instruction set.

#if defined(PAL_KERNELS_CPU_MLA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_MLA_INL_H_
#undef PAL_KERNELS_CPU_MLA_INL_H_
#else
#define PAL_KERNELS_CPU_MLA_INL_H_
#endif

#include <cstring>

#include "kernels/api/mla_args.h"
#include "kernels/cpu/bf16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// The first `count` rows of page `page`, [count, rank + rope]: the page itself, or widened into `scratch`.
HWY_INLINE const float* pageRows(const LatentPages& cache, int64_t page, int64_t count, float* scratch) {
    const void* data = cache.pages[static_cast<size_t>(page)];
    if (cache.dtype == DType::kF32) return static_cast<const float*>(data);
    widenBf16(static_cast<const uint16_t*>(data), scratch, count * (cache.rank + cache.rope));
    return scratch;
}

// Rows [begin, begin + count) of an f32 or bf16 weight, [count, cols]. Weights may lie at any address, so they are always copied.
HWY_INLINE void weightRows(const WeightView& weight, int64_t begin, int64_t count, float* out) {
    const int64_t at = begin * weight.cols;
    const int64_t elements = count * weight.cols;
    if (weight.format == WeightFormat::kBF16) {
        widenBf16(static_cast<const uint16_t*>(weight.data) + at, out, elements);
    } else {
        std::memcpy(out, static_cast<const float*>(weight.data) + at, static_cast<size_t>(elements) * sizeof(float));
    }
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
