// SPDX-License-Identifier: Apache-2.0
// The gated activations of GluParams on vectors, compiled once per instruction set; shared by glu, dense MLP and experts.

#if defined(PAL_KERNELS_CPU_GLU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_GLU_INL_H_
#undef PAL_KERNELS_CPU_GLU_INL_H_
#else
#define PAL_KERNELS_CPU_GLU_INL_H_
#endif

#include "kernels/api/dense_args.h"
#include "kernels/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// silu(gate) * up
template <class D, class V = hn::Vec<D>>
HWY_INLINE V SwiGlu(D d, V gate, V up) {
    return hn::Mul(Silu(d, gate), up);
}

// b tanh(gate / b) sigmoid(gate) * up
template <class D, class V = hn::Vec<D>>
HWY_INLINE V SituUnbounded(D d, V gate, V up, float beta) {
    const V b = hn::Set(d, beta);
    return hn::Mul(hn::Mul(hn::Mul(b, Tanh(d, hn::Div(gate, b))), Sigmoid(d, gate)), up);
}

// b tanh(gate / b) sigmoid(gate) * B tanh(up / B)
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Situ(D d, V gate, V up, float beta, float linearBeta) {
    const V limit = hn::Set(d, linearBeta);
    return SituUnbounded(d, gate, hn::Mul(limit, Tanh(d, hn::Div(up, limit))), beta);
}

// out[i] = glu(gate[i], up[i]); `out` may be `gate` or `up`.
HWY_INLINE void gluRow(const GluParams& params, const float* gate, const float* up, float* out, int64_t count) {
    const float beta = params.beta;
    const float linearBeta = params.linearBeta;
    if (params.kind == GluKind::kSwiGlu) {
        mapFloats(
            count, out, [](auto d, auto g, auto u) HWY_ATTR { return SwiGlu(d, g, u); }, gate, up);
    } else if (linearBeta == 0) {
        mapFloats(
            count, out, [=](auto d, auto g, auto u) HWY_ATTR { return SituUnbounded(d, g, u, beta); }, gate, up);
    } else {
        mapFloats(
            count, out, [=](auto d, auto g, auto u) HWY_ATTR { return Situ(d, g, u, beta, linearBeta); }, gate, up);
    }
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
