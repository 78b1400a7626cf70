// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <hwy/aligned_allocator.h>

#include "kernels/cpu/kda_forms.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/kda_recurrent.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

// One token on one value row s[K]: with a = exp(g), S k and S q need only one pass over the old row,
//   r = s . (a k),  u = beta (v - r),  o = s . (a q) + u (k . q),  s <- a s + u k.
// Value rows [begin, end) of one head over all tokens. `decay`, `decayedK`, `decayedQ` are scratch of K floats each.
void kdaRecurrentRows(const KdaArgs& args, int64_t head, int64_t begin, int64_t end, float* decay, float* decayedK,
                      float* decayedQ) {
    const int64_t width = args.k.dim(2);
    for (int64_t t = 0; t < args.q.dim(0); ++t) {
        const auto* k = args.k.row<const float>(t, head);
        const auto* q = args.q.row<const float>(t, head);
        const auto* v = args.v.row<const float>(t, head);
        const float beta = args.beta.row<const float>(t)[head];
        float* out = args.out.row<float>(t, head);
        mapFloats(
            width, decay, [](auto d, auto g) HWY_ATTR { return Exp(d, g); }, args.logDecay.row<const float>(t, head));
        const auto multiply = [](auto, auto x, auto y) HWY_ATTR { return hn::Mul(x, y); };
        mapFloats(width, decayedK, multiply, decay, k);
        mapFloats(width, decayedQ, multiply, decay, q);
        const float kq = dot(k, q, width);
        for (int64_t row = begin; row < end; ++row) {
            float* s = args.state.row<float>(head, row);
            const float u = beta * (v[row] - dot(s, decayedK, width));
            out[row] = dot(s, decayedQ, width) + u * kq;
            mapFloats(
                width, s,
                [u](auto d, auto old, auto a, auto key)
                    HWY_ATTR { return hn::MulAdd(hn::Set(d, u), key, hn::Mul(old, a)); },
                s, decay, k);
        }
    }
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(kdaRecurrentRows);

void kdaRecurrent(const KdaArgs& args, ThreadPool& pool) {
    constexpr int64_t kRows = 32;
    const int64_t heads = args.q.dim(1);
    const int64_t width = args.q.dim(2);
    const int64_t valueRows = args.v.dim(2);
    const int64_t blocks = (valueRows + kRows - 1) / kRows;
    const auto scratch = hwy::AllocateAligned<float>(static_cast<size_t>(3 * width * pool.threads()));
    pool.parallelFor(heads * blocks, [&](int64_t task, int thread) {
        const int64_t begin = task % blocks * kRows;
        float* mine = scratch.get() + 3 * width * thread;
        HWY_DYNAMIC_DISPATCH(kdaRecurrentRows)
        (args, task / blocks, begin, std::min(valueRows, begin + kRows), mine, mine + width, mine + 2 * width);
    });
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
