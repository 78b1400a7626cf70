// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "engine/exec/likely_first.h"

namespace pal {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

SamplingParams greedy() {
    SamplingParams params;
    params.temperature = 0;
    return params;
}

TokenId draw(const std::vector<float>& logits, const SamplingParams& params, uint64_t index = 0,
             const TokenHistory& history = {}) {
    const auto result = drawToken(logits, params, history, index);
    EXPECT_TRUE(result.has_value());
    return result ? result->token : -1;
}

std::vector<double> softmax(const std::vector<float>& logits, double temperature) {
    std::vector<double> out;
    for (const float logit : logits) out.push_back(std::exp(logit / temperature));
    const double sum = std::accumulate(out.begin(), out.end(), 0.0);
    for (double& value : out) value /= sum;
    return out;
}

// Pearson's chi square of `draws` draws against `expected`; tokens of probability 0 must never come.
double chiSquare(const std::vector<float>& logits, const SamplingParams& params, const std::vector<double>& expected,
                 int draws) {
    std::vector<int> count(logits.size());
    for (int i = 0; i < draws; ++i) ++count[static_cast<size_t>(draw(logits, params, static_cast<uint64_t>(i)))];
    double sum = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] == 0) {
            EXPECT_EQ(count[i], 0) << "token " << i;
        } else {
            const double want = expected[i] * draws;
            sum += (count[i] - want) * (count[i] - want) / want;
        }
    }
    return sum;
}

TEST(Sampler, GreedyTakesTheLargestAndTheLowestOfEquals) {
    EXPECT_EQ(draw({1, 3, 3, 2}, greedy()), 1);
    EXPECT_EQ(draw({-5}, greedy()), 0);
}

TEST(Sampler, LogProbabilityIsOfTheModelsOwnDistribution) {
    SamplingParams params = greedy();
    params.repetitionPenalty = 5;
    TokenHistory history;
    history.addReply(0);
    const std::vector<float> logits{2, 1, 0};
    const auto result = drawToken(logits, params, history, 0);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->token, 1);
    EXPECT_NEAR(result->logProbability, std::log(softmax(logits, 1)[1]), 1e-6);
}

TEST(Sampler, FrequenciesFollowTheDistribution) {
    const std::vector<float> logits{0.5F, -1, 2, 0, 1.5F, -3};
    SamplingParams params;
    params.seed = 7;
    // 5 degrees of freedom: chi square stays below 20.5 in 999 of 1000 runs.
    EXPECT_LT(chiSquare(logits, params, softmax(logits, 1), 40000), 20.5);
    params.temperature = 2.5F;
    EXPECT_LT(chiSquare(logits, params, softmax(logits, 2.5), 40000), 20.5);
    EXPECT_GT(chiSquare(logits, params, softmax(logits, 1), 40000), 1000) << "the test cannot tell distributions apart";
}

TEST(Sampler, TopKTopPAndMinPCutTheTail) {
    const std::vector<float> logits{std::log(0.4F), std::log(0.1F), std::log(0.3F), std::log(0.15F), std::log(0.05F)};
    SamplingParams params;
    params.topK = 2;
    EXPECT_LT(chiSquare(logits, params, {4.0 / 7, 0, 3.0 / 7, 0, 0}, 20000), 10.8);
    params = {};
    params.topP = 0.65F;  // 0.4 + 0.3 reaches it
    EXPECT_LT(chiSquare(logits, params, {4.0 / 7, 0, 3.0 / 7, 0, 0}, 20000), 10.8);
    params.topP = 0.75F;
    EXPECT_LT(chiSquare(logits, params, {0.4 / 0.85, 0, 0.3 / 0.85, 0.15 / 0.85, 0}, 20000), 13.8);
    params = {};
    params.minP = 0.3F;  // at least 0.12
    EXPECT_LT(chiSquare(logits, params, {0.4 / 0.85, 0, 0.3 / 0.85, 0.15 / 0.85, 0}, 20000), 13.8);
    params.topP = 1e-6F;  // the most likely token always stays
    EXPECT_LT(chiSquare(logits, params, {1, 0, 0, 0, 0}, 100), 1e-9);
}

TEST(Sampler, EqualLogitsAtACutKeepTheLowerIds) {
    SamplingParams params;
    params.topK = 2;
    std::set<TokenId> seen;
    for (uint64_t i = 0; i < 200; ++i) seen.insert(draw({1, 1, 1, 1}, params, i));
    EXPECT_EQ(seen, (std::set<TokenId>{0, 1}));
}

