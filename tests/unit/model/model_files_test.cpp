// SPDX-License-Identifier: Apache-2.0
#include "engine/api/model_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/checkpoint.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

using test::Checkpoint;
using test::TempFolder;

const std::filesystem::path kTinyK3 = "tests/golden/tiny-k3/checkpoint";
const std::filesystem::path kTinyLinear = "tests/golden/tiny-linear/checkpoint";
const std::string kLayers = "language_model.model.layers.";

VerifyReport verified(const Checkpoint& checkpoint) {
    const TempFolder folder;
    checkpoint.write(folder.path());
    const auto report = verifyModel(folder.path(), {}, {});
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return *report;
}

bool mentions(const std::vector<std::string>& texts, const std::string& part) {
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(DescribeModel, WeightsAndConfigAloneAgree) {
    const auto stored = describeModel(kTinyK3, 1000);
    const auto planned = describeModel(kTinyK3 / "config.json", 1000);
    ASSERT_TRUE(stored.has_value() && planned.has_value());
    EXPECT_TRUE(stored->hasWeights);
    EXPECT_FALSE(planned->hasWeights);
    EXPECT_EQ(stored->weightBytes, planned->weightBytes);
    EXPECT_EQ(stored->tensors, planned->tensors);
    EXPECT_EQ(stored->memoryBytes, planned->memoryBytes);
    ASSERT_EQ(stored->parts.size(), planned->parts.size());
    uint64_t sum = 0;
    for (size_t i = 0; i < stored->parts.size(); ++i) {
        EXPECT_EQ(stored->parts[i].bytes, planned->parts[i].bytes) << stored->parts[i].name;
        sum += stored->parts[i].bytes;
    }
    EXPECT_EQ(sum, stored->weightBytes);
    EXPECT_EQ(stored->fingerprint.size(), 32U);
    EXPECT_EQ(stored->checkpointBytes, 6U * (2 * 128 * 128 * 4 + 3 * 3 * 256 * 4));
    EXPECT_EQ(stored->latentBytesPerToken, 3U * 576 * 4);
}

TEST(DescribeModel, TheModelsLimitIsTheDefaultContext) {
    const auto summary = describeModel("tests/data/configs/kimi-k3.json", 0);
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->contextTokens, 1'048'576U);
    EXPECT_EQ(summary->stateBytes, 434'110'464U + 2 * 15'261'696U + 1'048'576ULL * 2 * 27'648);
}

TEST(DescribeModel, VisionIsOnlyThereWithItsTensors) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    EXPECT_TRUE(describeModel(kTinyK3, 1)->vision);
    std::erase_if(checkpoint.tensors, [](const auto& entry) { return !entry.first.starts_with("language_model."); });
    const TempFolder folder;
    checkpoint.write(folder.path());
    EXPECT_FALSE(describeModel(folder.path(), 1)->vision);
}

TEST(DescribeModel, AContextAboveTheLimitIsRefused) {
    const auto limit = static_cast<uint64_t>(describeModel(kTinyK3, 0)->contextLimit);
    EXPECT_TRUE(describeModel(kTinyK3, limit).has_value());
    EXPECT_EQ(describeModel(kTinyK3, limit + 1).error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(describeModel(kTinyK3 / "config.json", UINT64_MAX).error().code, ErrorCode::kInvalidArgument);
}

TEST(VerifyModel, TheGoldenCheckpointsAreSound) {
    for (const auto& path : {kTinyK3, kTinyLinear}) {
        uint64_t last = 0;
        const auto report = verifyModel(path, [&](const FileProgress& p) { last = p.doneBytes; }, {});
        ASSERT_TRUE(report.has_value());
        EXPECT_TRUE(report->problems.empty());
        EXPECT_EQ(last, report->bytes);
    }
}

TEST(VerifyModel, FindsEveryKindOfBadValueWithItsPlace) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    const auto poke = [&](const std::string& name, size_t at, uint8_t value) {
        checkpoint.tensors.at(name).bytes[at] = static_cast<std::byte>(value);
    };
    const std::string scale = kLayers + "2.block_sparse_moe.experts.7.w2.weight_scale";
    poke(scale, 37, 255);
    poke(scale, 41, 255);
    const std::string matrix = kLayers + "0.self_attn.q_proj.weight";
    poke(matrix, 2 * 5000, 0x80);  // bf16 0x7F80: infinity
    poke(matrix, 2 * 5000 + 1, 0x7F);
    const std::string bias = kLayers + "1.self_attn.dt_bias";
    poke(bias, 4 * 200 + 2, 0xC0);  // f32 0x7FC0....: NaN
    poke(bias, 4 * 200 + 3, 0x7F);
    const VerifyReport report = verified(checkpoint);
    EXPECT_TRUE(mentions(report.problems, scale + "' has 2 NaN scales (255), the first at position 37 of [64, 2]"));
    EXPECT_TRUE(
        mentions(report.problems, matrix + "' has 1 values that are NaN or infinite, the first at position 5000"));
    EXPECT_TRUE(mentions(report.problems, bias + "' has 1 values that are NaN or infinite, the first at position 200"));
    EXPECT_EQ(report.problems.size(), 3U);  // none told twice
    EXPECT_EQ(report.problemCount, 3U);
}

