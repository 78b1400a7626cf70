// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/moe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "kernels/cpu/isa.h"
#include "tests/unit/kernel_fixture.h"
#include "tests/unit/kernel_test_support.h"

namespace pal::cpu {
namespace {

using test::Activations;
using test::Random;
using test::Weight;

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

template <typename Real>
Real gatedUnit(Real gate, Real up, const GluParams& glu) {
    const Real open = testing::sigmoid(gate);
    if (glu.kind == GluKind::kSwiGlu) return gate * open * up;
    const Real b = glu.beta;
    const Real limit = glu.linearBeta;
    return b * std::tanh(gate / b) * open * (limit == 0 ? up : limit * std::tanh(up / limit));
}

// Experts with random weights and what they compute, in plain loops.
class Experts {
  public:
    Experts(WeightFormat format, WeightFormat down, int count, int64_t width, int64_t inner, Random& random)
        : width_(width), inner_(inner) {
        for (int e = 0; e < count; ++e) {
            for (int i = 0; i < 2; ++i) weights_.emplace_back(format, inner, width, random);
            weights_.emplace_back(down, width, inner, random);
            const size_t at = weights_.size() - 3;
            views_.push_back({weights_[at].view(), weights_[at + 1].view(), weights_[at + 2].view()});
        }
    }
    [[nodiscard]] std::span<const ExpertWeights> views() const { return views_; }

    template <typename Real>
    [[nodiscard]] std::vector<Real> compute(int expert, const Activations& x, int64_t token,
                                            const GluParams& glu) const {
        const auto at = static_cast<size_t>(expert) * 3;
        std::vector<Real> hidden(static_cast<size_t>(inner_));
        for (int64_t m = 0; m < inner_; ++m) {
            hidden[static_cast<size_t>(m)] =
                gatedUnit(row<Real>(weights_[at], m, x, token), row<Real>(weights_[at + 1], m, x, token), glu);
        }
        std::vector<Real> out(static_cast<size_t>(width_), 0);
        for (int64_t n = 0; n < width_; ++n) {
            for (int64_t m = 0; m < inner_; ++m)
                out[static_cast<size_t>(n)] +=
                    static_cast<Real>(weights_[at + 2].at(n, m)) * hidden[static_cast<size_t>(m)];
        }
        return out;
    }

  private:
    template <typename Real>
    [[nodiscard]] Real row(const Weight& weight, int64_t n, const Activations& x, int64_t token) const {
        Real sum = 0;
        for (int64_t k = 0; k < width_; ++k) sum += static_cast<Real>(weight.at(n, k)) * x.at(token, k);
        return sum;
    }
    int64_t width_;
    int64_t inner_;
    std::deque<Weight> weights_;
    std::vector<ExpertWeights> views_;
};

struct Picks {
    std::vector<int32_t> index;
    std::vector<float> weight;
    int64_t perToken;

    Picks(int64_t tokens, int64_t count, int experts, Random& random) : perToken(count) {
        std::vector<int32_t> order(static_cast<size_t>(experts));
        std::iota(order.begin(), order.end(), 0);
        for (int64_t t = 0; t < tokens; ++t) {
            for (int i = experts - 1; i > 0; --i)
                std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(random.integer(0, i))]);
            index.insert(index.end(), order.begin(), order.begin() + count);
        }
        for (size_t i = 0; i < index.size(); ++i) weight.push_back(std::abs(random.normal()));
    }
    [[nodiscard]] int64_t tokens() const { return static_cast<int64_t>(index.size()) / perToken; }
    [[nodiscard]] ConstTensorView indexView() const { return {index.data(), DType::kI32, {tokens(), perToken}}; }
    [[nodiscard]] ConstTensorView weightView() const { return {weight.data(), DType::kF32, {tokens(), perToken}}; }
};

void run(const Experts& experts, Activations& x, const Picks& picks, const GluParams& glu, Activations& out,
         int threads) {
    ThreadPool pool(threads);
    moe({x.view(), picks.indexView(), picks.weightView(), experts.views(), glu, out.view()}, pool);
}

struct MoeCase {
    WeightFormat format;
    int experts;
    int64_t perToken;
    int64_t width;
    int64_t inner;
    GluParams glu;
    WeightFormat down;
};

class Moe : public ::testing::TestWithParam<MoeCase> {};
INSTANTIATE_TEST_SUITE_P(
    All, Moe,
    ::testing::Values(MoeCase{WeightFormat::kMxfp4, 7, 3, 96, 64, {GluKind::kSitu, 4, 25}, WeightFormat::kMxfp4},
                      MoeCase{WeightFormat::kBF16, 5, 2, 37, 21, {GluKind::kSwiGlu, 1, 0}, WeightFormat::kBF16},
                      MoeCase{WeightFormat::kF32, 3, 3, 19, 70, {GluKind::kSitu, 1.5F, 0}, WeightFormat::kF32},
                      MoeCase{WeightFormat::kBF16, 40, 1, 64, 40, {GluKind::kSwiGlu, 1, 0}, WeightFormat::kBF16},
                      MoeCase{WeightFormat::kBF16, 5, 2, 64, 96, {GluKind::kSwiGlu, 1, 0}, WeightFormat::kF32},
                      MoeCase{WeightFormat::kF32, 5, 2, 64, 96, {GluKind::kSwiGlu, 1, 0}, WeightFormat::kMxfp4},
                      MoeCase{WeightFormat::kMxfp4, 5, 2, 64, 96, {GluKind::kSwiGlu, 1, 0}, WeightFormat::kBF16}));

