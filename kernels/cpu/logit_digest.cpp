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

using F32 = hn::ScalableTag<float>;
using I32 = hn::RebindToSigned<F32>;

// Of a whole block; places behind the last logit hold -infinity and count as broken.
void findLargest(const float* x, LogitBlock& out) {
    const F32 d;
    const auto lowest = hn::Set(d, std::numeric_limits<float>::lowest());
    auto largest = lowest;
    size_t finite = 0;
    for (size_t i = 0; i < static_cast<size_t>(kLogitBlock); i += hn::Lanes(d)) {
        const auto v = hn::LoadU(d, x + i);
        const auto known = hn::IsFinite(v);
        largest = hn::Max(largest, hn::IfThenElse(known, v, lowest));
        finite += hn::CountTrue(d, known);
    }
    out.largest = hn::GetLane(hn::MaxOfLanes(d, largest));
    out.broken = static_cast<uint32_t>(static_cast<size_t>(kLogitBlock) - finite);
}

// Of a whole block; -infinity weighs nothing.
uint64_t weightOf(const float* x, float top, float scale) {
    const F32 d;
    const I32 di;
    auto high = hn::Zero(di);
    auto low = hn::Zero(di);
    for (size_t i = 0; i < static_cast<size_t>(kLogitBlock); i += hn::Lanes(d)) {
        const auto weight = weigh(d, hn::LoadU(d, x + i), top, scale);
        high = hn::Add(high, weight.high);
        low = hn::Add(low, weight.low);
    }
    return (static_cast<uint64_t>(hn::GetLane(hn::SumOfLanes(di, high))) << kLowBits) +
           static_cast<uint64_t>(hn::GetLane(hn::SumOfLanes(di, low)));
}

// Of a whole block: the sum of (x - top) e^(x - top). What is so far below that e^ is 0 counts as 0, as -infinity does.
float momentOf(const float* x, float top) {
    const F32 d;
    auto sum = hn::Zero(d);
    for (size_t i = 0; i < static_cast<size_t>(kLogitBlock); i += hn::Lanes(d)) {
        const auto below = hn::Sub(hn::LoadU(d, x + i), hn::Set(d, top));
        const auto weight = Exp(d, below);
        sum = hn::Add(sum, hn::IfThenElseZero(hn::Gt(weight, hn::Zero(d)), hn::Mul(weight, below)));
    }
    return hn::GetLane(hn::SumOfLanes(d, sum));
}

void weighEach(const float* x, float top, float scale, uint64_t* out) {
    const F32 d;
    const I32 di;
    std::array<int32_t, kLogitBlock> high{};
    std::array<int32_t, kLogitBlock> low{};
    for (size_t i = 0; i < static_cast<size_t>(kLogitBlock); i += hn::Lanes(d)) {
        const auto weight = weigh(d, hn::LoadU(d, x + i), top, scale);
        hn::StoreU(weight.high, di, high.data() + i);
        hn::StoreU(weight.low, di, low.data() + i);
    }
    for (size_t i = 0; i < static_cast<size_t>(kLogitBlock); ++i)
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
HWY_EXPORT(momentOf);
HWY_EXPORT(weighEach);

float scaleOf(float temperature) {
    return std::min(1 / temperature, std::numeric_limits<float>::max());
}

// Calls each(block number, 64 floats, how many of them are logits); the last block is filled up with -infinity.
template <typename Each>
void forBlocks(const float* logits, int64_t count, const Each& each) {
    const int64_t whole = count / kLogitBlock;
    for (int64_t b = 0; b < whole; ++b) each(b, logits + b * kLogitBlock, kLogitBlock);
    const int64_t rest = count - whole * kLogitBlock;
    if (rest == 0) return;
    std::array<float, kLogitBlock> last;
    last.fill(-std::numeric_limits<float>::infinity());
    std::copy_n(logits + whole * kLogitBlock, rest, last.begin());
    each(whole, last.data(), rest);
}

}  // namespace
}  // namespace cpu

void digestLogits(const LogitDigestArgs& args) {
    using namespace cpu;
    float top = std::numeric_limits<float>::lowest();
    forBlocks(args.logits, args.count, [&](int64_t b, const float* x, int64_t count) {
        LogitBlock& block = args.blocks[b];
        HWY_DYNAMIC_DISPATCH(findLargest)(x, block);
        block.broken -= static_cast<uint32_t>(kLogitBlock - count);
        top = std::max(top, block.largest);
    });
    forBlocks(args.logits, args.count, [&](int64_t b, const float* x, int64_t) {
        LogitBlock& block = args.blocks[b];
        block.mass = HWY_DYNAMIC_DISPATCH(weightOf)(x, top, scaleOf(args.temperature));
        block.plain = args.temperature == 1 ? block.mass : HWY_DYNAMIC_DISPATCH(weightOf)(x, top, 1);
        if (args.moments != nullptr) args.moments[b] = HWY_DYNAMIC_DISPATCH(momentOf)(x, top);
    });
}

void weighLogits(std::span<const float> logits, float top, float temperature, std::span<uint64_t> weights) {
    using namespace cpu;
    std::array<uint64_t, kLogitBlock> block{};
    forBlocks(logits.data(), std::ssize(logits), [&](int64_t b, const float* x, int64_t count) {
        HWY_DYNAMIC_DISPATCH(weighEach)(x, top, scaleOf(temperature), block.data());
        std::copy_n(block.begin(), count, weights.begin() + b * kLogitBlock);
    });
}

}  // namespace pal
#endif  // HWY_ONCE
