// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cpu/dense.h"
#include "kernels/cpu/thread_pool.h"
#include "tests/unit/kernel_test_support.h"

namespace pal {
namespace {

using testing::normalFloats;
using testing::relativeError;
using testing::roundToBf16;
using testing::toBf16;
using testing::view;

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

std::vector<double> rmsNormReference(const std::vector<double>& x, const std::vector<float>& weight, double eps) {
    const size_t width = weight.size();
    std::vector<double> out;
    for (size_t row = 0; row < x.size() / width; ++row) {
        double sum = 0;
        for (size_t i = 0; i < width; ++i) sum += x[row * width + i] * x[row * width + i];
        for (size_t i = 0; i < width; ++i) {
            out.push_back(x[row * width + i] / std::sqrt(sum / static_cast<double>(width) + eps) * weight[i]);
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
    std::vector<double> x;
    for (size_t t = 0; t < 5; ++t)
        x.insert(x.end(), wide.begin() + static_cast<long>(t) * 40 + 6, wide.begin() + static_cast<long>(t) * 40 + 35);
    const auto part = view(wide, {5, 40}).columns(6, 29);
    const float before = wide[5];
    cpu::rmsNorm({part, weight.data(), 1e-5F, part}, pool);
    std::vector<float> out;
    for (int64_t t = 0; t < 5; ++t) out.insert(out.end(), part.row<float>(t), part.row<float>(t) + 29);
    EXPECT_LT(relativeError(out, rmsNormReference(x, weight, 1e-5)), 1e-6);
    EXPECT_EQ(wide[5], before);
}

TEST(DepthMix, OneSourceIsTheIdentity) {
    cpu::ThreadPool pool(1);
    const auto x = normalFloats(3 * 33, 4);
    const auto query = normalFloats(33, 5);
    std::vector<float> out(x.size());
    const std::vector<ConstTensorView> sources{view(x, {3, 33})};
    cpu::depthMix({sources, query.data(), 1e-5F, nullptr, 0, view(out, {3, 33}), {}}, pool);
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
        std::vector<double> want(kTokens * kWidth);
        std::vector<double> wantProbs;
        for (size_t t = 0; t < kTokens; ++t) {
            std::vector<double> p;
            for (const auto& v : values) {
                double square = 0;
                double score = 0;
                for (size_t i = 0; i < kWidth; ++i) {
                    square += double{v[t * kWidth + i]} * v[t * kWidth + i];
                    score += double{v[t * kWidth + i]} * query[i];
                }
                p.push_back(std::exp(score / std::sqrt(square / kWidth + 1e-5)));
            }
            double sum = 0;
            for (const double x : p) sum += x;
            for (size_t j = 0; j < n; ++j) {
                wantProbs.push_back(p[j] / sum);
                for (size_t i = 0; i < kWidth; ++i) want[t * kWidth + i] += p[j] / sum * values[j][t * kWidth + i];
            }
        }
        std::vector<float> out(want.size());
        std::vector<float> probs(wantProbs.size());
        const auto tap = view(probs, {kTokens, static_cast<int64_t>(n)});
        cpu::depthMix({sources, query.data(), 1e-5F, nullptr, 0, view(out, {kTokens, kWidth}), tap}, pool);
        EXPECT_LT(relativeError(out, want), 3e-6);
        EXPECT_LT(relativeError(probs, wantProbs), 3e-6);
        cpu::depthMix({sources, query.data(), 1e-5F, weight.data(), 1e-5F, view(out, {kTokens, kWidth}), {}}, pool);
        EXPECT_LT(relativeError(out, rmsNormReference(want, weight, 1e-5)), 3e-6);
    }
}

TEST(Glu, BothKindsAndTheOpenLinearBranch) {
    cpu::ThreadPool pool(2);
    const auto gate = normalFloats(3 * 51, 20, 12);
    const auto up = normalFloats(3 * 51, 21, 40);
    for (const auto& params : {GluParams{}, GluParams{GluKind::kSitu, 4, 25}, GluParams{GluKind::kSitu, 3, 0}}) {
        std::vector<double> want;
        for (size_t i = 0; i < gate.size(); ++i) {
            const double g = gate[i];
            const double b = params.beta;
            const double bound = params.linearBeta;
            const double linear = bound == 0 ? up[i] : bound * std::tanh(up[i] / bound);
            want.push_back(params.kind == GluKind::kSwiGlu ? g * sigmoid(g) * up[i]
                                                           : b * std::tanh(g / b) * sigmoid(g) * linear);
        }
        auto out = up;  // in place
        cpu::glu({view(gate, {3, 51}), view(out, {3, 51}), params, view(out, {3, 51})}, pool);
        for (size_t i = 0; i < want.size(); ++i)
            EXPECT_NEAR(out[i], want[i], 1e-6 * std::abs(want[i]) + 1e-30) << gate[i];
    }
}

TEST(SigmoidGateAndAdd, Elementwise) {
    cpu::ThreadPool pool(2);
    const auto gate = normalFloats(3 * 17, 22, 5);
    const auto x = normalFloats(3 * 17, 23);
    auto out = x;
    std::vector<float> tap(x.size());
    cpu::sigmoidGate({view(out, {3, 17}), view(gate, {3, 17}), view(out, {3, 17}), view(tap, {3, 17})}, pool);
    for (size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(out[i], x[i] * sigmoid(gate[i]), 1e-6 * std::abs(x[i]));
        EXPECT_NEAR(tap[i], sigmoid(gate[i]), 2e-7);
    }
    const auto base = out;
    cpu::add({view(x, {3, 17}), view(out, {3, 17})}, pool);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], base[i] + x[i]);
}

}  // namespace
}  // namespace pal
