// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/cpu/flush_denormals.h"
#include "kernels/cpu/kda_forms.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/kda_recurrent.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/probe-inl.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

// One token on kRows value rows of the state, `stride` floats apart. With a = exp(g), S k and S q need only one pass over the old rows:
//   u = beta (v - s . (a k)),  o = s . (a q) + u (k . q),  s <- a s + u k
struct Token {
    const float* key;       // k
    const float* decay;     // a
    const float* decayedK;  // a k
    const float* decayedQ;  // a q
    float keyQuery;         // k . q
    float beta;
};

HWY_INLINE VecF32 firstLaneOf(float value) {
    return hn::IfThenElseZero(hn::FirstN(F32(), 1), hn::Set(F32(), value));
}

// `writes` gets u; with kLook the squares of the new rows are added to squares[r], lane by lane: sums of their own, that no row waits for another.
template <int kRows, bool kLook>
HWY_INLINE void stepRows(const Token& token, int64_t width, const float* v, float* out, float* writes,
                         float* HWY_RESTRICT s, int64_t stride, VecF32* squares) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t whole = width / lanes * lanes;
    VecF32 keySum[kRows];
    VecF32 querySum[kRows];
    PAL_UNROLL
    for (int r = 0; r < kRows; ++r) keySum[r] = querySum[r] = hn::Zero(d);
    for (int64_t c = 0; c < whole; c += lanes) {
        const VecF32 k = hn::LoadU(d, token.decayedK + c);
        const VecF32 q = hn::LoadU(d, token.decayedQ + c);
        PAL_UNROLL
        for (int r = 0; r < kRows; ++r) {
            const VecF32 old = hn::LoadU(d, s + r * stride + c);
            keySum[r] = hn::MulAdd(old, k, keySum[r]);
            querySum[r] = hn::MulAdd(old, q, querySum[r]);
        }
    }
    VecF32 u[kRows];
    PAL_UNROLL
    for (int r = 0; r < kRows; ++r) {
        float recalled = sumLanes(keySum[r]);
        float read = sumLanes(querySum[r]);
        for (int64_t c = whole; c < width; ++c) {
            recalled += s[r * stride + c] * token.decayedK[c];
            read += s[r * stride + c] * token.decayedQ[c];
        }
        const float write = token.beta * (v[r] - recalled);
        out[r] = read + write * token.keyQuery;
        writes[r] = write;
        u[r] = hn::Set(d, write);
        for (int64_t c = whole; c < width; ++c) {
            s[r * stride + c] = s[r * stride + c] * token.decay[c] + write * token.key[c];
            if constexpr (kLook) squares[r] = hn::Add(squares[r], firstLaneOf(s[r * stride + c] * s[r * stride + c]));
        }
    }
    VecF32 sums[kRows];
    PAL_UNROLL
    for (int r = 0; r < kRows; ++r) sums[r] = kLook ? squares[r] : hn::Zero(d);
    for (int64_t c = 0; c < whole; c += lanes) {
        const VecF32 a = hn::LoadU(d, token.decay + c);
        const VecF32 k = hn::LoadU(d, token.key + c);
        PAL_UNROLL
        for (int r = 0; r < kRows; ++r) {
            float* at = s + r * stride + c;
            const VecF32 next = hn::MulAdd(u[r], k, hn::Mul(hn::LoadU(d, at), a));
            hn::StoreU(next, d, at);
            if constexpr (kLook) sums[r] = hn::MulAdd(next, next, sums[r]);
        }
    }
    if constexpr (kLook) {
        PAL_UNROLL
        for (int r = 0; r < kRows; ++r) squares[r] = sums[r];
    }
}

