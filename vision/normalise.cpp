// SPDX-License-Identifier: Apache-2.0
#include "vision/normalise.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vision/normalise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pal::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// All of a vector's pixels at once; the channels are `area` floats apart.
template <class D>
void normaliseVector(D d, const uint8_t* rgba, const std::array<ChannelScale, 3>& scales, int64_t area, float* out) {
    const hn::RebindToSigned<D> d32;
    const hn::Rebind<uint32_t, D> du;
    // Little-endian: the channels of a pixel are the bytes of one 32-bit lane, red lowest.
    auto pixel = hn::BitCast(du, hn::LoadU(hn::Repartition<uint8_t, decltype(du)>(), rgba));
    for (const ChannelScale& scale : scales) {
        const auto value = hn::ConvertTo(d, hn::BitCast(d32, hn::And(pixel, hn::Set(du, 255U))));
        const auto centred = hn::Sub(hn::Div(value, hn::Set(d, 255.0F)), hn::Set(d, scale.mean));
        hn::StoreU(hn::Mul(centred, hn::Set(d, scale.inverseStd)), d, out);
        pixel = hn::ShiftRight<8>(pixel);
        out += area;
    }
}

void normalise(const uint8_t* rgba, int64_t patches, int64_t patch, const std::array<ChannelScale, 3>& scales,
               float* out) {
    // The usual patch of 14 pixels is two vectors of eight that overlap.
    const hn::CappedTag<float, 8> d;
    const hn::CappedTag<float, 1> d1;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const int64_t area = patch * patch;
    for (int64_t g = 0; g < patches; ++g, rgba += 4 * patch, out += 3 * area) {
        if (patch < lanes) {
            for (int64_t x = 0; x < patch; ++x) normaliseVector(d1, rgba + 4 * x, scales, area, out + x);
            continue;
        }
        for (int64_t x = 0; x < patch; x += lanes) {
            const int64_t at = std::min(x, patch - lanes);
            normaliseVector(d, rgba + 4 * at, scales, area, out + at);
        }
    }
}

}  // namespace
}  // namespace pal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal {

HWY_EXPORT(normalise);

void normaliseRow(const uint8_t* rgba, int64_t patches, int64_t patch, const std::array<ChannelScale, 3>& scales,
                  float* out) {
    HWY_DYNAMIC_DISPATCH(normalise)(rgba, patches, patch, scales, out);
}

}  // namespace pal
#endif
