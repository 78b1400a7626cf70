// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/linear.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "kernels/cpu/isa.h"
#include "tests/unit/kernel_fixture.h"

namespace pal::cpu {
namespace {

using test::Activations;
using test::Random;
using test::Weight;
using Write = LinearPart::Write;

void run(const ConstTensorView& x, std::initializer_list<LinearPart> parts, int threads = 1) {
    ThreadPool pool(threads);
    linear({x, {parts.begin(), parts.size()}}, pool);
}

// A dot product of K terms in float32 errs by at most about K u sum |w x| (Higham, Accuracy and Stability, 3.1); lanes only make it better.
void expectProduct(const Weight& weight, const Activations& x, const Activations& out,
                   const Activations* before = nullptr) {
    const int64_t cols = x.cols();
    for (int64_t t = 0; t < x.rows(); ++t) {
        for (int64_t n = 0; n < out.cols(); ++n) {
            double sum = before != nullptr ? static_cast<double>(before->at(t, n)) : 0;
            double magnitude = std::abs(sum);
            for (int64_t k = 0; k < cols; ++k) {
                const double term = weight.at(n, k) * static_cast<double>(x.at(t, k));
                sum += term;
                magnitude += std::abs(term);
            }
            const double bound = static_cast<double>(cols + 2) * 0x1p-24 * magnitude;
            ASSERT_LE(std::abs(sum - static_cast<double>(out.at(t, n))), bound)
                << "t " << t << " n " << n << " K " << cols;
        }
    }
}

constexpr std::array kFormats = {WeightFormat::kF32, WeightFormat::kBF16, WeightFormat::kMxfp4};

class LinearFormat : public ::testing::TestWithParam<WeightFormat> {
  protected:
    [[nodiscard]] std::vector<int64_t> widths() const {
        if (GetParam() == WeightFormat::kMxfp4) return {32, 64, 96, 224, 256, 384, 480, 1056};
        return {1, 2, 7, 8, 15, 16, 17, 31, 33, 100, 384, 1025};
    }
};
INSTANTIATE_TEST_SUITE_P(All, LinearFormat, ::testing::ValuesIn(kFormats));

TEST_P(LinearFormat, MatchesTheDoubleLoopForOddSizes) {
    Random random(1);
    for (const int64_t cols : widths()) {
        for (const int64_t rows : {1, 3, 4, 17, 70}) {
            const Weight weight(GetParam(), rows, cols, random);
            for (const int64_t tokens : {0, 1, 2, 3, 5, 7, 64, 65}) {
                Activations x(tokens, cols);
                x.randomise(random);
                Activations out(tokens, rows);
                run(x.view(), {{weight.view(), out.view()}});
                ASSERT_NO_FATAL_FAILURE(expectProduct(weight, x, out));
            }
        }
    }
}

// More tokens than share an unpacking of the weights, more rows than a task has, and no whole number of tiles of either.
TEST_P(LinearFormat, MatchesTheDoubleLoopForManyTokens) {
    Random random(10);
    const Weight weight(GetParam(), 417, 544, random);
    Activations x(291, 544);
    x.randomise(random);
    Activations out(291, 417);
    run(x.view(), {{weight.view(), out.view()}}, 2);
    expectProduct(weight, x, out);
}

TEST_P(LinearFormat, AddsToStridedOutputsOfStridedInputs) {
    Random random(2);
    const Weight weight(GetParam(), 37, 96, random);
    for (const int64_t tokens : {1, 2, 9, 33}) {
        Activations x(tokens, 96, 5);
        Activations out(tokens, 37, 3);
        x.randomise(random);
        const Activations before = out.randomise(random);
        run(x.view(), {{weight.view(), out.view(), Write::kAdd}}, 2);
        ASSERT_NO_FATAL_FAILURE(expectProduct(weight, x, out, &before));
        EXPECT_TRUE(out.markersIntact());
        EXPECT_TRUE(x.markersIntact());
    }
}

// A single token may have a form of its own (see LinearArgs).
TEST_P(LinearFormat, ARowDependsNeitherOnTheOthersNorOnTheThreads) {
    Random random(3);
    constexpr int64_t kTokens = 67;
    constexpr int64_t kRows = 131;
    for (const int64_t cols : {96, 1056, 2400}) {
        const Weight weight(GetParam(), kRows, cols, random);
        Activations x(kTokens, cols);
        x.randomise(random);
        Activations together(kTokens, kRows);
        Activations alone(kTokens, kRows);
        run(x.view(), {{weight.view(), together.view()}}, 3);
        for (int64_t t = 0; t < kTokens; ++t) run(x.view().rows(t, 1), {{weight.view(), alone.view().rows(t, 1)}});
        for (const int64_t tokens : {1, 2, 3, 4, 5, 6, 8, 12, 13, 31}) {
            const bool ownForm = GetParam() == WeightFormat::kMxfp4 || (GetParam() == WeightFormat::kBF16 && usesAmx());
            const bool single = ownForm && tokens == 1;
            const Activations& expected = single ? alone : together;
            Activations some(tokens, kRows);
            for (int64_t begin = 0; begin + tokens <= kTokens; begin += tokens) {
                run(x.view().rows(begin, tokens), {{weight.view(), some.view()}}, 1 + static_cast<int>(begin % 2));
                for (int64_t t = 0; t < tokens; ++t) {
                    for (int64_t n = 0; n < kRows; ++n)
                        ASSERT_EQ(some.at(t, n), expected.at(begin + t, n)) << tokens << " tokens";
                }
            }
        }
    }
}

TEST(Linear, PartsOfAllFormatsShareTheirInput) {
    Random random(4);
    const Weight a(WeightFormat::kBF16, 5, 64, random);
    const Weight b(WeightFormat::kMxfp4, 33, 64, random);
    const Weight c(WeightFormat::kF32, 2, 64, random);
    const Weight d(WeightFormat::kBF16, 100, 64, random);
    for (const int64_t tokens : {1, 6}) {
        Activations x(tokens, 64);
        x.randomise(random);
        Activations wide(tokens, 140);
        Activations last(tokens, 100);
        const TensorView all = wide.view();
        run(x.view(),
            {{a.view(), all.columns(0, 5)},
             {b.view(), all.columns(5, 33)},
             {c.view(), all.columns(38, 2)},
             {d.view(), last.view()}},
            2);
        int64_t begin = 0;
        for (const Weight* weight : {&a, &b, &c}) {
            Activations part(tokens, weight->view().rows);
            for (int64_t t = 0; t < tokens; ++t) {
                for (int64_t n = 0; n < part.cols(); ++n) part.at(t, n) = wide.at(t, begin + n);
            }
            expectProduct(*weight, x, part);
            begin += part.cols();
        }
        expectProduct(d, x, last);
        EXPECT_EQ(wide.at(tokens - 1, 40), Activations::kMarker);
    }
}

// Every code under every scale, one at a time: a single column of x is not zero, so the product is the weight itself. Weights beyond
// float32 (under scales 253 and 254) need not give a number.
TEST(Linear, EveryMxfp4CodeAndScaleIsExact) {
    Random random(5);
    Weight weight(WeightFormat::kMxfp4, 255, 96, random);
    std::vector<uint8_t> codes(255 * 96);
    std::vector<uint8_t> scales(255 * 3);
    for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint8_t>((i + i / 16) % 16);
    for (size_t i = 0; i < scales.size(); ++i) scales[i] = static_cast<uint8_t>(i / 3);
    weight.setMxfp4(codes, scales);
    for (const int64_t tokens : {1, 3, 96}) {
        for (int64_t k = 0; k < 96; k += tokens) {
            Activations x(tokens, 96);
            Activations out(tokens, 255);
            for (int64_t t = 0; t < tokens; ++t) {
                for (int64_t j = 0; j < 96; ++j) x.at(t, j) = j == k + t ? 0.5F : 0;
            }
            run(x.view(), {{weight.view(), out.view()}});
            for (int64_t t = 0; t < tokens; ++t) {
                for (int64_t n = 0; n < 255; ++n) {
                    const double exact = 0.5 * weight.at(n, k + t);
                    if (n >= 253 && !std::isfinite(out.at(t, n))) continue;
                    ASSERT_EQ(out.at(t, n), static_cast<float>(exact)) << "scale " << n << " column " << k + t;
                }
            }
        }
    }
}

// Neighbouring groups of very different scale must not disturb each other.
TEST(Linear, Mxfp4ScalesMayDifferWidelyWithinARow) {
    Random random(6);
    Weight weight(WeightFormat::kMxfp4, 40, 512, random);
    weight.fillMxfp4(random, 0, 240);
    for (const int64_t tokens : {1, 30}) {
        Activations x(tokens, 512);
        x.randomise(random);
        Activations out(tokens, 40);
        run(x.view(), {{weight.view(), out.view()}}, 2);
        ASSERT_NO_FATAL_FAILURE(expectProduct(weight, x, out));
    }
}

// Rows whose width is no whole number of steps are read past their end, where the next row begins with its scales.
TEST(Linear, AnMxfp4ScaleOfNanSpoilsItsRowAlone) {
    constexpr int64_t kRows = 10;
    constexpr int64_t kSpoiled = 5;
    Random random(9);
    for (const int64_t cols : {32, 96, 256, 352, 768}) {
        const int64_t groups = cols / kMxfp4Group;
        for (const int64_t group : {int64_t{0}, groups - 1}) {
            Weight weight(WeightFormat::kMxfp4, kRows, cols, random);
            std::vector<uint8_t> scales(static_cast<size_t>(kRows * groups), 127);
            scales[static_cast<size_t>(kSpoiled * groups + group)] = 255;
            weight.setMxfp4(std::vector<uint8_t>(static_cast<size_t>(kRows * cols), 2), scales);
            for (const int64_t tokens : {1, 2, 13}) {
                Activations x(tokens, cols);
                x.randomise(random);
                Activations out(tokens, kRows);
                run(x.view(), {{weight.view(), out.view()}});
                for (int64_t t = 0; t < tokens; ++t) {
                    for (int64_t n = 0; n < kRows; ++n)
                        ASSERT_EQ(std::isnan(out.at(t, n)), n == kSpoiled)
                            << "row " << n << " of " << cols << " columns";
                }
            }
        }
    }
}

// The form for one token has an exponent per group: neighbouring groups may differ widely, and zero, tiny and non-finite groups exist.
TEST(Linear, Mxfp4ActivationsMayDifferWidelyBetweenGroups) {
    Random random(8);
    const Weight weight(WeightFormat::kMxfp4, 40, 320, random);
    for (const int64_t tokens : {1, 2, 9}) {
        Activations x(tokens, 320);
        x.randomise(random);
        for (int64_t t = 0; t < tokens; ++t) {
            for (int64_t k = 0; k < 320; ++k) x.at(t, k) *= std::ldexp(1.0F, static_cast<int>(k / 32 % 10) * 20 - 120);
            for (int64_t k = 64; k < 96; ++k) x.at(t, k) = 0;
            x.at(t, 200) = 16777215.0F;
        }
        Activations out(tokens, 40);
        run(x.view(), {{weight.view(), out.view()}});
        ASSERT_NO_FATAL_FAILURE(expectProduct(weight, x, out));
        for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
            x.at(tokens - 1, 33) = bad;
            run(x.view(), {{weight.view(), out.view()}});
            for (int64_t n = 0; n < 40; ++n)
                EXPECT_FALSE(std::isfinite(out.at(tokens - 1, n)) && weight.at(n, 33) != 0);
        }
    }
}

TEST(Linear, PaddingNeverMeetsAnInfinity) {
    Random random(7);
    const float infinity = std::numeric_limits<float>::infinity();
    const Weight weight(WeightFormat::kBF16, 9, 21, random);
    Activations x(2, 21, 11);
    x.randomise(random);
    for (int64_t j = 21; j < 32; ++j) x.at(0, j) = infinity;
    Activations out(2, 9);
    run(x.view(), {{weight.view(), out.view()}});
    ASSERT_NO_FATAL_FAILURE(expectProduct(weight, x, out));
}

}  // namespace
}  // namespace pal::cpu
