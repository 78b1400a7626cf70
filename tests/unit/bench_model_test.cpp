// SPDX-License-Identifier: Apache-2.0
// What the benchmark counts, on the small checkpoint tiny-linear (all weights bfloat16). Its times are not judged here.
#include <gtest/gtest.h>

#include <cmath>

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
        // Matrices only: norms, convolutions and the row of the embedding are the rest of the active parameters.
        const auto active = 2.0 * static_cast<double>(model->plan.activeParameters());
        EXPECT_LE(static_cast<double>(rate.weightBytes), active);
        EXPECT_GT(static_cast<double>(rate.weightBytes), 0.97 * active);
        uint64_t sum = 0;
        double seconds = 0;
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
