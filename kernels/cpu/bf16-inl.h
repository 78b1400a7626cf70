// SPDX-License-Identifier: Apache-2.0
// bfloat16 rows to float32 and back, compiled once per instruction set.

#if defined(PAL_KERNELS_CPU_BF16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_BF16_INL_H_
#undef PAL_KERNELS_CPU_BF16_INL_H_
#else
#define PAL_KERNELS_CPU_BF16_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// bf16 is the upper half of a float32.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V LoadBf16(D d, const uint16_t* from) {
    const hn::Rebind<uint16_t, D> d16;
    const hn::RebindToUnsigned<D> d32;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, hn::LoadU(d16, from))));
}

// One bf16 at any address.
HWY_INLINE float bf16ToFloat(const void* from) {
    uint16_t value = 0;
    std::memcpy(&value, from, sizeof(value));
    const uint32_t bits = static_cast<uint32_t>(value) << 16;
    float out = 0;
    std::memcpy(&out, &bits, sizeof(out));
    return out;
}

// Round to nearest even; NaN stays NaN.
HWY_INLINE uint16_t floatToBf16(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    if (value != value) return static_cast<uint16_t>((bits >> 16) | 0x40U);
    return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

HWY_INLINE void widenBf16(const uint16_t* from, float* to, int64_t count) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(LoadBf16(d, from + i), d, to + i);
    for (; i < count; ++i) to[i] = bf16ToFloat(from + i);
}

HWY_INLINE void narrowToBf16(const float* from, uint16_t* to, int64_t count) {
    for (int64_t i = 0; i < count; ++i) to[i] = floatToBf16(from[i]);
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
