// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/state_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pal::inspect {
namespace {

std::vector<float> random(int64_t count, uint32_t seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    std::vector<float> out(static_cast<size_t>(count));
    for (float& x : out) x = normal(engine);
    return out;
}

TEST(StateFigures, DiagonalsAreTheirOwnSingularValues) {
    const StateFigures got = stateFigures(std::vector<float>{0, -3, 0, 0, 0, 4}, 2, 3);
    ASSERT_EQ(got.singular.size(), 2U);
    EXPECT_NEAR(got.singular[0], 4, 1e-12);
    EXPECT_NEAR(got.singular[1], 3, 1e-12);
    EXPECT_NEAR(got.norm, 5, 1e-12);
    const double p = 16.0 / 25;
    EXPECT_NEAR(got.effectiveRank, std::exp(-p * std::log(p) - (1 - p) * std::log(1 - p)), 1e-12);
}

TEST(StateFigures, RankOneAndEqualDirections) {
    std::vector<float> one(30 * 20);
    const std::vector<float> u = random(30, 1);
    const std::vector<float> v = random(20, 2);
    for (size_t i = 0; i < 30; ++i) {
        for (size_t j = 0; j < 20; ++j) one[i * 20 + j] = u[i] * v[j];
    }
    EXPECT_NEAR(stateFigures(one, 30, 20).effectiveRank, 1, 1e-5);
    std::vector<float> equal(16 * 16);
    for (size_t i = 0; i < 16; ++i) equal[i * 16 + (i + 5) % 16] = i % 2 == 0 ? 2 : -2;
    EXPECT_NEAR(stateFigures(equal, 16, 16).effectiveRank, 16, 1e-9);
    const StateFigures none = stateFigures(std::vector<float>(12), 3, 4);
    EXPECT_EQ(none.norm, 0);
    EXPECT_EQ(none.effectiveRank, 0);
}

// Singular values s of M: sums of powers are the traces of (M M^T)^n, which need no decomposition; both ways to lie give the same.
TEST(StateFigures, AgreeWithTracesOfPowers) {
    const int64_t rows = 24;
    const int64_t columns = 17;
    const std::vector<float> m = random(rows * columns, 3);
    std::vector<float> turned(m.size());
    std::vector<double> gram(static_cast<size_t>(rows * rows));
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t c = 0; c < columns; ++c)
            turned[static_cast<size_t>(c * rows + i)] = m[static_cast<size_t>(i * columns + c)];
        for (int64_t j = 0; j < rows; ++j) {
            for (int64_t c = 0; c < columns; ++c) {
                gram[static_cast<size_t>(i * rows + j)] +=
                    double{m[static_cast<size_t>(i * columns + c)]} * m[static_cast<size_t>(j * columns + c)];
            }
        }
    }
    double trace = 0;
    double traceOfSquare = 0;
    for (int64_t i = 0; i < rows; ++i) {
        trace += gram[static_cast<size_t>(i * rows + i)];
        for (int64_t j = 0; j < rows; ++j) traceOfSquare += std::pow(gram[static_cast<size_t>(i * rows + j)], 2);
    }
    for (const StateFigures& got : {stateFigures(m, rows, columns), stateFigures(turned, columns, rows)}) {
        ASSERT_EQ(got.singular.size(), 17U);
        double squares = 0;
        double fourths = 0;
        for (const double s : got.singular) {
            squares += s * s;
            fourths += s * s * s * s;
        }
        EXPECT_NEAR(squares / trace, 1, 1e-12);
        EXPECT_NEAR(fourths / traceOfSquare, 1, 1e-12);
        EXPECT_NEAR(got.norm * got.norm / trace, 1, 1e-12);
    }
}

TEST(StateFigures, DifferenceIsWhatCameAfter) {
    EXPECT_EQ(stateDifference(std::vector<float>{1, 2, 3}, std::vector<float>{5, 2, -1}),
              (std::vector<float>{4, 0, -4}));
}

}  // namespace
}  // namespace pal::inspect