TEST(Sampler, PenaltiesFollowTheirDefinitions) {
    TokenHistory history;
    const std::array<TokenId, 2> prompt{0, 1};
    history.addPrompt(prompt);
    history.addReply(1);
    history.addReply(1);
    history.addReply(2);
    SamplingParams params = greedy();
    params.repetitionPenalty = 2;  // positive logits halve, negative double, in prompt and reply
    EXPECT_EQ(draw({4, 4, 4, 2.5F}, params, 0, history), 3);
    EXPECT_EQ(draw({-1, -1, -1, -1.5F}, params, 0, history), 3);
    params = greedy();
    params.presencePenalty = 1;  // only what the reply holds
    EXPECT_EQ(draw({3, 3.5F, 3.5F, 2}, params, 0, history), 0);
    params = greedy();
    params.frequencyPenalty = 1;  // token 1 twice, token 2 once
    EXPECT_EQ(draw({0, 5, 4.5F, 0}, params, 0, history), 2);
}

TEST(Sampler, IsReplayable) {
    const std::vector<float> logits(1000, 0.0F);
    SamplingParams params;
    params.seed = 42;
    std::vector<TokenId> first;
    for (uint64_t i = 0; i < 50; ++i) first.push_back(draw(logits, params, i));
    for (uint64_t i = 50; i-- > 0;) EXPECT_EQ(draw(logits, params, i), first[i]);
    params.seed = 43;
    int same = 0;
    for (uint64_t i = 0; i < 50; ++i) same += draw(logits, params, i) == first[i] ? 1 : 0;
    EXPECT_LT(same, 5);
}

TEST(Sampler, BrokenLogitsAreAnErrorThatNamesTheToken) {
    for (const float bad : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
        const auto result = drawToken(std::vector<float>{0, 1, bad}, {}, {}, 0);
        ASSERT_FALSE(result.has_value());
        EXPECT_NE(result.error().message.find("token 2"), std::string::npos) << result.error().message;
    }
}

TEST(Sampler, ExtremeValuesDrawSomething) {
    const float huge = std::numeric_limits<float>::max();
    SamplingParams params;
    params.temperature = 1e-30F;
    params.topP = 0.9F;
    EXPECT_EQ(draw({-huge, huge, 0}, params), 1);
    params.temperature = 100;
    params.repetitionPenalty = 10;
    TokenHistory history;
    history.addReply(0);
    EXPECT_EQ(draw({-huge, huge, 0}, params, 0, history), 1);
}

std::vector<float> bellLogits(size_t count, double spread) {
    std::vector<float> out;
    for (uint64_t i = 0; i < count; ++i) {
        double sum = -2;
        for (uint64_t k = 0; k < 4; ++k) sum += uniform(11 + k, i);
        out.push_back(static_cast<float>(std::round(sum * spread * 32) / 32));  // with many equals
    }
    return out;
}

std::vector<LogitBlock> digestOf(const std::vector<float>& logits, float temperature) {
    std::vector<LogitBlock> out(static_cast<size_t>(logitBlocks(std::ssize(logits))));
    digestLogits({logits.data(), std::ssize(logits), temperature, out.data()});
    return out;
}

TEST(Sampler, LikelyFirstGivesEveryTokenInOrder) {
    for (const size_t count : {1U, 63U, 64U, 65U, 1000U, 5000U}) {
        std::vector<float> logits = bellLogits(count, 3);
        logits[count / 2] = -0.0F;  // equals 0
        const std::vector<LogitBlock> blocks = digestOf(logits, 1);
        std::vector<TokenId> want(count);
        std::iota(want.begin(), want.end(), 0);
        std::stable_sort(want.begin(), want.end(), [&](TokenId a, TokenId b) {
            return logits[static_cast<size_t>(a)] > logits[static_cast<size_t>(b)];
        });
        LikelyFirst order(logits, blocks);
        for (size_t i = 0; i < count; ++i) ASSERT_EQ(order.next(), want[i]) << i << " of " << count;
        EXPECT_EQ(order.next(), std::nullopt);
    }
}

// The draw as the definitions say it, over all tokens and in double.
std::vector<double> probabilities(const std::vector<float>& logits, const SamplingParams& params) {
    std::vector<double> p = softmax(logits, params.temperature);
    std::vector<size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return logits[a] > logits[b]; });
    const size_t most = params.topK > 0 ? std::min(static_cast<size_t>(params.topK), p.size()) : p.size();
    double mass = 0;
    for (size_t i = 0; i < most; ++i) mass += p[order[i]];
    double sum = 0;
    size_t kept = 0;
    while (kept < most && (kept == 0 || (sum < params.topP * mass && p[order[kept]] >= params.minP * p[order[0]])))
        sum += p[order[kept++]];
    for (size_t i = kept; i < order.size(); ++i) p[order[i]] = 0;
    for (double& x : p) x /= sum;
    return p;
}

