// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cpu/dense.h"
#include "kernels/cpu/thread_pool.h"
#include "tests/unit/kernel_test_support.h"

namespace pal {
namespace {

using testing::expectAsPlainLoops;
using testing::normalFloats;
using testing::roundToBf16;
using testing::sigmoid;
using testing::toBf16;
using testing::view;

constexpr float kEps = 1e-5F;

template <typename Real>
std::vector<Real> rmsNormReference(const std::vector<Real>& x, const std::vector<float>& weight) {
    const size_t width = weight.size();
    std::vector<Real> out;
    for (size_t row = 0; row < x.size() / width; ++row) {
        Real sum = 0;
        for (size_t i = 0; i < width; ++i) sum += x[row * width + i] * x[row * width + i];
        for (size_t i = 0; i < width; ++i) {
            out.push_back(x[row * width + i] / std::sqrt(sum / static_cast<Real>(width) + Real{kEps}) * weight[i]);
        }
    }
    return out;
}

TEST(Embed, CopiesRows) {
    cpu::ThreadPool pool(2);
    const auto table = normalFloats(11 * 7, 1);
    const auto half = toBf16(table);
    const std::vector<int32_t> ids{3, 0, 10, 3};
    std::vector<float> out(4 * 7);
    cpu::embed({ids, {WeightFormat::kF32, 11, 7, table.data(), nullptr}, view(out, {4, 7})}, pool);
    std::vector<float> want;
    for (const int32_t id : ids) want.insert(want.end(), table.begin() + id * 7, table.begin() + (id + 1) * 7);
    EXPECT_EQ(out, want);
    cpu::embed({ids, {WeightFormat::kBF16, 11, 7, half.data(), nullptr}, view(out, {4, 7})}, pool);
    EXPECT_EQ(out, roundToBf16(want));
}

TEST(RmsNorm, StridedAndInPlace) {
    cpu::ThreadPool pool(2);
    const auto weight = normalFloats(29, 2);
    auto wide = normalFloats(5 * 40, 3);
    std::vector<float> x;
    for (size_t t = 0; t < 5; ++t)
        x.insert(x.end(), wide.begin() + static_cast<long>(t) * 40 + 6, wide.begin() + static_cast<long>(t) * 40 + 35);
    const auto part = view(wide, {5, 40}).columns(6, 29);
    const float before = wide[5];
    cpu::rmsNorm({part, weight.data(), kEps, part}, pool);
    std::vector<float> out;
    for (int64_t t = 0; t < 5; ++t) out.insert(out.end(), part.row<float>(t), part.row<float>(t) + 29);
    expectAsPlainLoops(
        out, [&]<typename Real>(Real) { return rmsNormReference(std::vector<Real>(x.begin(), x.end()), weight); });
    EXPECT_EQ(wide[5], before);
}

TEST(DepthMix, OneSourceIsTheIdentity) {
    cpu::ThreadPool pool(1);
    const auto x = normalFloats(3 * 33, 4);
    const auto query = normalFloats(33, 5);
    std::vector<float> out(x.size());
    const std::vector<ConstTensorView> sources{view(x, {3, 33})};
    cpu::depthMix({sources, query.data(), kEps, nullptr, 0, view(out, {3, 33}), {}}, pool);
    EXPECT_EQ(out, x);
}

TEST(DepthMix, MatchesDoubleWithAndWithoutNorm) {
    constexpr size_t kTokens = 4;
    constexpr size_t kWidth = 45;
    cpu::ThreadPool pool(2);
    const auto query = normalFloats(kWidth, 6);
    const auto weight = normalFloats(kWidth, 7);
    for (const size_t n : {2U, 5U, 9U}) {
        std::vector<std::vector<float>> values;
        for (size_t j = 0; j < n; ++j) values.push_back(normalFloats(kTokens * kWidth, static_cast<uint32_t>(10 + j)));
        std::vector<ConstTensorView> sources;
        for (const auto& v : values) sources.push_back(view(v, {kTokens, kWidth}));
        const auto probsOf = [&]<typename Real>(Real) {
            std::vector<Real> probs;
            for (size_t t = 0; t < kTokens; ++t) {
                std::vector<Real> p;
                for (const auto& v : values) {
                    Real square = 0;
                    Real score = 0;
                    for (size_t i = 0; i < kWidth; ++i) {
                        square += Real{v[t * kWidth + i]} * v[t * kWidth + i];
                        score += Real{v[t * kWidth + i]} * query[i];
                    }
                    p.push_back(std::exp(score / std::sqrt(square / kWidth + Real{kEps})));
                }
                Real sum = 0;
                for (const Real x : p) sum += x;
                for (const Real x : p) probs.push_back(x / sum);
            }
            return probs;
        };
        const auto mixed = [&]<typename Real>(Real real) {
            const std::vector<Real> probs = probsOf(real);
            std::vector<Real> want(kTokens * kWidth);
            for (size_t t = 0; t < kTokens; ++t) {
                for (size_t j = 0; j < n; ++j) {
                    for (size_t i = 0; i < kWidth; ++i)
                        want[t * kWidth + i] += probs[t * n + j] * values[j][t * kWidth + i];
                }
            }
            return want;
        };
        std::vector<float> out(kTokens * kWidth);
        std::vector<float> probs(kTokens * n);
        const auto tap = view(probs, {kTokens, static_cast<int64_t>(n)});
        cpu::depthMix({sources, query.data(), kEps, nullptr, 0, view(out, {kTokens, kWidth}), tap}, pool);
        expectAsPlainLoops(out, mixed);
        expectAsPlainLoops(probs, probsOf);
        cpu::depthMix({sources, query.data(), kEps, weight.data(), kEps, view(out, {kTokens, kWidth}), {}}, pool);
        expectAsPlainLoops(out, [&]<typename Real>(Real real) { return rmsNormReference(mixed(real), weight); });
    }
}

TEST(Glu, BothKindsAndTheOpenLinearBranch) {
    cpu::ThreadPool pool(2);
    const auto gate = normalFloats(3 * 51, 20, 12);
    const auto up = normalFloats(3 * 51, 21, 40);
    for (const auto& params : {GluParams{}, GluParams{GluKind::kSitu, 4, 25}, GluParams{GluKind::kSitu, 3, 0}}) {
        auto out = up;  // in place
        cpu::glu({view(gate, {3, 51}), view(out, {3, 51}), params, view(out, {3, 51})}, pool);
        expectAsPlainLoops(out, [&]<typename Real>(Real) {
            std::vector<Real> want;
            for (size_t i = 0; i < gate.size(); ++i) {
                const Real g = gate[i];
                const Real b = params.beta;
                const Real bound = params.linearBeta;
                const Real linear = bound == 0 ? Real{up[i]} : bound * std::tanh(up[i] / bound);
                want.push_back(params.kind == GluKind::kSwiGlu ? g * sigmoid(g) * up[i]
                                                               : b * std::tanh(g / b) * sigmoid(g) * linear);
            }
            return want;
        });
    }
}

TEST(SigmoidGateAndAdd, Elementwise) {
    cpu::ThreadPool pool(2);
    const auto gate = normalFloats(3 * 17, 22, 5);
    const auto x = normalFloats(3 * 17, 23);
    auto out = x;
    std::vector<float> tap(x.size());
    cpu::sigmoidGate({view(out, {3, 17}), view(gate, {3, 17}), view(out, {3, 17}), view(tap, {3, 17})}, pool);
    const auto opened = [&]<typename Real>(Real) {
        std::vector<Real> want;
        for (const float g : gate) want.push_back(sigmoid(Real{g}));
        return want;
    };
    expectAsPlainLoops(tap, opened);
    expectAsPlainLoops(out, [&]<typename Real>(Real real) {
        std::vector<Real> want = opened(real);
        for (size_t i = 0; i < x.size(); ++i) want[i] *= x[i];
        return want;
    });
    const auto base = out;
    cpu::add({view(x, {3, 17}), view(out, {3, 17})}, pool);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], base[i] + x[i]);
}

}  // namespace
}  // namespace pal
