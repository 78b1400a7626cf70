// SPDX-License-Identifier: Apache-2.0
#include "engine/model/checkpoint_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/byte_hash.h"
#include "engine/model/json_file.h"
#include "engine/model/tensor_draw.h"
#include "engine/model/weight_binding.h"
#include "engine/model/weight_resolver.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

namespace fs = std::filesystem;
using test::TempFolder;

std::string configPath(const std::string& name) {
    return "tests/data/configs/" + name + ".json";
}

BoundModel generate(const RandomModelRequest& request) {
    const auto report = writeRandomModel(request, {}, {});
    EXPECT_TRUE(report.has_value()) << report.error().message;
    auto model = loadModel(request.folder);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return std::move(*model);
}

std::vector<float> floatsOf(const BoundModel& model, const std::string& name) {
    const StoredTensor* tensor = model.store.find(name);
    EXPECT_NE(tensor, nullptr) << name;
    return tensor == nullptr ? std::vector<float>(16) : toFloats(*tensor).value();
}

std::vector<int> bytesOf(const BoundModel& model, const std::string& name, size_t count) {
    std::vector<int> out;
    const StoredTensor* tensor = model.store.find(name);
    EXPECT_NE(tensor, nullptr) << name;
    for (size_t i = 0; tensor != nullptr && i < count; ++i) out.push_back(static_cast<int>(tensor->bytes[i]));
    return out;
}

// The published check values of this generator's definition.
TEST(CheckpointGenerator, GivesTheReferenceValues) {
    const TempFolder folder;
    const BoundModel model = generate({.config = configPath("t1"), .folder = folder / "t1"});
    EXPECT_EQ(fnv1a64("language_model.model.embed_tokens.weight"), 0xdec43c721d10b8a6ULL);
    const auto embed = floatsOf(model, "language_model.model.embed_tokens.weight");
    EXPECT_EQ(std::vector(embed.begin(), embed.begin() + 4),
              (std::vector{0.46484375F, 0.625F, -0.9453125F, -0.486328125F}));
    const std::string layer = "language_model.model.layers.0.self_attn.";
    const auto aLog = floatsOf(model, layer + "A_log");
    const std::vector expected{0.59327596F, 0.58387625F, -0.20923750F, 0.15355133F};
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(aLog[i], expected[i], 5e-9F) << i;
    EXPECT_TRUE(std::all_of(aLog.begin() + 4, aLog.end(), [](float value) { return value == 0.0F; }));
    const std::string expert = "language_model.model.layers.1.block_sparse_moe.experts.0.w1.";
    EXPECT_EQ(bytesOf(model, expert + "weight_packed", 4), (std::vector{147, 245, 251, 164}));
    EXPECT_EQ(bytesOf(model, expert + "weight_scale", 3), (std::vector{122, 121, 123}));
    const auto conv = floatsOf(model, layer + "q_conv1d.weight");
    const std::vector taps{0.33191881F, -0.07312258F, 0.18135832F, 0.12752226F};
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(conv[i], taps[i], 5e-9F) << i;
    const auto bias = floatsOf(model, layer + "dt_bias");
    EXPECT_NEAR(bias[0], -2.68713903F, 1e-7F);
    EXPECT_NEAR(bias[1], -3.70820546F, 1e-7F);
}

// Every published shape of model can be made and loads, with exactly the planned tensors.
TEST(CheckpointGenerator, MakesEveryTinyConfig) {
    const TempFolder folder;
    for (const std::string name : {"t1", "t1-kl", "t2"}) {
        const BoundModel model = generate({.config = configPath(name), .folder = folder / name});
        EXPECT_TRUE(model.notes.empty());
        EXPECT_EQ(model.store.bytes(), model.plan.weightBytes());
        const auto verified = verifyModel(folder / name, {}, {});
        ASSERT_TRUE(verified.has_value());
        EXPECT_TRUE(verified->problems.empty()) << verified->problems.front();
    }
    const BoundModel vision = generate({.config = "tests/golden/tiny-k3/checkpoint", .folder = folder / "vision"});
    EXPECT_TRUE(vision.vision.has_value());
}