TEST_P(Moe, IsAsExactAsPlainLoops) {
    const MoeCase& c = GetParam();
    Random random(11);
    const Experts experts(c.format, c.down, c.experts, c.width, c.inner, random);
    for (const int64_t tokens : {0, 1, 2, 9, 50}) {
        const Picks picks(tokens, c.perToken, c.experts, random);
        Activations x(tokens, c.width, 3);
        Activations out(tokens, c.width, 2);
        for (int64_t t = 0; t < tokens; ++t) {
            for (int64_t k = 0; k < c.width; ++k) x.at(t, k) = random.normal() * 0.2F;
        }
        run(experts, x, picks, c.glu, out, 2);
        std::vector<float> got;
        for (int64_t t = 0; t < tokens; ++t) {
            for (int64_t n = 0; n < c.width; ++n) got.push_back(out.at(t, n));
        }
        const auto mixture = [&]<typename Real>(Real) {
            std::vector<Real> want;
            for (int64_t t = 0; t < tokens; ++t) {
                std::vector<Real> sum(static_cast<size_t>(c.width), 0);
                for (int64_t p = 0; p < c.perToken; ++p) {
                    const auto at = static_cast<size_t>(t * c.perToken + p);
                    const auto part = experts.compute<Real>(picks.index[at], x, t, c.glu);
                    for (size_t n = 0; n < sum.size(); ++n) sum[n] += picks.weight[at] * part[n];
                }
                want.insert(want.end(), sum.begin(), sum.end());
            }
            return want;
        };
        testing::expectAsPlainLoops(got, mixture, std::to_string(tokens) + " tokens");
        EXPECT_TRUE(out.markersIntact());
    }
}

// A single token with MXFP4 weights may have a form of its own (see LinearArgs), which the test above covers; with one other token it has not.
TEST_P(Moe, ATokenDependsNeitherOnTheOthersNorOnTheThreads) {
    const MoeCase& c = GetParam();
    const auto hasOwnForm = [](WeightFormat format) {
        return format == WeightFormat::kMxfp4 || (format == WeightFormat::kBF16 && usesAmx());
    };
    const bool ownForm = hasOwnForm(c.format) || hasOwnForm(c.down);
    const int64_t fewest = ownForm ? 2 : 1;
    Random random(12);
    constexpr int64_t kTokens = 33;
    const Experts experts(c.format, c.down, c.experts, c.width, c.inner, random);
    const Picks picks(kTokens, c.perToken, c.experts, random);
    Activations x(kTokens, c.width);
    x.randomise(random);
    Activations all(kTokens, c.width);
    run(experts, x, picks, c.glu, all, 3);
    for (int64_t t = 0; t + fewest <= kTokens; ++t) {
        Picks own = picks;
        const auto begin = static_cast<ptrdiff_t>(t * c.perToken);
        const auto end = begin + static_cast<ptrdiff_t>(fewest * c.perToken);
        own.index.assign(picks.index.begin() + begin, picks.index.begin() + end);
        own.weight.assign(picks.weight.begin() + begin, picks.weight.begin() + end);
        Activations few(fewest, c.width);
        for (int64_t i = 0; i < fewest; ++i) {
            for (int64_t k = 0; k < c.width; ++k) few.at(i, k) = x.at(t + i, k);
        }
        Activations out(fewest, c.width);
        run(experts, few, own, c.glu, out, 1 + static_cast<int>(t % 2));
        for (int64_t n = 0; n < c.width; ++n) ASSERT_EQ(out.at(0, n), all.at(t, n)) << "token " << t;
    }
}

struct Routed {
    std::vector<int32_t> index;
    std::vector<float> weight;
};

Routed route(RouterArgs args, const std::vector<float>& logits, int64_t tokens, int64_t picks, int threads = 1) {
    Routed routed;
    routed.index.resize(static_cast<size_t>(tokens * picks), -1);
    routed.weight.resize(static_cast<size_t>(tokens * picks));
    args.logits = {logits.data(), DType::kF32, {tokens, static_cast<int64_t>(logits.size()) / tokens}};
    args.index = {routed.index.data(), DType::kI32, {tokens, picks}};
    args.weight = {routed.weight.data(), DType::kF32, {tokens, picks}};
    ThreadPool pool(threads);
    router(args, pool);
    return routed;
}

