// SPDX-License-Identifier: Apache-2.0
// Elementary functions on float32 vectors, compiled once per instruction set (Highway's "-inl.h" pattern). Every function is branch-free and
// takes any float. NaN stays NaN on x86 vectors, whose Min(limit, x) and Max(limit, x) give x then. Accuracy is measured against double in
// tests/unit/kernel_math_test.cpp.

#if defined(PAL_KERNELS_CPU_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_MATH_INL_H_
#undef PAL_KERNELS_CPU_MATH_INL_H_
#else
#define PAL_KERNELS_CPU_MATH_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Coefficients from the highest power down: ((c0 x + c1) x + c2) ...
template <class D, class V = hn::Vec<D>>
HWY_INLINE V polynomial(D, V, V value) {
    return value;
}
template <class D, class V = hn::Vec<D>, class... Rest>
HWY_INLINE V polynomial(D d, V x, V value, float next, Rest... rest) {
    return polynomial(d, x, hn::MulAdd(value, x, hn::Set(d, next)), rest...);
}

// e^x. Below ln(2^-126) the result is 0 (no denormals are made), above ln(FLT_MAX) it is FLT_MAX. x = n ln2 + r, |r| <= ln2 / 2; the
// polynomial in r is that of Cephes expf.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
    const hn::RebindToSigned<D> di;
    const V magic = hn::Set(d, 12582912.0F);  // 1.5 * 2^23: adding it rounds to an integer that sits in the low bits
    const V clamped = hn::Min(hn::Set(d, 88.72283F), hn::Max(hn::Set(d, -88.0F), x));
    const V shifted = hn::MulAdd(clamped, hn::Set(d, 1.44269504F), magic);
    const V n = hn::Sub(shifted, magic);
    V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375F), clamped);
    r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), r);
    const V q = polynomial(d, r, hn::Set(d, 1.9875691500e-4F), 1.3981999507e-3F, 8.3334519073e-3F, 4.1665795894e-2F,
                           1.6666665459e-1F, 5.0000001201e-1F);
    const V p = hn::Add(hn::MulAdd(hn::Mul(r, r), q, r), hn::Set(d, 1.0F));
    const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
    const V scaled = hn::BitCast(d, hn::Add(hn::BitCast(di, p), exponent));
    return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.33654F)), scaled);
}

// 1 / (1 + e^-x)
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Sigmoid(D d, V x) {
    const V one = hn::Set(d, 1.0F);
    return hn::Div(one, hn::Add(one, Exp(d, hn::Neg(x))));
}

// x / (1 + e^-x)
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Silu(D d, V x) {
    return hn::Div(x, hn::Add(hn::Set(d, 1.0F), Exp(d, hn::Neg(x))));
}

// tanh(x): odd rational function on [-7.9, 7.9], outside of which tanh is 1 in float32 (coefficients: Eigen, ptanh).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Tanh(D d, V x) {
    const V limit = hn::Set(d, 7.90531110763549805F);
    const V c = hn::Min(limit, hn::Max(hn::Neg(limit), x));
    const V c2 = hn::Mul(c, c);
    const V p = polynomial(d, c2, hn::Set(d, -2.76076847742355e-16F), 2.00018790482477e-13F, -8.60467152213735e-11F,
                           5.12229709037114e-08F, 1.48572235717979e-05F, 6.37261928875436e-04F, 4.89352455891786e-03F);
    const V q = polynomial(d, c2, hn::Set(d, 1.19825839466702e-06F), 1.18534705686654e-04F, 2.26843463243900e-03F,
                           4.89352518554385e-03F);
    return hn::Div(hn::Mul(c, p), q);
}

// log(1 + e^x) = max(x, 0) + log1p(e^-|x|), the latter by 2 atanh(t / (2 + t)) as a series that ends at 1e-9.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Softplus(D d, V x) {
    const V t = Exp(d, hn::Neg(hn::Abs(x)));
    const V s = hn::Div(t, hn::Add(t, hn::Set(d, 2.0F)));
    const V series = polynomial(d, hn::Mul(s, s), hn::Set(d, 2.0F / 15), 2.0F / 13, 2.0F / 11, 2.0F / 9, 2.0F / 7,
                                2.0F / 5, 2.0F / 3, 2.0F);
    return hn::MulAdd(s, series, hn::Max(hn::Zero(d), x));
}

// erf(x): odd rational function on [-4, 4] (coefficients: Eigen).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Erf(D d, V x) {
    const V limit = hn::Set(d, 4.0F);
    const V c = hn::Min(limit, hn::Max(hn::Neg(limit), x));
    const V c2 = hn::Mul(c, c);
    const V p =
        polynomial(d, c2, hn::Set(d, -2.72614225801306e-10F), 2.77068142495902e-08F, -2.10102402082508e-06F,
                   -5.69250639462346e-05F, -7.34990630326855e-04F, -2.95459980854025e-03F, -1.60960333262415e-02F);
    const V q = polynomial(d, c2, hn::Set(d, -1.45660718464996e-05F), -2.13374055278905e-04F, -1.68282697438203e-03F,
                           -7.37332916720468e-03F, -1.42647390514189e-02F);
    return hn::Div(hn::Mul(c, p), q);
}

// Calls fn(d, i) for every whole vector of [0, count) that begins at i, then for every single float left over.
template <class Fn>
HWY_INLINE void forVectors(int64_t count, const Fn& fn) {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) fn(d, i);
    for (const hn::CappedTag<float, 1> d1; i < count; ++i) fn(d1, i);
}

// out[i] = fn(d, in0[i], in1[i], ...) for `count` floats. `out` may be one of the inputs.
template <class Fn, class... In>
HWY_INLINE void mapFloats(int64_t count, float* out, const Fn& fn, const In*... in) {
    forVectors(count, [&](auto d, int64_t i) HWY_ATTR { hn::StoreU(fn(d, hn::LoadU(d, in + i)...), d, out + i); });
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