// Value rows [begin, end) of one head; with kLook returns the sum of squares of the new rows.
template <bool kLook>
HWY_INLINE float stepAll(const Token& token, const KdaArgs& args, int64_t t, int64_t head, int64_t begin, int64_t end,
                         float* writes) {
    constexpr int kRows = 4;
    const int64_t width = args.k.dim(2);
    const int64_t stride = args.state.stride[1];
    const auto* v = args.v.row<const float>(t, head);
    float* out = args.out.row<float>(t, head);
    VecF32 squares[kRows];
    for (VecF32& sum : squares) sum = hn::Zero(F32());
    int64_t row = begin;
    for (; row + kRows <= end; row += kRows) {
        stepRows<kRows, kLook>(token, width, v + row, out + row, writes + row - begin, args.state.row<float>(head, row),
                               stride, squares);
    }
    for (; row < end; ++row) {
        stepRows<1, kLook>(token, width, v + row, out + row, writes + row - begin, args.state.row<float>(head, row),
                           stride, squares);
    }
    if constexpr (!kLook) return 0.0F;
    static_assert(kRows == 4);
    return sumLanes(hn::Add(hn::Add(squares[0], squares[1]), hn::Add(squares[2], squares[3])));
}

// Value rows [begin, end) of one head over all tokens. `squares`: null, or of probed token p the sums of squares of u at [p * 2 * stride] and of
// the state's rows at [(p * 2 + 1) * stride].
void kdaRecurrentRows(const KdaArgs& args, int64_t head, int64_t begin, int64_t end, float* squares,
                      int64_t squaresStride, Arena& arena) {
    const int64_t width = args.k.dim(2);
    ArenaScope scope(arena);
    auto* decay = scope.array<float>(static_cast<size_t>(width));
    auto* decayedK = scope.array<float>(static_cast<size_t>(width));
    auto* decayedQ = scope.array<float>(static_cast<size_t>(width));
    auto* writes = scope.array<float>(static_cast<size_t>(end - begin));
    const auto multiply = [](auto, auto x, auto y) HWY_ATTR { return hn::Mul(x, y); };
    for (int64_t t = 0; t < args.q.dim(0); ++t) {
        const auto* k = args.k.row<const float>(t, head);
        const auto* q = args.q.row<const float>(t, head);
        mapFloats(
            width, decay, [](auto d, auto g) HWY_ATTR { return Exp(d, g); }, args.logDecay.row<const float>(t, head));
        mapFloats(width, decayedK, multiply, decay, k);
        mapFloats(width, decayedQ, multiply, decay, q);
        const Token token{k, decay, decayedK, decayedQ, dot(k, q, width), args.beta.row<const float>(t)[head]};
        const int64_t probed = probeRow(args.probe.write, t, args.q.dim(0));
        if (probed < 0) {
            stepAll<false>(token, args, t, head, begin, end, writes);
            continue;
        }
        squares[(2 * probed + 1) * squaresStride] = stepAll<true>(token, args, t, head, begin, end, writes);
        squares[2 * probed * squaresStride] = sumOfSquares(writes, end - begin);
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(kdaRecurrentRows);

void kdaRecurrent(const KdaArgs& args, const KdaLook& look, ThreadPool& pool) {
    constexpr int64_t kRows = 32;
    const int64_t heads = args.q.dim(1);
    const int64_t valueRows = args.v.dim(2);
    const int64_t blocks = (valueRows + kRows - 1) / kRows;
    const int64_t tasks = heads * blocks;
    const int64_t probed = args.probe.present() ? args.probe.write.dim(0) : 0;
    ArenaScope scope(pool.arena(0));
    auto* squares = scope.array<float>(static_cast<size_t>(2 * probed * tasks));
    // Spread evenly among the others, so that a thread has the same rows of the state as without a look: they lie in its cache.
    const int64_t looks = look.heads();
    pool.parallelFor(tasks + looks, [&](int64_t index, int thread) {
        const int64_t task = index * tasks / (tasks + looks);
        if ((index + 1) * tasks / (tasks + looks) == task) return lookAtHead(look, index - task, pool.arena(thread));
        const FlushDenormals flush;
        const int64_t begin = task % blocks * kRows;
        HWY_DYNAMIC_DISPATCH(kdaRecurrentRows)
        (args, task / blocks, begin, std::min(valueRows, begin + kRows), squares + task, tasks, pool.arena(thread));
    });
    for (int64_t i = 0; i < 2 * probed * heads; ++i) {
        const float* parts = squares + i * blocks;
        const TensorView& out = i / heads % 2 == 0 ? args.probe.write : args.probe.stateNorm;
        out.row<float>(i / heads / 2)[i % heads] = std::sqrt(std::accumulate(parts, parts + blocks, 0.0F));
    }
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
