// SPDX-License-Identifier: Apache-2.0
// Sums over one row of floats, compiled once per instruction set. Four accumulators hide the latency of the FMA unit; the order of the
// additions depends on the row length and the vector width only.

#if defined(PAL_KERNELS_CPU_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_ROW_INL_H_
#undef PAL_KERNELS_CPU_ROW_INL_H_
#else
#define PAL_KERNELS_CPU_ROW_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

// Before a loop of constant length over an array of vectors: unrolled, the array lives in registers; otherwise GCC keeps it in memory.
#ifndef PAL_UNROLL
#if defined(__clang__)
#define PAL_UNROLL _Pragma("unroll")
#else
#define PAL_UNROLL _Pragma("GCC unroll 16")
#endif
#endif

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using VecF32 = hn::Vec<F32>;

HWY_INLINE int64_t lanesF32() {
    return static_cast<int64_t>(hn::Lanes(F32()));
}

HWY_INLINE float sumLanes(VecF32 v) {
    return hn::GetLane(hn::SumOfLanes(F32(), v));
}

// sum a[i] b[i]
HWY_INLINE float dot(const float* a, const float* b, int64_t count) {
    const F32 d;
    const int64_t lanes = lanesF32();
    VecF32 s0 = hn::Zero(d);
    VecF32 s1 = s0;
    VecF32 s2 = s0;
    VecF32 s3 = s0;
    int64_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        s0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), s0);
        s1 = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), s1);
        s2 = hn::MulAdd(hn::LoadU(d, a + i + 2 * lanes), hn::LoadU(d, b + i + 2 * lanes), s2);
        s3 = hn::MulAdd(hn::LoadU(d, a + i + 3 * lanes), hn::LoadU(d, b + i + 3 * lanes), s3);
    }
    for (; i + lanes <= count; i += lanes) s0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), s0);
    float sum = sumLanes(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)));
    for (; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

HWY_INLINE float sumOfSquares(const float* a, int64_t count) {
    return dot(a, a, count);
}

// 1 / sqrt(x), in full precision.
HWY_INLINE float reciprocalRoot(float x) {
    return 1.0F / __builtin_sqrtf(x);
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
