// SPDX-License-Identifier: Apache-2.0
#include "vision/normalise.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vision/normalise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pal::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void normalise(const uint8_t* rgba, int64_t pixels, const std::array<ChannelScale, 3>& scales, float* red, float* green,
               float* blue) {
    const hn::ScalableTag<float> d;
    const hn::RebindToSigned<decltype(d)> d32;
    const hn::Rebind<uint32_t, decltype(d)> du;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    float* const out[3] = {red, green, blue};
    const auto byte = hn::Set(du, 255U);
    const auto full = hn::Set(d, 255.0F);
    int64_t x = 0;
    for (; x + lanes <= pixels; x += lanes) {
        // Little-endian: the channels of a pixel are the bytes of one 32-bit lane, red lowest.
        auto pixel = hn::BitCast(du, hn::LoadU(hn::Repartition<uint8_t, decltype(du)>(), rgba + 4 * x));
        for (size_t c = 0; c < 3; ++c) {
            const auto value = hn::ConvertTo(d, hn::BitCast(d32, hn::And(pixel, byte)));
            const auto centred = hn::Sub(hn::Div(value, full), hn::Set(d, scales[c].mean));
            hn::StoreU(hn::Mul(centred, hn::Set(d, scales[c].inverseStd)), d, out[c] + x);
            pixel = hn::ShiftRight<8>(pixel);
        }
    }
    for (; x < pixels; ++x) {
        for (size_t c = 0; c < 3; ++c) {
            const float value = static_cast<float>(rgba[4 * x + static_cast<int64_t>(c)]) / 255.0F;
            out[c][x] = (value - scales[c].mean) * scales[c].inverseStd;
        }
    }
}

}  // namespace
}  // namespace pal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal {

HWY_EXPORT(normalise);

void normaliseRow(const uint8_t* rgba, int64_t pixels, const std::array<ChannelScale, 3>& scales, float* red,
                  float* green, float* blue) {
    HWY_DYNAMIC_DISPATCH(normalise)(rgba, pixels, scales, red, green, blue);
}

}  // namespace pal
#endif
