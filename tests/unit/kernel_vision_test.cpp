// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cpu/thread_pool.h"
#include "kernels/cpu/vision.h"
#include "tests/unit/kernel_test_support.h"

namespace pal {
namespace {

using testing::expectAsPlainLoops;
using testing::normalFloats;
using testing::view;

TEST(VisionPosition, ResizesBilinearlyAndAddsTimeToClipsOnly) {
    constexpr int64_t kWidth = 22;
    cpu::ThreadPool pool(2);
    for (const auto& [t, h, w] : std::vector<std::array<int64_t, 3>>{{1, 6, 5}, {1, 2, 2}, {3, 9, 4}, {1, 13, 1}}) {
        const int64_t tableH = 6;
        const int64_t tableW = 5;
        const auto table = normalFloats(tableH * tableW * kWidth, 1);
        auto x = normalFloats(t * h * w * kWidth, 2);
        const auto before = x;
        const auto source = [](int64_t i, int64_t in, int64_t out) {
            const double s = (static_cast<double>(i) + 0.5) * static_cast<double>(in) / static_cast<double>(out) - 0.5;
            return std::min(std::max(s, 0.0), static_cast<double>(in - 1));
        };
        const auto reference = [&, t = t, h = h, w = w]<typename Real>(Real) {
            std::vector<Real> want;
            for (int64_t row = 0; row < t * h * w; ++row) {
                const double sy = source(row / w % h, tableH, h);
                const double sx = source(row % w, tableW, w);
                const auto y0 = static_cast<int64_t>(sy);
                const auto x0 = static_cast<int64_t>(sx);
                const auto fy = static_cast<Real>(sy - static_cast<double>(y0));
                const auto fx = static_cast<Real>(sx - static_cast<double>(x0));
                const auto entry = [&](int64_t a, int64_t b, int64_t c) {
                    return Real{table[static_cast<size_t>(
                        (std::min(a, tableH - 1) * tableW + std::min(b, tableW - 1)) * kWidth + c)]};
                };
                for (int64_t c = 0; c < kWidth; ++c) {
                    Real sum = before[static_cast<size_t>(row * kWidth + c)];
                    sum += (1 - fy) * ((1 - fx) * entry(y0, x0, c) + fx * entry(y0, x0 + 1, c)) +
                           fy * ((1 - fx) * entry(y0 + 1, x0, c) + fx * entry(y0 + 1, x0 + 1, c));
                    const int64_t half = kWidth / 2;
                    const double omega = std::pow(10000.0, -static_cast<double>(c % half) / static_cast<double>(half));
                    const double angle = static_cast<double>(row / (h * w)) * omega;
                    if (t > 1) sum += static_cast<Real>(c < half ? std::sin(angle) : std::cos(angle));
                    want.push_back(sum);
                }
            }
            return want;
        };
        cpu::visionPosition({{t, h, w}, table.data(), tableH, tableW, view(x, {t * h * w, kWidth})}, pool);
        expectAsPlainLoops(x, reference, std::to_string(h) + " x " + std::to_string(w));
    }
}

TEST(Rotate2d, EvenPairsTurnWithTheColumn) {
    constexpr int64_t kDim = 20;
    cpu::ThreadPool pool(2);
    const PatchGrid grid{2, 3, 5};
    auto x = normalFloats(grid.patches() * 2 * kDim, 3);
    const auto before = x;
    const auto turned = [&]<typename Real>(Real) {
        std::vector<Real> want(before.begin(), before.end());
        for (int64_t patch = 0; patch < grid.patches(); ++patch) {
            const auto column = static_cast<double>(patch % 5);
            const auto row = static_cast<double>(patch / 5 % 3);
            for (int64_t head = 0; head < 2; ++head) {
                for (int64_t j = 0; j < kDim / 2; ++j) {
                    const double frequency = std::pow(10000.0, -4.0 * static_cast<double>(j / 2) / kDim);
                    const double angle = (j % 2 == 0 ? column : row) * frequency;
                    Real* pair = want.data() + (patch * 2 + head) * kDim + 2 * j;
                    const auto cosine = static_cast<Real>(std::cos(angle));
                    const auto sine = static_cast<Real>(std::sin(angle));
                    const Real a = pair[0];
                    const Real b = pair[1];
                    pair[0] = a * cosine - b * sine;
                    pair[1] = a * sine + b * cosine;
                }
            }
        }
        return want;
    };
    cpu::rotate2d({grid, view(x, {grid.patches(), 2, kDim})}, pool);
    expectAsPlainLoops(x, turned);
}

TEST(VisionAttention, MatchesDoubleOnStridedViews) {
    constexpr int64_t kHeads = 2;
    for (const auto& [n, dim] : std::vector<std::pair<int64_t, int64_t>>{{1, 12}, {16, 24}, {67, 20}, {300, 128}}) {
        const auto qkv = normalFloats(n * 3 * kHeads * dim, 4);
        const auto wide = view(qkv, {n, 3 * kHeads * dim});
        const auto part = [&](int64_t i) {
            return wide.columns(i * kHeads * dim, kHeads * dim).splitLast(kHeads, dim);
        };
        const float scale = 1 / std::sqrt(static_cast<float>(dim));
        const auto reference = [&, n = n, dim = dim]<typename Real>(Real) {
            std::vector<Real> want(static_cast<size_t>(n * kHeads * dim));
            for (int64_t head = 0; head < kHeads; ++head) {
                for (int64_t i = 0; i < n; ++i) {
                    std::vector<Real> p;
                    Real sum = 0;
                    for (int64_t s = 0; s < n; ++s) {
                        Real score = 0;
                        for (int64_t c = 0; c < dim; ++c) {
                            score += Real{part(0).row<const float>(i, head)[c]} * part(1).row<const float>(s, head)[c];
                        }
                        p.push_back(std::exp(score * scale));
                        sum += p.back();
                    }
                    for (int64_t s = 0; s < n; ++s) {
                        for (int64_t c = 0; c < dim; ++c) {
                            want[static_cast<size_t>((i * kHeads + head) * dim + c)] +=
                                p[static_cast<size_t>(s)] / sum * part(2).row<const float>(s, head)[c];
                        }
                    }
                }
            }
            return want;
        };
        std::vector<std::vector<float>> results;
        for (const int threads : {1, 3}) {
            cpu::ThreadPool pool(threads);
            results.emplace_back(static_cast<size_t>(n * kHeads * dim));
            cpu::visionAttention({part(0), part(1), part(2), scale, view(results.back(), {n, kHeads, dim})}, pool);
        }
        expectAsPlainLoops(results[0], reference, std::to_string(n) + " patches of " + std::to_string(dim));
        EXPECT_EQ(results[0], results[1]);
    }
}

TEST(Gelu, TanhAndErf) {
    cpu::ThreadPool pool(2);
    std::vector<float> x;
    for (int i = -2000; i <= 2000; ++i) x.push_back(static_cast<float>(i) * 0.005F);
    const auto count = static_cast<int64_t>(x.size());
    auto tanhOut = x;
    auto erfOut = x;
    cpu::gelu({GeluKind::kTanh, view(tanhOut, {1, count})}, pool);
    cpu::gelu({GeluKind::kErf, view(erfOut, {1, count})}, pool);
    expectAsPlainLoops(tanhOut, [&]<typename Real>(Real) {
        std::vector<Real> want;
        for (const Real v : x) {
            const Real inner = static_cast<Real>(std::sqrt(2 / M_PI)) * (v + static_cast<Real>(0.044715) * v * v * v);
            want.push_back(v / 2 * (1 + std::tanh(inner)));
        }
        return want;
    });
    expectAsPlainLoops(erfOut, [&]<typename Real>(Real) {
        std::vector<Real> want;
        for (const Real v : x) want.push_back(v / 2 * (1 + std::erf(v / std::sqrt(Real{2}))));
        return want;
    });
}

TEST(MergePatches, OrdersTheBlockAndAveragesFrames) {
    constexpr int64_t kWidth = 3;
    cpu::ThreadPool pool(2);
    const PatchGrid grid{2, 4, 6};
    const auto x = normalFloats(grid.patches() * kWidth, 5);
    std::vector<float> out(static_cast<size_t>(2 * 3 * 4 * kWidth));
    cpu::mergePatches({grid, 2, 2, view(x, {grid.patches(), kWidth}), view(out, {6, 4 * kWidth})}, pool);
    expectAsPlainLoops(out, [&]<typename Real>(Real) {
        std::vector<Real> want;
        for (int64_t i = 0; i < static_cast<int64_t>(out.size()); ++i) {
            const int64_t token = i / (4 * kWidth);
            const int64_t inner = i / kWidth % 4;
            const int64_t y = token / 3 * 2 + inner / 2;
            const int64_t column = token % 3 * 2 + inner % 2;
            Real mean = 0;
            for (int64_t frame = 0; frame < 2; ++frame) {
                mean += Real{0.5F} * x[static_cast<size_t>(((frame * 4 + y) * 6 + column) * kWidth + i % kWidth)];
            }
            want.push_back(mean);
        }
        return want;
    });
}

}  // namespace
}  // namespace pal
