// SPDX-License-Identifier: Apache-2.0
#include "kernels/api/logit_digest.h"

#include <algorithm>
#include <array>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/logit_digest.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

constexpr int kLowBits = 24;

// A weight in two whole numbers, of which 64 add up in 32 bits: it is high * 2^24 + low.
template <class D>
struct Weight {
    hn::Vec<hn::RebindToSigned<D>> high;
    hn::Vec<hn::RebindToSigned<D>> low;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE Weight<D> weigh(D d, V x, float top, float scale) {
    const hn::RebindToSigned<D> di;
    const V e = Exp(d, hn::Mul(hn::Sub(x, hn::Set(d, top)), hn::Set(d, scale)));
    const V units = hn::Mul(e, hn::Set(d, static_cast<float>(1 << (kLogitMassBits - kLowBits))));
    const auto high = hn::ConvertTo(di, units);
    const V rest = hn::Sub(units, hn::ConvertTo(d, high));
    return {high, hn::ConvertTo(di, hn::Mul(rest, hn::Set(d, static_cast<float>(1 << kLowBits))))};
}

void findLargest(const float* x, int64_t count, LogitBlock& out) {
    float largest = std::numeric_limits<float>::lowest();
    uint32_t broken = 0;
    forVectors(count, [&](auto d, int64_t i) HWY_ATTR {
        const auto v = hn::LoadU(d, x + i);
        const auto finite = hn::IsFinite(v);
        const auto known = hn::IfThenElse(finite, v, hn::Set(d, std::numeric_limits<float>::lowest()));
        largest = std::max(largest, hn::GetLane(hn::MaxOfLanes(d, known)));
        broken += static_cast<uint32_t>(hn::Lanes(d) - hn::CountTrue(d, finite));
    });
    out.largest = largest;
    out.broken = broken;
}

uint64_t weightOf(const float* x, int64_t count, float top, float scale) {
    int64_t high = 0;
    int64_t low = 0;
    forVectors(count, [&](auto d, int64_t i) HWY_ATTR {
        const hn::RebindToSigned<decltype(d)> di;
        const auto weight = weigh(d, hn::LoadU(d, x + i), top, scale);
        high += hn::GetLane(hn::SumOfLanes(di, weight.high));
        low += hn::GetLane(hn::SumOfLanes(di, weight.low));
    });
    return (static_cast<uint64_t>(high) << kLowBits) + static_cast<uint64_t>(low);
}

// Of at most kLogitBlock logits.
void weighEach(const float* x, int64_t count, float top, float scale, uint64_t* out) {
    std::array<int32_t, kLogitBlock> high{};
    std::array<int32_t, kLogitBlock> low{};
    forVectors(count, [&](auto d, int64_t i) HWY_ATTR {
        const hn::RebindToSigned<decltype(d)> di;
        const auto weight = weigh(d, hn::LoadU(d, x + i), top, scale);
        hn::StoreU(weight.high, di, high.data() + i);
        hn::StoreU(weight.low, di, low.data() + i);
    });
    for (size_t i = 0; i < static_cast<size_t>(count); ++i)
        out[i] = (static_cast<uint64_t>(high[i]) << kLowBits) + static_cast<uint64_t>(low[i]);
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal {
namespace cpu {
namespace {

HWY_EXPORT(findLargest);
HWY_EXPORT(weightOf);
HWY_EXPORT(weighEach);

float scaleOf(float temperature) {
    return std::min(1 / temperature, std::numeric_limits<float>::max());
}

}  // namespace
}  // namespace cpu

void digestLogits(const LogitDigestArgs& args) {
    using namespace cpu;
    const int64_t blocks = logitBlocks(args.count);
    const auto forBlocks = [&](auto&& each) {
        for (int64_t b = 0; b < blocks; ++b)
            each(args.logits + b * kLogitBlock, std::min(kLogitBlock, args.count - b * kLogitBlock), args.blocks[b]);
    };
    float top = std::numeric_limits<float>::lowest();
    forBlocks([&](const float* x, int64_t count, LogitBlock& block) {
        HWY_DYNAMIC_DISPATCH(findLargest)(x, count, block);
        top = std::max(top, block.largest);
    });
    forBlocks([&](const float* x, int64_t count, LogitBlock& block) {
        block.mass = HWY_DYNAMIC_DISPATCH(weightOf)(x, count, top, scaleOf(args.temperature));
        block.plain = args.temperature == 1 ? block.mass : HWY_DYNAMIC_DISPATCH(weightOf)(x, count, top, 1);
    });
}

void weighLogits(std::span<const float> logits, float top, float temperature, std::span<uint64_t> weights) {
    using namespace cpu;
    const auto size = static_cast<int64_t>(logits.size());
    for (int64_t i = 0; i < size; i += kLogitBlock) {
        HWY_DYNAMIC_DISPATCH(weighEach)
        (logits.data() + i, std::min(kLogitBlock, size - i), top, scaleOf(temperature), weights.data() + i);
    }
}

}  // namespace pal
#endif  // HWY_ONCE