// 255 is an ordinary byte of packed values.
TEST(VerifyModel, PackedValuesMayBeAnything) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    auto& packed = checkpoint.tensors.at(kLayers + "2.block_sparse_moe.experts.7.w2.weight_packed");
    std::ranges::fill(packed.bytes, std::byte{255});
    EXPECT_TRUE(verified(checkpoint).problems.empty());
}

TEST(VerifyModel, ReportsStructureAndValuesTogether) {
    Checkpoint checkpoint = Checkpoint::read(kTinyLinear);
    checkpoint.tensors.erase("model.norm.weight");
    checkpoint.setFloats("model.layers.0.self_attn.b_proj.weight", {2, 128}, std::vector<float>(256, INFINITY));
    checkpoint.setFloats("stray", {1}, {0});
    const VerifyReport report = verified(checkpoint);
    EXPECT_TRUE(mentions(report.problems, "tensor 'model.norm.weight' is missing"));
    EXPECT_TRUE(mentions(report.problems, "b_proj.weight' has 256 values that are NaN or infinite"));
    EXPECT_TRUE(mentions(report.notes, "unexpected tensor 'stray'"));
}

TEST(VerifyModel, ABrokenConfigIsAFinding) {
    Checkpoint checkpoint = Checkpoint::read(kTinyLinear);
    checkpoint.config.erase("hidden_size");
    EXPECT_TRUE(mentions(verified(checkpoint).problems, "hidden_size is missing"));
    EXPECT_EQ(verifyModel("tests/data/configs", {}, {}).error().code, ErrorCode::kNotFound);
}

// One attempt tells of the missing shard, the bad values in the shard that is there, and the config.
TEST(VerifyModel, GoesOnWithWhatIsThere) {
    const TempFolder folder;
    std::filesystem::copy(kTinyK3, folder.path(), std::filesystem::copy_options::recursive);
    std::filesystem::remove(folder / "model-00002-of-00002.safetensors");
    const auto first = verifyModel(folder.path(), {}, {});
    ASSERT_TRUE(first.has_value());
    ASSERT_EQ(first->problems.size(), 1U);  // not every tensor of it as well
    EXPECT_TRUE(mentions(first->problems, "shard model-00002-of-00002.safetensors is missing"));
    EXPECT_GT(first->bytes, 0U);
    test::writeText(folder / "config.json", "{}");
    test::writeText(folder / "model-00002-of-00002.safetensors", "short");
    const auto second = verifyModel(folder.path(), {}, {});
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(second->problemCount, 2U);
    EXPECT_TRUE(mentions(second->problems, "not a Kimi"));
    EXPECT_TRUE(mentions(second->problems, "5 bytes are too few"));
}

TEST(VerifyModel, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(verifyModel(kTinyK3, {}, stop.get_token()).error().code, ErrorCode::kCancelled);
}

// A fingerprint must notice a changed config, name, shape and value.
TEST(ModelFingerprint, NoticesWhatMatters) {
    const auto of = [](const Checkpoint& checkpoint) {
        const TempFolder folder;
        checkpoint.write(folder.path());
        const auto summary = describeModel(folder.path(), 1);
        EXPECT_TRUE(summary.has_value()) << summary.error().message;
        return summary->fingerprint;
    };
    const Checkpoint original = Checkpoint::read(kTinyLinear);
    EXPECT_EQ(of(original), describeModel(kTinyLinear, 1)->fingerprint);  // one shard or two
    Checkpoint changed = original;
    changed.config["routed_scaling_factor"] = 1.0;
    EXPECT_NE(of(changed), of(original));
    changed = original;
    changed.tensors.at("lm_head.weight").bytes[10] ^= std::byte{1};
    EXPECT_NE(of(changed), of(original));
    changed = original;
    changed.setFloats("stray", {1}, {0});
    EXPECT_NE(of(changed), of(original));

    // Beside many experts, of which only some are looked at, the other tensors are still looked at one by one.
    Checkpoint large = original;
    for (int i = 0; i < 20'000; ++i) large.setFloats(fmt::format("stray.experts.{}.weight", i), {1}, {0});
    const std::string whole = of(large);
    for (const auto& [name, tensor] : original.tensors) {
        if (!name.ends_with("q_proj.weight")) continue;
        changed = large;
        changed.tensors.at(name).bytes[0] ^= std::byte{1};
        EXPECT_NE(of(changed), whole) << name;
    }
}

}  // namespace
}  // namespace pal