TEST(CheckpointGenerator, ShardsHoldTheSameValuesAndNameEachOther) {
    const TempFolder folder;
    const BoundModel whole = generate({.config = configPath("t1"), .folder = folder / "whole"});
    const BoundModel split = generate({.config = configPath("t1"), .folder = folder / "split", .shardBytes = 300'000});
    EXPECT_EQ(whole.store.shards().size(), 1U);
    EXPECT_GT(split.store.shards().size(), 5U);
    EXPECT_TRUE(fs::exists(folder / "split/model.safetensors.index.json"));
    ASSERT_EQ(whole.store.tensors().size(), split.store.tensors().size());
    for (const StoredTensor& tensor : whole.store.tensors()) {
        const StoredTensor* other = split.store.find(tensor.name);
        ASSERT_NE(other, nullptr);
        EXPECT_TRUE(std::ranges::equal(tensor.bytes, other->bytes)) << tensor.name;
    }
    EXPECT_EQ(whole.fingerprint, split.fingerprint);
    for (const auto& shard : split.store.shards()) EXPECT_LT(shard.bytes().size(), 330'000U);
}

TEST(CheckpointGenerator, SeedsDifferAndRepeat) {
    const TempFolder folder;
    const BoundModel a = generate({.config = configPath("t1-kl"), .folder = folder / "a", .seed = 7});
    const BoundModel b = generate({.config = configPath("t1-kl"), .folder = folder / "b", .seed = 7});
    const BoundModel c = generate({.config = configPath("t1-kl"), .folder = folder / "c", .seed = 8});
    EXPECT_EQ(a.fingerprint, b.fingerprint);
    EXPECT_NE(a.fingerprint, c.fingerprint);
    const auto one = floatsOf(a, "model.embed_tokens.weight");
    const auto other = floatsOf(c, "model.embed_tokens.weight");
    // Not a shifted copy of one another either.
    EXPECT_EQ(std::search(other.begin(), other.end(), one.begin(), one.begin() + 8), other.end());
}

TEST(CheckpointGenerator, FewerLayersAndExpertsInOneCall) {
    const TempFolder folder;
    const BoundModel model = generate({.config = configPath("t1-kl"),
                                       .folder = folder / "small",
                                       .layers = 3,
                                       .experts = 2,
                                       .expertFormat = RandomModelRequest::Experts::kMxfp4});
    EXPECT_EQ(model.layers.size(), 3U);
    EXPECT_EQ(model.plan.mlaLayers, 1);
    EXPECT_EQ(model.plan.config.text.moe->expertsPerToken, 2);
    const auto& experts = std::get<BoundMixture>(model.layers[1].feedForward).experts;
    ASSERT_EQ(experts.size(), 2U);
    EXPECT_EQ(experts[0].gate.format, WeightFormat::kMxfp4);
    const auto more =
        writeRandomModel({.config = configPath("t1-kl"), .folder = folder / "more", .experts = 9}, {}, {});
    EXPECT_EQ(more.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(more.error().message.find("9 experts are asked for, the pattern has 8"), std::string::npos);
}

TEST(CheckpointGenerator, ExistingFoldersAreLeftAlone) {
    const TempFolder folder;
    fs::create_directory(folder / "full");
    test::writeText(folder / "full/note.txt", "mine");
    const auto refused = writeRandomModel({.config = configPath("t1"), .folder = folder / "full"}, {}, {});
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::readText(folder / "full/note.txt"), "mine");
    fs::create_directory(folder / "empty");
    EXPECT_TRUE(writeRandomModel({.config = configPath("t1"), .folder = folder / "empty/"}, {}, {}).has_value());
    EXPECT_TRUE(fs::exists(folder / "empty/config.json"));
}

TEST(CheckpointGenerator, AnotherRunsFilesAreLeftAlone) {
    const TempFolder folder;
    fs::create_directory(folder / "x.part");
    test::writeText(folder / "x.part/note.txt", "mine");
    const auto refused = writeRandomModel({.config = configPath("t1"), .folder = folder / "x"}, {}, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
    EXPECT_EQ(test::readText(folder / "x.part/note.txt"), "mine");
    EXPECT_FALSE(fs::exists(folder / "x"));
}

TEST(CheckpointGenerator, ALinkIsNotReplaced) {
    const TempFolder folder;
    fs::create_directory(folder / "empty");
    fs::create_directory_symlink("empty", folder / "link");
    for (const char* name : {"link", "link/"}) {
        const auto refused = writeRandomModel({.config = configPath("t1"), .folder = folder / name}, {}, {});
        ASSERT_FALSE(refused.has_value());
        EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
        EXPECT_TRUE(fs::is_symlink(folder / "link"));
        EXPECT_TRUE(fs::is_empty(folder / "empty"));
    }
}

TEST(CheckpointGenerator, MissingParentsAreMade) {
    const TempFolder folder;
    EXPECT_TRUE(writeRandomModel({.config = configPath("t1-kl"), .folder = folder / "a/b/c"}, {}, {}).has_value());
    EXPECT_TRUE(fs::exists(folder / "a/b/c/config.json"));
}

TEST(CheckpointGenerator, StoppingLeavesNothingBehind) {
    const TempFolder folder;
    std::stop_source stop;
    const auto stopAtOnce = [&](const FileProgress&) { stop.request_stop(); };
    const auto stopped = writeRandomModel({.config = configPath("t2"), .folder = folder / "x", .shardBytes = 100'000},
                                          stopAtOnce, stop.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(CheckpointGenerator, TooLittleSpaceIsSaidBeforeWriting) {
    const TempFolder folder;
    const auto result = writeRandomModel({.config = configPath("kimi-k3"), .folder = folder / "k3"}, {}, {});
    if (fs::space(folder.path()).available > 1'560'860'324'864U) GTEST_SKIP() << "this disk could hold it";
    EXPECT_EQ(result.error().code, ErrorCode::kIo);
    EXPECT_NE(result.error().message.find("takes 1560860324864 bytes"), std::string::npos);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(CheckpointGenerator, TheTokenizerComesAlong) {
    const TempFolder folder;
    test::writeText(folder / "vocabulary", "IQ== 0\n");
    const BoundModel model =
        generate({.config = configPath("t1"), .folder = folder / "t1", .tokenizer = folder / "vocabulary"});
    EXPECT_EQ(test::readText(folder / "t1/tiktoken.model"), "IQ== 0\n");
}

// Pieces may be drawn in any order: what starts in the middle equals the middle of the whole.
TEST(TensorDraw, AnyPieceCanBeDrawnAlone) {
    const TensorDraw draw{TensorDraw::Rule::kAffine, StorageType::kBF16, 0.5, 2.0};
    std::vector<std::byte> whole(2000);
    std::vector<std::byte> part(600);
    draw.fill(whole, "some.weight", 3, 0);
    draw.fill(part, "some.weight", 3, 200);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 400));
}

}  // namespace
}  // namespace pal
