// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "kernels/cpu/kda.h"
#include "kernels/cpu/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/kda_gate.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/probe-inl.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

void l2NormRows(const L2NormArgs& args, int64_t begin, int64_t end) {
    const int64_t width = args.x.dim(2);
    for (int64_t t = begin; t < end; ++t) {
        for (int64_t head = 0; head < args.x.dim(1); ++head) {
            const auto* x = args.x.row<const float>(t, head);
            const float factor = args.scale * reciprocalRoot(sumOfSquares(x, width) + args.eps);
            mapFloats(
                width, args.out.row<float>(t, head),
                [factor](auto d, auto v) HWY_ATTR { return hn::Mul(v, hn::Set(d, factor)); }, x);
        }
    }
}

// g = lowerBound * sigmoid(rate (z + bias))
void boundedDecay(const float* z, const float* bias, float rate, float lowerBound, float* out, int64_t count) {
    mapFloats(
        count, out,
        [=](auto d, auto x, auto b)
            HWY_ATTR { return hn::Mul(hn::Set(d, lowerBound), Sigmoid(d, hn::Mul(hn::Set(d, rate), hn::Add(x, b)))); },
        z, bias);
}

// g = -rate * softplus(z + bias)
void unboundedDecay(const float* z, const float* bias, float rate, float* out, int64_t count) {
    mapFloats(
        count, out,
        [=](auto d, auto x, auto b) HWY_ATTR { return hn::Mul(hn::Set(d, -rate), Softplus(d, hn::Add(x, b))); }, z,
        bias);
}

void kdaGateRows(const KdaGateArgs& args, int64_t begin, int64_t end, Arena& arena) {
    const int64_t heads = args.z.dim(1);
    const int64_t width = args.z.dim(2);
    ArenaScope scope(arena);
    auto* below = scope.array<float>(static_cast<size_t>(width));
    for (int64_t t = begin; t < end; ++t) {
        const int64_t probed = probeRow(args.halfLife, t, args.z.dim(0));
        for (int64_t head = 0; head < heads; ++head) {
            const float rate = std::exp(args.aLog[head]);
            const auto* z = args.z.row<const float>(t, head);
            const float* bias = args.dtBias + head * width;
            float* out = args.logDecay.row<float>(t, head);
            if (args.lowerBound) {
                boundedDecay(z, bias, rate, *args.lowerBound, out, width);
            } else {
                unboundedDecay(z, bias, rate, out, width);
            }
            if (probed >= 0) halfLifeQuantiles(out, width, below, args.halfLife.row<float>(probed, head));
        }
        mapFloats(
            heads, args.beta.row<float>(t), [](auto d, auto x) HWY_ATTR { return Sigmoid(d, x); },
            args.betaLogits.row<const float>(t));
    }
}

void lookAtHeadHere(const KdaLook& look, int64_t index, Arena& arena) {
    const int64_t heads = look.logDecay.dim(1);
    const int64_t probed = index / heads;
    const int64_t head = index % heads;
    if (look.halfLife.present()) {
        const int64_t t = look.logDecay.dim(0) - look.halfLife.dim(0) + probed;
        ArenaScope scope(arena);
        auto* below = scope.array<float>(static_cast<size_t>(look.logDecay.dim(2)));
        halfLifeQuantiles(look.logDecay.row<const float>(t, head), look.logDecay.dim(2), below,
                          look.halfLife.row<float>(probed, head));
    }
    if (look.openness.present()) {
        const int64_t t = look.gate.dim(0) - look.openness.dim(0) + probed;
        openness(look.gate.row<const float>(t, head), look.gate.dim(2), look.openness.row<float>(probed, head));
    }
}

void gatedRmsNormRows(const GatedRmsNormArgs& args, int64_t begin, int64_t end) {
    const int64_t width = args.x.dim(2);
    for (int64_t t = begin; t < end; ++t) {
        const int64_t probed = probeRow(args.openness, t, args.x.dim(0));
        for (int64_t head = 0; head < args.x.dim(1); ++head) {
            const auto* x = args.x.row<const float>(t, head);
            const auto* gate = args.gate.row<const float>(t, head);
            const float factor = reciprocalRoot(sumOfSquares(x, width) / static_cast<float>(width) + args.eps);
            if (args.gateTap.present()) {
                mapFloats(
                    width, args.gateTap.row<float>(t, head), [](auto d, auto g) HWY_ATTR { return Sigmoid(d, g); },
                    gate);
            }
            if (probed >= 0) openness(gate, width, args.openness.row<float>(probed, head));
            mapFloats(
                width, args.out.row<float>(t, head),
                [factor](auto d, auto v, auto w, auto g)
                    HWY_ATTR { return hn::Mul(hn::Mul(hn::Mul(v, hn::Set(d, factor)), w), Sigmoid(d, g)); },
                x, args.weight, gate);
        }
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(l2NormRows);
HWY_EXPORT(kdaGateRows);
HWY_EXPORT(gatedRmsNormRows);
HWY_EXPORT(lookAtHeadHere);

void l2Norm(const L2NormArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.x.dim(0), rowsPerBlock(args.x.dim(1) * args.x.dim(2)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(l2NormRows)(args, begin, end);
    });
}

void lookAtHead(const KdaLook& look, int64_t index, Arena& arena) {
    HWY_DYNAMIC_DISPATCH(lookAtHeadHere)(look, index, arena);
}

void kdaGate(const KdaGateArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.z.dim(0), rowsPerBlock(args.z.dim(1) * args.z.dim(2)),
              [&](int64_t begin, int64_t end, int thread) {
                  HWY_DYNAMIC_DISPATCH(kdaGateRows)(args, begin, end, pool.arena(thread));
              });
}

void gatedRmsNorm(const GatedRmsNormArgs& args, ThreadPool& pool) {
    forBlocks(pool, args.x.dim(0), rowsPerBlock(args.x.dim(1) * args.x.dim(2)), [&](int64_t begin, int64_t end, int) {
        HWY_DYNAMIC_DISPATCH(gatedRmsNormRows)(args, begin, end);
    });
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
