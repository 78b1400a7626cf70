// SPDX-License-Identifier: Apache-2.0
// What the benchmark counts, on the small checkpoint tiny-linear (all weights bfloat16). Its times are not judged here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "engine/api/telemetry.h"
#include "engine/model/weight_binding.h"

namespace pal {
namespace {

TEST(BenchModel, CountsTheWeightsThatATokenReads) {
    BenchRequest request;
    request.model = "tests/golden/tiny-linear/checkpoint";
    request.prefillTokens = {70};
    request.decodeContexts = {1, 100};
    request.decodeTokens = 3;
    request.engine.threads = 2;
    int steps = 0;
    const auto report = benchModel(request, [&](std::string_view) { ++steps; });
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_GE(steps, 5);
    EXPECT_GT(report->streamBytesPerSecond, 0);
    ASSERT_EQ(report->prefill.size(), 1U);
    EXPECT_GT(report->prefill[0].seconds, 0);
    EXPECT_GT(report->prefill[0].flops, 0);
    EXPECT_EQ(report->prefill[0].parts.size(), report->decode[0].parts.size());
    EXPECT_FALSE(report->prefill[0].products.empty());

    const auto model = loadModel(request.model);
    ASSERT_TRUE(model.has_value());
    ASSERT_EQ(report->decode.size(), 2U);
    for (const DecodeRate& rate : report->decode) {
        // Three tokens in as many turns with a read, none of which beats the best.
        EXPECT_EQ(rate.rounds.size(), 3U);
        double seconds = 0;
        for (const DecodeRound& round : rate.rounds) {
            EXPECT_GT(round.streamBytesPerSecond, 0);
            EXPECT_LE(round.streamBytesPerSecond, report->streamBytesPerSecond);
            seconds += round.secondsPerToken;
        }
        EXPECT_NEAR(rate.secondsPerToken, seconds / 3, 1e-9);
        // Matrices only: norms, convolutions and the row of the embedding are the rest of the active parameters.
        const auto active = 2.0 * static_cast<double>(model->plan.activeParameters());
        EXPECT_LE(static_cast<double>(rate.weightBytes), active);
        EXPECT_GT(static_cast<double>(rate.weightBytes), 0.97 * active);
        uint64_t sum = 0;
        seconds = 0;
        for (const PartCost& part : rate.parts) {
            sum += part.weightBytes;
            seconds += part.seconds;
            EXPECT_EQ(part.weightBytes > 0, part.part != "other") << part.part;
            EXPECT_GT(part.seconds, 0) << part.part;
        }
        EXPECT_EQ(sum, rate.weightBytes);
        EXPECT_GT(seconds, 0);
    }
    EXPECT_GT(report->decode[1].stateBytes, report->decode[0].stateBytes);
}

// Each active parameter meets each token once, but for the head, which meets the last token only, and kv_b, which belongs to attention.
TEST(BenchModel, ProductsOfAPromptAreThoseOfItsWeights) {
    BenchRequest request;
    request.model = "tests/golden/tiny-linear/checkpoint";
    request.prefillTokens = {70};
    request.decodeContexts = {1};
    request.decodeTokens = 1;
    const auto report = benchModel(request, [](std::string_view) {});
    ASSERT_TRUE(report.has_value()) << report.error().message;
    const auto model = loadModel(request.model);
    ASSERT_TRUE(model.has_value());
    const TextConfig& text = model->plan.config.text;
    double products = 0;
    for (const auto& [tokens, rows, cols, count] : report->prefill[0].products)
        products += static_cast<double>(tokens * rows * cols * count);
    const auto head = static_cast<double>(text.vocabSize * text.hiddenSize);
    const auto kvB = static_cast<double>(model->plan.mlaLayers * text.mla.heads * text.mla.kvLoraRank *
                                         (text.mla.qkNopeHeadDim + text.mla.vHeadDim));
    const double all = 70 * (static_cast<double>(model->plan.activeParameters()) - head - kvB) + head;
    EXPECT_LE(products, all);
    EXPECT_GT(products, 0.97 * all);
}

// Ops of a token: each as often as the layers have it, with at least the bytes of its weights, and no FLOPs where there are no products.
TEST(BenchModel, OpsOfATokenAreThoseOfItsLayers) {
    BenchRequest request;
    request.model = "tests/golden/tiny-linear/checkpoint";
    request.prefillTokens = {70};
    request.decodeContexts = {64};
    request.decodeTokens = 2;
    const auto report = benchModel(request, [](std::string_view) {});
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_FALSE(report->deviceTimes);
    EXPECT_GT(report->limits.flopsPerSecond, 0);
    EXPECT_EQ(report->limits.bytesPerSecond, report->streamBytesPerSecond);
    const auto model = loadModel(request.model);
    ASSERT_TRUE(model.has_value());
    const DecodeRate& rate = report->decode[0];
    ASSERT_EQ(rate.timedTokens, 2);
    std::map<std::string, int64_t> calls;
    uint64_t bytes = 0;
    for (const OpUse& op : rate.ops) {
        calls[op.op] += op.calls;
        bytes += op.bytes;
        EXPECT_GT(op.seconds, 0) << op.op;
        EXPECT_GT(op.bytes, 0U) << op.op;
        const bool multiplies = op.op == "linear" || op.op == "moe" || op.op == "kdaMixer" || op.op == "mlaAttention";
        EXPECT_EQ(op.flops > 0, multiplies) << op.op;
    }
    EXPECT_EQ(calls["embed"], 2);
    EXPECT_EQ(calls["moe"], 2 * model->plan.mixtureLayers);
    EXPECT_EQ(calls["router"], 2 * model->plan.mixtureLayers);
    EXPECT_EQ(calls["kdaMixer"], 2 * model->plan.kdaLayers);
    EXPECT_EQ(calls["mlaAttention"], 2 * model->plan.mlaLayers);
    EXPECT_GT(bytes, 2 * (rate.weightBytes + rate.stateBytes));
    EXPECT_LT(bytes, 2 * (rate.weightBytes + rate.stateBytes) * 3 / 2);  // activations are the rest
    EXPECT_TRUE(std::ranges::is_sorted(rate.ops, std::greater(), &OpUse::seconds));
    int64_t prompt = 0;
    for (const OpUse& op : report->prefill[0].ops) prompt += op.op == "kdaMixer" ? op.calls : 0;
    EXPECT_EQ(prompt, model->plan.kdaLayers);  // one step
}

TEST(BenchModel, RefusesLengthsBelowOneAndOddChunks) {
    BenchRequest request;
    request.model = "tests/golden/tiny-linear/checkpoint";
    request.decodeContexts = {0};
    const auto report = benchModel(request, [](std::string_view) {});
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, ErrorCode::kInvalidArgument);
    request.decodeContexts = {1};
    request.engine.chunkTokens = 0;
    const auto endless = benchModel(request, [](std::string_view) {});
    ASSERT_FALSE(endless.has_value());
    EXPECT_EQ(endless.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace pal
