// SPDX-License-Identifier: Apache-2.0
// The vector functions of kernels/cpu/math-inl.h against double, with the instruction set that this processor runs.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/unit/kernel_math_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::HWY_NAMESPACE {
namespace {

namespace kernel = cpu::HWY_NAMESPACE;

void apply(std::string_view name, const float* x, float* y, int64_t n) {
    if (name == "exp")
        kernel::mapFloats(
            n, y, [](auto d, auto v) HWY_ATTR { return kernel::Exp(d, v); }, x);
    if (name == "sigmoid")
        kernel::mapFloats(
            n, y, [](auto d, auto v) HWY_ATTR { return kernel::Sigmoid(d, v); }, x);
    if (name == "silu")
        kernel::mapFloats(
            n, y, [](auto d, auto v) HWY_ATTR { return kernel::Silu(d, v); }, x);
    if (name == "tanh")
        kernel::mapFloats(
            n, y, [](auto d, auto v) HWY_ATTR { return kernel::Tanh(d, v); }, x);
    if (name == "softplus")
        kernel::mapFloats(
            n, y, [](auto d, auto v) HWY_ATTR { return kernel::Softplus(d, v); }, x);
    if (name == "erf")
        kernel::mapFloats(
            n, y, [](auto d, auto v) HWY_ATTR { return kernel::Erf(d, v); }, x);
}

}  // namespace
}  // namespace pal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal {

HWY_EXPORT(apply);

namespace {

// Every 997th float between -limit and limit, both signs and all magnitudes down to 1e-30.
std::vector<float> samples(float limit) {
    std::vector<float> out;
    for (uint32_t bits = std::bit_cast<uint32_t>(1e-30F); bits < std::bit_cast<uint32_t>(limit); bits += 997) {
        out.push_back(std::bit_cast<float>(bits));
        out.push_back(-out.back());
    }
    return out;
}

// Largest |got - want| / |want| where |want| is a normal float; elsewhere the result must be as tiny.
template <typename Want>
double worstRelative(std::string_view name, const std::vector<float>& x, const Want& want) {
    std::vector<float> y(x.size());
    HWY_DYNAMIC_DISPATCH(apply)(name, x.data(), y.data(), static_cast<int64_t>(x.size()));
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const double exact = want(static_cast<double>(x[i]));
        if (std::abs(exact) < 1.2e-38) {
            EXPECT_LT(std::abs(y[i]), 1.2e-38F) << x[i];
        } else {
            worst = std::max(worst, std::abs(static_cast<double>(y[i]) - exact) / std::abs(exact));
        }
    }
    return worst;
}

constexpr double kUlp = 1.0 / (1 << 23);  // largest relative distance of neighbouring floats

TEST(VectorMath, Exp) {
    const auto exact = [](double x) { return std::exp(x); };
    EXPECT_LT(worstRelative("exp", samples(88.7F), exact), 1.0 * kUlp);
    EXPECT_LT(worstRelative("exp", {-90, -1e4F, -1e30F, -std::numeric_limits<float>::infinity()}, exact), 1e-9);
}

TEST(VectorMath, SigmoidAndSilu) {
    EXPECT_LT(worstRelative("sigmoid", samples(87), [](double x) { return 1 / (1 + std::exp(-x)); }), 2.0 * kUlp);
    EXPECT_LT(worstRelative("silu", samples(80), [](double x) { return x / (1 + std::exp(-x)); }), 2.0 * kUlp);
}

TEST(VectorMath, Tanh) {
    EXPECT_LT(worstRelative("tanh", samples(100), [](double x) { return std::tanh(x); }), 3.0 * kUlp);
}

TEST(VectorMath, Softplus) {
    const auto exact = [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); };
    EXPECT_LT(worstRelative("softplus", samples(87), exact), 3.0 * kUlp);
}

TEST(VectorMath, Erf) {
    EXPECT_LT(worstRelative("erf", samples(100), [](double x) { return std::erf(x); }), 4.0 * kUlp);
}

TEST(VectorMath, NanStaysNan) {
    if (HWY_TARGET == HWY_SCALAR) GTEST_SKIP() << "Highway's scalar Min and Max drop NaN";
    const std::vector<float> x(33, std::numeric_limits<float>::quiet_NaN());
    std::vector<float> y(33);
    for (const char* name : {"exp", "sigmoid", "silu", "tanh", "softplus", "erf"}) {
        HWY_DYNAMIC_DISPATCH(apply)(name, x.data(), y.data(), 33);
        for (const float v : y) EXPECT_TRUE(std::isnan(v)) << name;
    }
}

}  // namespace
}  // namespace pal
#endif  // HWY_ONCE
