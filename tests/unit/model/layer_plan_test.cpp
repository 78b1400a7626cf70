// SPDX-License-Identifier: Apache-2.0
#include "engine/model/layer_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pal {
namespace {

LayerPlan planOf(const std::string& name) {
    auto config = readModelConfig("tests/data/configs/" + name + ".json");
    EXPECT_TRUE(config.has_value()) << config.error().message;
    return makeLayerPlan(std::move(*config));
}

const TensorSpec* specOf(const LayerPlan& plan, std::string_view name) {
    const auto it = std::ranges::find(plan.tensors, name, &TensorSpec::name);
    return it == plan.tensors.end() ? nullptr : &*it;
}

uint64_t bytesOf(const LayerPlan& plan, ModelPart part) {
    return plan.bytesByPart()[static_cast<size_t>(part)];
}

// The published totals (model index and tensor inventories).
TEST(LayerPlan, KimiK3HasThePublishedSizes) {
    const LayerPlan plan = planOf("kimi-k3");
    EXPECT_EQ(plan.parameters(), 2'779'931'837'184U);
    EXPECT_EQ(plan.weightBytes(), 1'560'860'324'864U);
    EXPECT_EQ(plan.tensorCount(), 497'220U);
    EXPECT_EQ(bytesOf(plan, ModelPart::kRoutedExperts), 92U * 15'722'348'544U);
    EXPECT_EQ(bytesOf(plan, ModelPart::kVision), 894'717'952U);
    EXPECT_NEAR(static_cast<double>(plan.activeParameters()), 104.2e9, 2e9);
    EXPECT_EQ(plan.kdaLayers, 69);
    EXPECT_EQ(plan.mlaLayers, 24);
    EXPECT_EQ(plan.mixtureLayers, 92);
    EXPECT_EQ(plan.layers[91].attention, AttentionKind::kMla);
    EXPECT_EQ(plan.layers[92].attention, AttentionKind::kMla);
    EXPECT_EQ(plan.layers[0].feedForward, FeedForwardKind::kDense);
}

TEST(LayerPlan, KimiLinearHasThePublishedSizes) {
    const LayerPlan plan = planOf("kimi-linear-48b");
    EXPECT_EQ(plan.parameters(), 49'122'681'728U);
    EXPECT_EQ(plan.tensorCount(), 20'493U);
    EXPECT_NEAR(static_cast<double>(plan.weightBytes()) / (1ULL << 30), 91.5, 0.05);
    EXPECT_EQ(plan.snapshots, 0);
}

TEST(LayerPlan, StateSizesOfThePublishedModels) {
    const StateSizes k3 = planOf("kimi-k3").stateSizes();
    EXPECT_EQ(k3.kdaStatePerLayer, 6'291'456U);
    EXPECT_EQ(k3.convTailPerLayer, 221'184U);
    EXPECT_EQ(k3.kdaStates, 434'110'464U);
    EXPECT_EQ(k3.convTails, 15'261'696U);
    EXPECT_EQ(k3.checkpoint(), 449'372'160U);
    EXPECT_EQ(k3.latentPerToken, 27'648U);
    EXPECT_EQ(k3.sequence(1'048'576) - k3.checkpoint(), 27ULL << 30);
    const StateSizes linear = planOf("kimi-linear-48b").stateSizes();
    EXPECT_EQ(linear.kdaStates, 41'943'040U);
    EXPECT_EQ(linear.convTails, 1'474'560U);
    EXPECT_EQ(linear.checkpoint(), 43'417'600U);
    EXPECT_EQ(linear.latentPerToken, 8'064U);
    const StateSizes wide = planOf("kimi-k3").stateSizes({DType::kF32, DType::kF32});
    EXPECT_EQ(wide.convTails, 2 * k3.convTails);
    EXPECT_EQ(wide.latentPerToken, 2 * k3.latentPerToken);
    EXPECT_EQ(wide.kdaStates, k3.kdaStates);
}

// Block starts of K3 are layers 0, 12, ..., 84, and a mix sees ceil(l / 12) snapshots before attention.
TEST(LayerPlan, SnapshotsFollowTheBlockSize) {
    const LayerPlan plan = planOf("kimi-k3");
    EXPECT_EQ(plan.snapshots, 8);
    for (size_t l = 0; l < plan.layers.size(); ++l) {
        EXPECT_EQ(plan.layers[l].commitsSnapshot, l % 12 == 0) << l;
        EXPECT_EQ(plan.layers[l].snapshotsBefore, static_cast<int64_t>((l + 11) / 12)) << l;
    }
}

TEST(LayerPlan, NamesAndShapesFollowTheFamily) {
    const LayerPlan k3 = planOf("kimi-k3");
    const std::string layer = "language_model.model.layers.0.";
    ASSERT_NE(specOf(k3, layer + "self_attn.A_log"), nullptr);
    EXPECT_EQ(specOf(k3, layer + "self_attn.A_log")->shape, (TensorShape{128}));
    EXPECT_EQ(specOf(k3, layer + "self_attn.q_conv1d.weight")->type, StorageType::kF32);
    EXPECT_EQ(specOf(k3, layer + "self_attn.q_conv1d.weight")->shape, (TensorShape{12288, 1, 4}));
    EXPECT_NE(specOf(k3, layer + "self_attn.g_proj.weight"), nullptr);
    EXPECT_EQ(specOf(k3, layer + "self_attn.g_a_proj.weight"), nullptr);
    const TensorSpec* expert = specOf(k3, "language_model.model.layers.92.block_sparse_moe.experts.{}.w2.weight");
    ASSERT_NE(expert, nullptr);
    EXPECT_TRUE(expert->packedInPlan);
    EXPECT_EQ(expert->shape, (TensorShape{3584, 3072}));
    EXPECT_EQ(expert->nameOf(895), "language_model.model.layers.92.block_sparse_moe.experts.895.w2.weight");
    EXPECT_EQ(specOf(k3, "language_model.model.layers.93.input_layernorm.weight"), nullptr);

    const LayerPlan linear = planOf("kimi-linear-48b");
    EXPECT_EQ(specOf(linear, "model.layers.0.self_attn.A_log")->shape, (TensorShape{1, 1, 32, 1}));
    EXPECT_EQ(specOf(linear, "model.layers.0.self_attn.o_norm.weight")->type, StorageType::kBF16);
    EXPECT_NE(specOf(linear, "model.layers.0.self_attn.g_b_proj.weight"), nullptr);
    EXPECT_EQ(specOf(linear, "model.layers.3.self_attn.g_proj.weight"), nullptr);
    EXPECT_EQ(specOf(linear, "model.layers.3.self_attn.q_proj.weight")->shape, (TensorShape{6144, 2304}));
    EXPECT_FALSE(specOf(linear, "model.layers.1.block_sparse_moe.experts.{}.w1.weight")->packedInPlan);
}

TEST(LayerPlan, MemoryEstimateGrowsWithContextOnlyByLatents) {
    const LayerPlan plan = planOf("kimi-linear-48b");
    const MemoryEstimate small = estimateMemory(plan, {.contextTokens = 4096});
    const MemoryEstimate large = estimateMemory(plan, {.contextTokens = 1 << 20});
    EXPECT_EQ(small.weights, plan.weightBytes());
    EXPECT_EQ(large.state - small.state, ((1U << 20) - 4096U) * 8'064ULL);
    EXPECT_EQ(large.workspace, small.workspace);
    EXPECT_GT(small.workspace, 512U * 4U * (4U * 2304U + 9U * 4096U));  // streams, and what a KDA layer keeps
    EXPECT_EQ(small.total(), small.weights + small.state + small.workspace);
}

// A caller who asks for more than any model allows gets the largest number, not a small one.
TEST(StateSizes, DoNotWrapAround) {
    const LayerPlan plan = planOf("kimi-k3");
    EXPECT_EQ(plan.stateSizes().sequence(1ULL << 60), UINT64_MAX);
    EXPECT_EQ(estimateMemory(plan, {.contextTokens = UINT64_MAX}).total(), UINT64_MAX);
    EXPECT_EQ(plan.stateSizes().sequence(10), plan.stateSizes().checkpoint() + 10 * plan.stateSizes().latentPerToken);
}

}  // namespace
}  // namespace pal