TEST(Sampler, DrawsOverLargeVocabulariesFollowTheDefinitions) {
    const std::vector<float> logits = bellLogits(2000, 6);
    std::vector<SamplingParams> cases(6);
    cases[1].temperature = 0.6F;
    cases[1].topP = 0.95F;
    cases[2].topK = 40;
    cases[3].minP = 0.05F;
    cases[4].temperature = 1.7F;
    cases[4].topK = 300;
    cases[4].topP = 0.8F;
    cases[5].topK = 200;
    cases[5].topP = 0.9F;
    cases[5].minP = 0.1F;
    constexpr int kDraws = 6000;
    for (size_t c = 0; c < cases.size(); ++c) {
        const std::vector<double> p = probabilities(logits, cases[c]);
        std::vector<int> count(p.size());
        const std::vector<LogitBlock> digest = digestOf(logits, cases[c].temperature);
        for (int i = 0; i < kDraws; ++i) {
            const auto result = drawToken(logits, cases[c], {}, static_cast<uint64_t>(i), digest);
            ASSERT_TRUE(result.has_value());
            ++count[static_cast<size_t>(result->token)];
        }
        // Pearson's chi square over tokens that are expected 5 times or more, the rest as one; its mean is the degrees of freedom d, its deviation
        // sqrt(2 d).
        double chi = 0;
        double restExpected = 0;
        double restSeen = 0;
        int degrees = 0;
        for (size_t i = 0; i < p.size(); ++i) {
            const double want = p[i] * kDraws;
            if (want == 0) {
                ASSERT_EQ(count[i], 0) << "case " << c << " token " << i;
            }
            if (want < 5) {
                restExpected += want;
                restSeen += count[i];
                continue;
            }
            chi += (count[i] - want) * (count[i] - want) / want;
            ++degrees;
        }
        if (restExpected > 0) chi += (restSeen - restExpected) * (restSeen - restExpected) / restExpected;
        EXPECT_LT(chi, degrees + 5 * std::sqrt(2.0 * degrees)) << "case " << c;
    }
}

// As after a transfer that was lost: the digest and the logits are of two steps.
TEST(Sampler, ADigestOfOtherLogitsIsAnError) {
    const std::vector<LogitBlock> digest = digestOf({1, std::numeric_limits<float>::quiet_NaN(), 3}, 1);
    const auto result = drawToken(std::vector<float>{1, 2, 3}, {}, {}, 0, digest);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kInternal);
    EXPECT_NE(result.error().message.find("the device counted"), std::string::npos) << result.error().message;
}

TEST(Sampler, ADigestChangesNothing) {
    const std::vector<float> logits = bellLogits(3000, 4);
    for (const float temperature : {0.0F, 0.6F, 1.0F, 3.0F}) {
        SamplingParams params;
        params.temperature = temperature;
        params.topP = 0.9F;
        const std::vector<LogitBlock> digest = digestOf(logits, temperature > 0 ? temperature : 1);
        for (uint64_t i = 0; i < 20; ++i) {
            const auto with = drawToken(logits, params, {}, i, digest).value();
            const auto without = drawToken(logits, params, {}, i).value();
            ASSERT_EQ(with.token, without.token);
            ASSERT_EQ(with.logProbability, without.logProbability);
        }
    }
}

TEST(Sampler, RefusesParametersOutOfRange) {
    EXPECT_TRUE(checkSampling({}).has_value());
    SamplingParams params;
    params.topP = 0;
    ASSERT_FALSE(checkSampling(params).has_value());
    EXPECT_NE(checkSampling(params).error().message.find("top-p is 0"), std::string::npos);
    params = {};
    params.temperature = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(checkSampling(params).has_value());
    params = {};
    params.topK = -1;
    EXPECT_FALSE(checkSampling(params).has_value());
}

TEST(Sampler, UniformFillsTheUnitInterval) {
    std::array<int, 16> bins{};
    for (uint64_t i = 0; i < 16000; ++i) {
        const double u = uniform(0, i);
        ASSERT_GE(u, 0);
        ASSERT_LT(u, 1);
        ++bins[static_cast<size_t>(u * 16)];
    }
    double chi = 0;
    for (const int count : bins) chi += (count - 1000) * (count - 1000) / 1000.0;
    EXPECT_LT(chi, 37.7);  // 15 degrees of freedom, 999 of 1000
}

}  // namespace
}  // namespace pal
