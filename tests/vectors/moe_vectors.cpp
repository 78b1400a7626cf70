// SPDX-License-Identifier: Apache-2.0
// router and moe.
#include "tests/oracle/moe_oracle.h"
#include "tests/vectors/expert_set.h"

namespace pal::vectors {
namespace {

using oracle::RouterShape;
using oracle::Wrong;

class Moe : public OpTest {
  protected:
    struct Routed {
        Mat<int32_t> index;
        Mat<double> weight;
    };

    Routed route(const Mat<double>& logits, const std::vector<double>& bias, const RouterShape& shape) {
        const Device input(backend(), logits);
        const Vector b(backend(), bias);
        const Device index = Device::indices(backend(), logits.rows, shape.picks);
        const Device weight(backend(), logits.rows, shape.picks);
        backend().router({input.view(), b.data(), shape.softmax ? RouterScore::kSoftmax : RouterScore::kSigmoid,
                          shape.groups, shape.keptGroups,
                          shape.renormalise ? RouterArgs::Renormalise::kYes : RouterArgs::Renormalise::kNo,
                          static_cast<float>(shape.scale), index.view(), weight.view()});
        finish();
        return {index.readIndices(), weight.read()};
    }
};
PAL_ON_EVERY_BACKEND(Moe);

Mat<float> weightsAsFloat(const oracle::Routing& routing) {
    return toFloat(routing.weight);
}

TEST_P(Moe, RouterChoosesAndWeighs) {
    Random random(31);
    const std::vector<std::pair<int64_t, RouterShape>> cases{
        {16, {4, 1, 1, false, true, 1.0}},   {256, {8, 1, 1, false, true, static_cast<double>(2.446F)}},
        {896, {16, 1, 1, false, true, 1.0}}, {7, {1, 1, 1, false, true, 1.0}},
        {24, {4, 4, 2, false, true, 1.0}},   {24, {6, 8, 3, true, false, 1.0}},
        {5, {5, 1, 1, true, true, 0.5}}};
    for (const auto& [experts, shape] : cases) {
        const Mat<double> logits = random.mat(33, experts, -4, 4);
        const std::vector<double> bias = random.vec(experts, -0.2, 0.2);
        const Routed got = route(logits, bias, shape);
        const auto truth = oracle::route(logits, bias, shape);
        EXPECT_EQ(got.index.v, truth.index.v) << experts << " experts";
        const auto naive = weightsAsFloat(oracle::route(toFloat(logits), toFloat(bias), shape));
        expectWithin("router weight", got.weight, truth.weight, naive);
        if (shape.picks > 1 && shape.renormalise && !shape.softmax) {
            for (const Wrong wrong : {Wrong::kBiasedRouterWeights, Wrong::kNoRenormalisation}) {
                expectTellsApart("router weight", got.weight, truth.weight, naive,
                                 oracle::route(logits, bias, shape, wrong).weight);
            }
        }
    }
}

TEST_P(Moe, RouterTiesGoToTheLowerIndex) {
    Mat<double> logits(2, 12);
    for (int64_t e : {3, 5, 9}) logits.at(1, e) = 2;
    const Routed got = route(logits, std::vector<double>(12, 0.0), {4, 1, 1, false, true, 1.0});
    EXPECT_EQ(got.index.v, (std::vector<int32_t>{0, 1, 2, 3, 3, 5, 9, 0}));
}

TEST_P(Moe, ExpertsInEveryFormat) {
    Random random(32);
    for (const auto format : {WeightFormat::kBF16, WeightFormat::kMxfp4, WeightFormat::kF32}) {
        for (const int64_t tokens : {1, 2, 5, 16, 70}) {
            constexpr int64_t kExperts = 6;
            constexpr int64_t kWidth = 64;
            constexpr int64_t kInner = 96;
            const ExpertSet experts(backend(), random, format, kExperts, kWidth, kInner);
            const Mat<double> x = random.mat(tokens, kWidth, -3, 3);
            const auto routing = unevenRouting(random, tokens, kExperts);
            const Device input(backend(), x);
            const Device index(backend(), routing.index);
            const Device weight(backend(), routing.weight);
            const Device out(backend(), tokens, kWidth);
            backend().moe(
                {input.view(), index.view(), weight.view(), experts.views, {GluKind::kSitu, 4, 25}, out.view()});
            finish();
            const auto truth = oracle::moe(x, routing, experts.exact, 4.0, 25.0);
            const auto naive = oracle::moe(toFloat(x), routing, experts.floats, 4.0F, 25.0F);
            expectWithin(fmt::format("moe format {} T {}", static_cast<int>(format), tokens), out.read(), truth, naive);
            for (const Wrong wrong : {Wrong::kSwappedGateUp, Wrong::kSwiGlu}) {
                expectTellsApart("moe", out.read(), truth, naive,
                                 oracle::moe(x, routing, experts.exact, 4.0, 25.0, wrong));
            }
            if (hasSingleForm(backend(), format)) continue;
            const Device one(backend(), 1, kWidth);
            const int64_t t = tokens - 1;
            backend().moe({input.view().rows(t, 1),
                           index.view().rows(t, 1),
                           weight.view().rows(t, 1),
                           experts.views,
                           {GluKind::kSitu, 4, 25},
                           one.view()});
            finish();
            const Mat<double> whole = out.read();
            const Mat<double> single = one.read();
            for (int64_t c = 0; c < kWidth; ++c)
                ASSERT_EQ(single.at(0, c), whole.at(t, c)) << "a row does not depend on the batch";
        }
    }
}

}  // namespace
}  // namespace pal::vectors