TEST(Router, BiasSteersTheChoiceButNotTheWeight) {
    const std::vector<float> bias = {0, 0, 0.9F, 0};
    RouterArgs args;
    args.bias = bias.data();
    args.scale = 2.5F;
    const Routed routed = route(args, {1, 2, -1, 0}, 1, 2);
    EXPECT_EQ(routed.index, (std::vector<int32_t>{2, 1}));
    const double sum = sigmoid(-1) + sigmoid(2) + 1e-20;
    EXPECT_NEAR(static_cast<double>(routed.weight[0]), sigmoid(-1) / sum * 2.5, 1e-6);
    EXPECT_NEAR(static_cast<double>(routed.weight[1]), sigmoid(2) / sum * 2.5, 1e-6);
}

TEST(Router, TiesGoToTheLowerIndex) {
    EXPECT_EQ(route({}, {0, 3, 3, 0, 3, 3, 0}, 1, 5).index, (std::vector<int32_t>{1, 2, 4, 5, 0}));
    // sigmoid rounds both to 1: equal scores although the logits differ.
    EXPECT_EQ(route({}, {40, 50, 0}, 1, 1).index, (std::vector<int32_t>{0}));
}

TEST(Router, RenormalisesOnlyWhenAskedAndWithMoreThanOnePick) {
    RouterArgs args;
    EXPECT_NEAR(static_cast<double>(route(args, {0, 1}, 1, 1).weight[0]), sigmoid(1), 1e-6);
    args.renormalise = RouterArgs::Renormalise::kNo;
    EXPECT_NEAR(static_cast<double>(route(args, {0, 1}, 1, 2).weight[1]), sigmoid(0), 1e-6);
    args.score = RouterScore::kSoftmax;
    EXPECT_NEAR(static_cast<double>(route(args, {0, 1}, 1, 2).weight[1]), 1 / (1 + std::exp(1.0)), 1e-6);
}

TEST(Router, GroupsCountTheirTwoBestExperts) {
    // Group sums of the two best: {5, 0, 0} -> 0.99 + 0.5; {2, 2, -9} -> 0.88 + 0.88; {1, 1, 1} -> 0.73 + 0.73.
    const std::vector<float> logits = {5, 0, 0, 2, 2, -9, 1, 1, 1};
    RouterArgs args;
    args.groups = 3;
    args.keptGroups = 1;
    EXPECT_EQ(route(args, logits, 1, 3).index, (std::vector<int32_t>{3, 4, 5}));
    args.keptGroups = 2;
    EXPECT_EQ(route(args, logits, 1, 4).index, (std::vector<int32_t>{0, 3, 4, 1}));
    args.keptGroups = 3;
    EXPECT_EQ(route(args, logits, 1, 4).index, (std::vector<int32_t>{0, 3, 4, 6}));
}

TEST(Router, MatchesASortOfDoublesForManyTokens) {
    Random random(13);
    constexpr int64_t kTokens = 70;
    constexpr int64_t kExperts = 101;
    constexpr int64_t kPicks = 9;
    for (const RouterScore score : {RouterScore::kSigmoid, RouterScore::kSoftmax}) {
        std::vector<float> logits(kTokens * kExperts);
        std::vector<float> bias(kExperts);
        for (float& value : logits) value = random.normal() * 3;
        for (float& value : bias) value = random.normal();
        RouterArgs args;
        args.score = score;
        args.bias = bias.data();
        const Routed routed = route(args, logits, kTokens, kPicks, 2);
        for (int64_t t = 0; t < kTokens; ++t) {
            const float* row = logits.data() + t * kExperts;
            std::vector<double> s(kExperts);
            double total = 0;
            for (size_t e = 0; e < kExperts; ++e) {
                s[e] = score == RouterScore::kSigmoid ? sigmoid(static_cast<double>(row[e]))
                                                      : std::exp(static_cast<double>(row[e]));
                total += s[e];
            }
            if (score == RouterScore::kSoftmax)
                std::ranges::transform(s, s.begin(), [&](double v) { return v / total; });
            std::vector<int32_t> order(kExperts);
            std::iota(order.begin(), order.end(), 0);
            const auto choice = [&](int32_t e) {
                return s[static_cast<size_t>(e)] + static_cast<double>(bias[static_cast<size_t>(e)]);
            };
            std::ranges::stable_sort(order, [&](int32_t a, int32_t b) { return choice(a) > choice(b); });
            double sum = 0;
            for (size_t p = 0; p < kPicks; ++p) sum += s[static_cast<size_t>(order[p])];
            for (size_t p = 0; p < kPicks; ++p) {
                const size_t at = static_cast<size_t>(t * kPicks) + p;
                ASSERT_EQ(routed.index[at], order[p]) << "token " << t << " pick " << p;
                const double expected = s[static_cast<size_t>(order[p])] / sum;
                // exp turns the rounding of its argument, up to 20 here, into a relative error of 20 u.
                ASSERT_NEAR(static_cast<double>(routed.weight[at]), expected, 3e-6 * expected);
            }
        }
    }
}

}  // namespace
}  // namespace pal::cpu
