// SPDX-License-Identifier: Apache-2.0
#include "vision/resample_passes.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vision/resample_passes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pal::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kFractionBits = 22;
constexpr int32_t kHalf = 1 << (kFractionBits - 1);

// The four channels of a pixel are the four lanes.
void across(const AxisFilter& filter, const uint8_t* row, uint8_t* out) {
    const hn::CappedTag<int32_t, 4> d32;
    const hn::Rebind<uint8_t, decltype(d32)> d8;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d32));
    const auto size = static_cast<int64_t>(filter.first.size());
    for (int64_t x = 0; x < size; ++x) {
        const uint8_t* pixel = row + filter.first[static_cast<size_t>(x)] * 4;
        const int32_t* weight = filter.weights.data() + x * filter.stride;
        const int64_t count = filter.count[static_cast<size_t>(x)];
        for (int64_t c = 0; c < 4; c += lanes) {
            const auto product = [&](int64_t k) HWY_ATTR {
                const auto value = hn::PromoteTo(d32, hn::LoadU(d8, pixel + 4 * k + c));
                return hn::Mul(value, hn::Set(d32, weight[k]));
            };
            auto even = hn::Set(d32, kHalf), odd = hn::Zero(d32);
            int64_t k = 0;
            for (; k + 2 <= count; k += 2) {
                even = hn::Add(even, product(k));
                odd = hn::Add(odd, product(k + 1));
            }
            if (k < count) even = hn::Add(even, product(k));
            hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<kFractionBits>(hn::Add(even, odd))), d8, out + 4 * x + c);
        }
    }
}

// Columns [at, at + 4 vectors) of the sum.
template <class D>
void downBlock(D d32, const uint8_t* const* rows, const int32_t* weights, int64_t count, int64_t at, uint8_t* out) {
    const hn::Rebind<uint8_t, D> d8;
    const auto n = static_cast<int64_t>(hn::Lanes(d32));
    auto a = hn::Set(d32, kHalf), b = a, c = a, d = a;
    for (int64_t k = 0; k < count; ++k) {
        const auto weight = hn::Set(d32, weights[k]);
        const uint8_t* row = rows[k] + at;
        a = hn::Add(a, hn::Mul(weight, hn::PromoteTo(d32, hn::LoadU(d8, row))));
        b = hn::Add(b, hn::Mul(weight, hn::PromoteTo(d32, hn::LoadU(d8, row + n))));
        c = hn::Add(c, hn::Mul(weight, hn::PromoteTo(d32, hn::LoadU(d8, row + 2 * n))));
        d = hn::Add(d, hn::Mul(weight, hn::PromoteTo(d32, hn::LoadU(d8, row + 3 * n))));
    }
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<kFractionBits>(a)), d8, out + at);
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<kFractionBits>(b)), d8, out + at + n);
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<kFractionBits>(c)), d8, out + at + 2 * n);
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRight<kFractionBits>(d)), d8, out + at + 3 * n);
}

void down(const uint8_t* const* rows, const int32_t* weights, int64_t count, int64_t bytes, uint8_t* out) {
    const hn::ScalableTag<int32_t> d32;
    const int64_t step = 4 * static_cast<int64_t>(hn::Lanes(d32));
    int64_t at = 0;
    for (; at + step <= bytes; at += step) downBlock(d32, rows, weights, count, at, out);
    for (; at < bytes; ++at) {
        int32_t sum = kHalf;
        for (int64_t k = 0; k < count; ++k) sum += weights[k] * rows[k][at];
        out[at] = static_cast<uint8_t>(std::clamp(sum >> kFractionBits, 0, 255));
    }
}

}  // namespace
}  // namespace pal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal {

HWY_EXPORT(across);
HWY_EXPORT(down);

void filterAcross(const AxisFilter& filter, const uint8_t* row, uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(across)(filter, row, out);
}

void filterDown(const uint8_t* const* rows, const int32_t* weights, int64_t count, int64_t bytes, uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(down)(rows, weights, count, bytes, out);
}

}  // namespace pal
#endif
