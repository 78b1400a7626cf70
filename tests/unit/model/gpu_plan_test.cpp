// SPDX-License-Identifier: Apache-2.0
#include "engine/api/gpu_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "engine/model/config_variant.h"
#include "engine/model/gpu_sizes.h"
#include "engine/model/json_file.h"
#include "engine/model/weight_binding.h"

namespace pal {
namespace {

constexpr uint64_t kGiga = 1'000'000'000;
constexpr uint64_t kKimiLinearNumbers = uint64_t{256} * 3 * 1024 * 2304;  // of the experts of a layer

enum class Experts { kAsConfig, kMxfp4 };

GpuPlanSizes sizesOf(const std::string& name, Experts experts = Experts::kAsConfig) {
    const std::string path = "tests/data/configs/" + name + ".json";
    auto json = readJsonFile(path).value();
    if (experts == Experts::kMxfp4) {
        EXPECT_TRUE(applyVariant(json, {{}, {}, true}).has_value());
    }
    return gpuPlanSizes(makeLayerPlan(parseModelConfig(json, path).value()));
}

GpuPlanRequest request(uint64_t freeBytes) {
    GpuPlanRequest out;
    out.memory.freeBytes = freeBytes;
    out.contextTokens = 32768;
    out.latents = LatentType::kBFloat16;
    return out;
}

TEST(GpuPlan, SizesOfKimiLinear) {
    const GpuPlanSizes sizes = sizesOf("kimi-linear-48b");
    EXPECT_EQ(sizes.expertLayers, std::vector<uint64_t>(26, kKimiLinearNumbers * 2));
    EXPECT_EQ(sizes.experts, 256);
    EXPECT_EQ(sizes.expertsPerToken, 8);
    const LayerPlan plan = makeLayerPlan(readModelConfig("tests/data/configs/kimi-linear-48b.json").value());
    EXPECT_EQ(sizes.weightBytes, plan.weightBytes() - 26 * sizes.expertLayers[0]);
    EXPECT_EQ(sizes.weightBytes - sizes.weightReadBytes, 163839U * 2304 * 2);  // all rows of the embedding but one
    EXPECT_EQ(sizes.stateBytes, 43'417'600U);
    EXPECT_EQ(sizes.latentNumbersPerToken, 7U * 576);
    const MemoryEstimate step = estimateMemory(plan, {4096, 512, {}, DType::kBF16});
    EXPECT_EQ(sizes.workspaceBytes + 512 * sizes.workspaceBytesPerToken, step.workspace);
    const GpuPlanSizes packed = sizesOf("kimi-linear-48b", Experts::kMxfp4);
    EXPECT_EQ(packed.expertLayers, std::vector<uint64_t>(26, kKimiLinearNumbers * 17 / 32));
    EXPECT_EQ(packed.weightBytes, sizes.weightBytes);
}

TEST(GpuPlan, AllFitsAndNothingMoves) {
    const GpuPlanSizes sizes = sizesOf("kimi-linear-48b", Experts::kMxfp4);
    const auto plan = planGpu(sizes, request(80 * kGiga));
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->ramLayers, 0);
    EXPECT_EQ(plan->inRam, std::vector<bool>(26, false));
    EXPECT_EQ(plan->ramBytes, 0U);
    EXPECT_EQ(plan->placeBytes, 0U);
    EXPECT_EQ(plan->linkReadBytes, 0U);
    EXPECT_EQ(plan->chunkLinkBytes, 0U);
    EXPECT_EQ(plan->expertBytes, 26 * sizes.expertLayers[0]);
    EXPECT_EQ(plan->latentBytes, 32768U * 7 * 576 * 2);
    // Weights that a token reads with the picks of every layer, its state twice and its latents.
    EXPECT_EQ(plan->gpuReadBytes,
              sizes.weightReadBytes + 26 * sizes.expertLayers[0] / 256 * 8 + 2 * 43'417'600U + plan->latentBytes);
    // Exactly enough is enough, a byte less is not.
    EXPECT_EQ(planGpu(sizes, request(plan->gpuBytes()))->ramLayers, 0);
    EXPECT_GT(planGpu(sizes, request(plan->gpuBytes() - 1))->ramLayers, 0);
}

TEST(GpuPlan, KimiLinearOnACardOf24GB) {
    const GpuPlanSizes sizes = sizesOf("kimi-linear-48b", Experts::kMxfp4);
    const uint64_t layer = sizes.expertLayers[0];
    GpuPlanRequest wanted = request(24 * kGiga);
    wanted.memory.copyRate = 1e12;
    wanted.memory.linkRate = 25e9;
    const auto plan = planGpu(sizes, wanted);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_GT(plan->ramLayers, 2);
    EXPECT_EQ(plan->gpuBytes() + plan->spareBytes, 24 * kGiga);
    EXPECT_LT(plan->spareBytes, layer) << "or one layer less could lie in RAM";
    EXPECT_EQ(std::ranges::count(plan->inRam, true), plan->ramLayers);
    const auto moved = static_cast<uint64_t>(plan->ramLayers);
    EXPECT_EQ(plan->ramBytes, moved * layer);
    EXPECT_EQ(plan->expertBytes, (26 - moved) * layer);
    EXPECT_EQ(plan->placeBytes, 2 * layer);
    EXPECT_EQ(plan->linkReadBytes, moved * layer / 256 * 8);
    EXPECT_EQ(plan->chunkLinkBytes, moved * layer);
    EXPECT_DOUBLE_EQ(plan->linkSeconds, static_cast<double>(plan->linkReadBytes) / 25e9);
    EXPECT_DOUBLE_EQ(plan->tokensPerSecond(), 1 / (static_cast<double>(plan->gpuReadBytes) / 1e12 + plan->linkSeconds));
    // As few layers as possible.
    wanted.ramLayers = plan->ramLayers - 1;
    EXPECT_EQ(planGpu(sizes, wanted).error().code, ErrorCode::kOutOfMemory);
    // A longer context takes room from experts.
    wanted.ramLayers.reset();
    wanted.contextTokens = 1'000'000;
    EXPECT_GT(planGpu(sizes, wanted)->ramLayers, plan->ramLayers);
}

TEST(GpuPlan, KimiK3OnOneCardOf141GB) {
    const GpuPlanSizes sizes = sizesOf("kimi-k3");
    EXPECT_EQ(sizes.expertLayers, std::vector<uint64_t>(92, 15'722'348'544U));
    EXPECT_EQ(sizes.weightBytes, 1'560'860'324'864U - 92 * 15'722'348'544U);
    GpuPlanRequest wanted = request(141 * kGiga);
    const auto none = planGpu(sizes, wanted);  // the rest alone takes 114 GB, two layers of experts 31
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().code, ErrorCode::kOutOfMemory);
    wanted.memory.freeBytes = 160 * kGiga;
    const auto plan = planGpu(sizes, wanted);
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_EQ(plan->ramLayers, 92);
    EXPECT_EQ(plan->linkReadBytes, 92 * 16 * uint64_t{17'547'264});
}

TEST(GpuPlan, NothingFits) {
    const auto plan = planGpu(sizesOf("kimi-linear-48b"), request(4 * kGiga));
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().code, ErrorCode::kOutOfMemory);
    EXPECT_NE(plan.error().message.find("room for 3.73 GiB, "), std::string::npos) << plan.error().message;
    EXPECT_NE(plan.error().message.find("26 of 26 layers"), std::string::npos) << plan.error().message;
    const auto wished = wishedGpuPlan(sizesOf("kimi-linear-48b"), request(4 * kGiga));
    ASSERT_TRUE(wished.has_value());
    EXPECT_EQ(wished->fit, GpuPlan::Fit::kNoRoomOnGpu);
    EXPECT_EQ(wished->ramLayers, 26);
    EXPECT_GT(wished->gpuBytes(), 4 * kGiga);
}

TEST(GpuPlan, RamTooSmall) {
    GpuPlanRequest wanted = request(24 * kGiga);
    wanted.memory.ramBytes = 16 * kGiga;
    const auto plan = planGpu(sizesOf("kimi-linear-48b"), wanted);  // bfloat16 experts: 94 GB
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().code, ErrorCode::kOutOfMemory);
    EXPECT_NE(plan.error().message.find("RAM has room for 14.9 GiB"), std::string::npos) << plan.error().message;
    EXPECT_EQ(wishedGpuPlan(sizesOf("kimi-linear-48b"), wanted)->fit, GpuPlan::Fit::kNoRoomInRam);
    wanted.memory.ramBytes = 128 * kGiga;
    EXPECT_TRUE(planGpu(sizesOf("kimi-linear-48b"), wanted).has_value());
    wanted.memory.ramBytes = 0;  // not known: the system will tell
    EXPECT_TRUE(planGpu(sizesOf("kimi-linear-48b"), wanted).has_value());
}

TEST(GpuPlan, LayersInRamCanBeChosenAndAreSpread) {
    const GpuPlanSizes sizes = sizesOf("kimi-linear-48b", Experts::kMxfp4);
    GpuPlanRequest wanted = request(80 * kGiga);
    wanted.ramLayers = 13;
    auto plan = planGpu(sizes, wanted);
    ASSERT_TRUE(plan.has_value());
    for (size_t i = 0; i < 26; ++i) EXPECT_EQ(plan->inRam[i], i % 2 == 1) << i;
    wanted.ramLayers = 1;
    plan = planGpu(sizes, wanted);
    EXPECT_EQ(plan->placeBytes, sizes.expertLayers[0]);  // one layer needs one place
    EXPECT_EQ(std::ranges::count(plan->inRam, true), 1);
    for (const int64_t wrong : {int64_t{-1}, int64_t{27}, std::numeric_limits<int64_t>::max()}) {
        wanted.ramLayers = wrong;
        EXPECT_EQ(planGpu(sizes, wanted).error().code, ErrorCode::kInvalidArgument) << wrong;
    }
}

// What the files hold counts, not what the config declares.
TEST(GpuPlan, SizesOfStoredWeights) {
    for (const char* folder : {"tests/golden/tiny-k3/checkpoint", "tests/golden/tiny-linear/checkpoint"}) {
        const BoundModel model = loadModel(folder).value();
        const GpuPlanSizes sizes = gpuPlanSizes(model.plan, model.store);
        uint64_t sum = sizes.weightBytes;
        for (const uint64_t layer : sizes.expertLayers) sum += layer;
        EXPECT_EQ(sum, model.store.bytes()) << folder;
        EXPECT_EQ(std::ssize(sizes.expertLayers), model.plan.mixtureLayers) << folder;
        EXPECT_EQ(describeModel(folder, 0)->gpu.expertLayers, sizes.expertLayers) << folder;
    }
}

}  // namespace
}  // namespace pal
