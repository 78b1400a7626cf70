// SPDX-License-Identifier: Apache-2.0
// Reductions for a look at a head's channels, compiled once per instruction set.

#if defined(PAL_KERNELS_CPU_PROBE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_PROBE_INL_H_
#undef PAL_KERNELS_CPU_PROBE_INL_H_
#else
#define PAL_KERNELS_CPU_PROBE_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "kernels/api/probe_args.h"
#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// The view's row of token t of `tokens`, or -1: it has rows of the last tokens only.
HWY_INLINE int64_t probeRow(const TensorView& view, int64_t t, int64_t tokens) {
    return view.present() ? std::max<int64_t>(-1, t - (tokens - view.dim(0))) : -1;
}

// below[i] = how many of the values are less than values[i]. For 128 channels less work than sorting, and without branches.
HWY_INLINE void countBelow(const float* values, int64_t count, float* below) {
    constexpr int64_t kVectors = 4;
    const F32 d;
    const int64_t lanes = lanesF32();
    const VecF32 one = hn::Set(d, 1.0F);
    int64_t i = 0;
    for (; i + kVectors * lanes <= count; i += kVectors * lanes) {
        VecF32 mine[kVectors];
        VecF32 less[kVectors];
        PAL_UNROLL
        for (int64_t n = 0; n < kVectors; ++n) {
            mine[n] = hn::LoadU(d, values + i + n * lanes);
            less[n] = hn::Zero(d);
        }
        for (int64_t j = 0; j < count; ++j) {
            const VecF32 other = hn::Set(d, values[j]);
            PAL_UNROLL
            for (int64_t n = 0; n < kVectors; ++n) {
                // So written, it is one masked instruction with AVX-512.
                less[n] = hn::IfThenElse(hn::Lt(other, mine[n]), hn::Add(less[n], one), less[n]);
            }
        }
        PAL_UNROLL
        for (int64_t n = 0; n < kVectors; ++n) hn::StoreU(less[n], d, below + i + n * lanes);
    }
    for (; i < count; ++i) {
        below[i] = static_cast<float>(std::count_if(values, values + count, [&](float v) { return v < values[i]; }));
    }
}

// Quantiles of the half-lives of channels with these log decays; `below` is scratch of their size. A larger log decay lives longer.
HWY_INLINE void halfLifeQuantiles(const float* logDecay, int64_t count, float* below, float* out) {
    const F32 d;
    countBelow(logDecay, count, below);
    for (const int64_t percent : kProbePercents) {
        const auto rank = static_cast<float>((count * percent + 99) / 100 - 1);
        VecF32 best = hn::Set(d, -std::numeric_limits<float>::infinity());
        int64_t i = 0;
        for (; i + lanesF32() <= count; i += lanesF32()) {
            const auto reaches = hn::Le(hn::LoadU(d, below + i), hn::Set(d, rank));
            best = hn::IfThenElse(reaches, hn::Max(best, hn::LoadU(d, logDecay + i)), best);
        }
        float value = hn::GetLane(hn::MaxOfLanes(d, best));
        for (; i < count; ++i) {
            if (below[i] <= rank) value = std::max(value, logDecay[i]);
        }
        *out++ = std::min(kLongestProbeHalfLife, 0.693147181F / std::abs(value));
    }
}

// kOpennessValues of one head's gate, before its sigmoid.
HWY_INLINE void openness(const float* gate, int64_t count, float* out) {
    const F32 d;
    VecF32 sum = hn::Zero(d);
    VecF32 closed = sum;
    VecF32 open = sum;
    const VecF32 one = hn::Set(d, 1.0F);
    for (int64_t i = 0; i < count; i += lanesF32()) {
        const auto valid = hn::FirstN(d, static_cast<size_t>(count - i));
        const VecF32 value = Sigmoid(d, hn::MaskedLoad(valid, d, gate + i));
        sum = hn::Add(sum, hn::IfThenElseZero(valid, value));
        closed = hn::Add(closed, hn::IfThenElseZero(hn::And(valid, hn::Lt(value, hn::Set(d, kGateClosed))), one));
        open = hn::Add(open, hn::IfThenElseZero(hn::And(valid, hn::Gt(value, hn::Set(d, kGateOpen))), one));
    }
    const float share = 1.0F / static_cast<float>(count);
    out[0] = sumLanes(sum) * share;
    out[1] = sumLanes(closed) * share;
    out[2] = sumLanes(open) * share;
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
