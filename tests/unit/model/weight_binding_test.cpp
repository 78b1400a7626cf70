// SPDX-License-Identifier: Apache-2.0
// Every quirk of published exports has its case here, and every way in which a folder can be wrong its message.
#include "engine/model/weight_binding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/model/weight_resolver.h"
#include "tests/support/checkpoint.h"
#include "tests/support/contains.h"
#include "tests/support/temp_folder.h"

namespace pal {
namespace {

using test::Checkpoint;
using test::contains;
using test::TempFolder;

const std::filesystem::path kTinyK3 = "tests/golden/tiny-k3/checkpoint";
const std::filesystem::path kTinyLinear = "tests/golden/tiny-linear/checkpoint";
const std::string kK3Layers = "language_model.model.layers.";

Result<BoundModel> rewritten(const Checkpoint& checkpoint, const TempFolder& folder) {
    checkpoint.write(folder.path());
    return loadModel(folder.path());
}

// The error message of a changed checkpoint, which must not load.
std::string problemsOf(const Checkpoint& checkpoint) {
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    EXPECT_FALSE(model.has_value());
    return model.has_value() ? "" : model.error().message;
}

// Stores one matrix of an expert of layer 1 as zeros in BF16 instead of MXFP4.
void storePlain(Checkpoint& checkpoint, int expert, const std::string& matrix) {
    const std::string name = kK3Layers + "1.block_sparse_moe.experts." + std::to_string(expert) + "." + matrix;
    checkpoint.tensors.erase(name + ".weight_packed");
    checkpoint.tensors.erase(name + ".weight_scale");
    checkpoint.tensors[name + ".weight"] = {StorageType::kBF16, {64, 64}, std::vector<std::byte>(64 * 64 * 2)};
}

TEST(WeightBinding, TinyK3IsBoundAsItLies) {
    const auto model = loadModel(kTinyK3);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_TRUE(model->notes.empty()) << model->notes.front();
    ASSERT_EQ(model->layers.size(), 9U);
    const auto& kda = std::get<BoundKda>(model->layers[0].attention);
    EXPECT_EQ(kda.aLog.size(), 2U);
    EXPECT_EQ(kda.conv.size(), 3U * 256U * 4U);
    EXPECT_TRUE(kda.gate.present());
    EXPECT_FALSE(kda.gateDown.present());
    const auto& mla = std::get<BoundMla>(model->layers[8].attention);
    EXPECT_EQ(mla.query.rows, 2 * 192);
    EXPECT_EQ(mla.query.cols, 96);
    EXPECT_TRUE(mla.gate.present());
    const auto& mixture = std::get<BoundMixture>(model->layers[1].feedForward);
    ASSERT_EQ(mixture.experts.size(), 16U);
    EXPECT_EQ(mixture.experts[15].down.format, WeightFormat::kMxfp4);
    EXPECT_EQ(mixture.latentDown.format, WeightFormat::kBF16);
    ASSERT_TRUE(model->vision.has_value());
    EXPECT_EQ(model->vision->patchEmbed.cols, 3 * 14 * 14);
    EXPECT_EQ(model->vision->positionGrid.size(), 64U * 64U * 64U);
    // In place: the view points into the mapped file.
    const StoredTensor* stored = model->store.find(kK3Layers + "0.self_attn.q_proj.weight");
    EXPECT_EQ(kda.q.data, stored->bytes.data());
}

TEST(WeightBinding, SmallTensorsAreConvertedAndFolded) {
    const auto model = loadModel(kTinyK3);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const auto floats = [&](const std::string& name) { return toFloats(*model->store.find(kK3Layers + name)).value(); };
    const auto norm = floats("4.mlp_res_norm.weight");
    const auto query = floats("4.mlp_res_proj.weight");
    for (size_t i = 0; i < norm.size(); ++i) EXPECT_EQ(model->layers[4].mlpQuery[i], norm[i] * query[i]);
    const auto& kda = std::get<BoundKda>(model->layers[0].attention);
    const auto v = floats("0.self_attn.v_conv1d.weight");
    EXPECT_TRUE(std::equal(v.begin(), v.end(), kda.conv.begin() + 2 * 256 * 4));
    const auto q = floats("0.self_attn.q_conv1d.weight");
    EXPECT_TRUE(std::equal(q.begin(), q.end(), kda.conv.begin()));
}

TEST(WeightBinding, TinyLinearDiffersWhereTheFamilyDoes) {
    const auto model = loadModel(kTinyLinear);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const auto& kda = std::get<BoundKda>(model->layers[0].attention);
    EXPECT_FALSE(kda.gate.present());
    EXPECT_TRUE(kda.gateDown.present() && kda.gateUp.present());
    EXPECT_EQ(kda.aLog.size(), 2U);  // stored [1, 1, 2, 1]
    const auto& mla = std::get<BoundMla>(model->layers[3].attention);
    EXPECT_FALSE(mla.queryDown.present());
    EXPECT_FALSE(mla.gate.present());
    EXPECT_TRUE(model->layers[0].attentionQuery.empty());
    EXPECT_TRUE(model->outputQuery.empty());
    EXPECT_FALSE(model->vision.has_value());
    const auto& mixture = std::get<BoundMixture>(model->layers[1].feedForward);
    EXPECT_EQ(mixture.experts[0].gate.format, WeightFormat::kBF16);
    EXPECT_FALSE(mixture.latentDown.present());
    EXPECT_EQ(mixture.routerBias.size(), 16U);  // stored BF16
}

// The binding asks for every planned tensor: one that it forgot would show up as unexpected.
TEST(WeightBinding, UsesEveryPlannedTensor) {
    for (const auto& path : {kTinyK3, kTinyLinear}) {
        const auto model = loadModel(path);
        ASSERT_TRUE(model.has_value());
        EXPECT_EQ(model->store.tensors().size(), model->plan.tensorCount());
        EXPECT_EQ(model->store.bytes(), model->plan.weightBytes());
        EXPECT_TRUE(model->notes.empty());
    }
}

TEST(WeightBinding, ModelInTheNamesIsOptional) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    const std::string with = "language_model.model.";
    std::vector<std::string> names;
    for (const auto& [name, tensor] : checkpoint.tensors) {
        if (name.starts_with(with)) names.push_back(name);
    }
    for (const auto& name : names) checkpoint.rename(name, "language_model." + name.substr(with.size()));
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_TRUE(model->notes.empty());
    EXPECT_TRUE(model->embedding.present());
}

TEST(WeightBinding, ProjectorMayBeNamedLinear) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    checkpoint.rename("mm_projector.proj.0.weight", "mm_projector.linear_1.weight");
    checkpoint.rename("mm_projector.proj.2.weight", "mm_projector.linear_2.weight");
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_EQ(model->vision->projectorOut.rows, 128);
    EXPECT_TRUE(model->notes.empty());
}

TEST(WeightBinding, WithoutVisionTensorsTheTextModelLoads) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    std::erase_if(checkpoint.tensors, [](const auto& entry) { return !entry.first.starts_with("language_model."); });
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_FALSE(model->vision.has_value());
    ASSERT_EQ(model->notes.size(), 1U);
    EXPECT_TRUE(contains(model->notes[0], "images"));
}

TEST(WeightBinding, HalfOfTheVisionTensorsIsAnError) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    checkpoint.tensors.erase("mm_projector.post_norm.weight");
    EXPECT_TRUE(contains(problemsOf(checkpoint),
                         "tensor 'mm_projector.post_norm.weight' is missing, expected F32 or BF16 [128]"));
}

TEST(WeightBinding, DecayScaleMayHaveAnyShapeAndPadding) {
    const std::string name = kK3Layers + "0.self_attn.A_log";
    for (const auto& [shape, values] : std::vector<std::pair<TensorShape, std::vector<float>>>{
             {{2}, {0.5F, 1}}, {{1, 1, 2, 1}, {0.5F, 1}}, {{8}, {0.5F, 1, 0, 0, 0, 0, 0, 0}}}) {
        Checkpoint checkpoint = Checkpoint::read(kTinyK3);
        checkpoint.setFloats(name, shape, values);
        const TempFolder folder;
        const auto model = rewritten(checkpoint, folder);
        ASSERT_TRUE(model.has_value()) << model.error().message;
        const auto aLog = std::get<BoundKda>(model->layers[0].attention).aLog;
        EXPECT_EQ(std::vector<float>(aLog.begin(), aLog.end()), (std::vector<float>{0.5F, 1}));
    }
}

TEST(WeightBinding, DecayScaleWithAnotherTailIsRefused) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    checkpoint.setFloats(kK3Layers + "0.self_attn.A_log", {4}, {1, 2, 0, 0.25F});
    checkpoint.setFloats(kK3Layers + "1.self_attn.A_log", {1}, {1});
    const std::string problems = problemsOf(checkpoint);
    EXPECT_TRUE(
        contains(problems, "layers.0.self_attn.A_log' has 0.25 at position 3, expected zeros after the 2 heads"));
    EXPECT_TRUE(
        contains(problems, "layers.1.self_attn.A_log' has 1 values, expected at least one for each of the 2 heads"));
}

// The shard is sparse, so it may announce more than any memory holds: refused before anything of that size is allocated.
TEST(WeightBinding, AGiantDecayScaleIsRefusedByItsSize) {
    const std::string name = kK3Layers + "0.self_attn.A_log";
    for (const auto& [type, elements, words] :
         {std::tuple{"F32", 1ULL << 36, "has 68719476736 values, at most 4096 are accepted for 2 heads"},
          std::tuple{"I8", 1ULL << 38, "is I8 [274877906944], expected F32 or BF16"}}) {
        Checkpoint checkpoint = Checkpoint::read(kTinyK3);
        checkpoint.tensors.erase(name);
        const TempFolder folder;
        checkpoint.write(folder.path());
        const uint64_t bytes = 1ULL << 38;
        const std::string header =
            fmt::format(R"({{"{}":{{"dtype":"{}","shape":[{}],"data_offsets":[0,{}]}}}})", name, type, elements, bytes);
        const uint64_t length = header.size();
        test::writeText(folder / "giant.safetensors",
                        std::string(reinterpret_cast<const char*>(&length), sizeof(length)) + header);
        std::filesystem::resize_file(folder / "giant.safetensors", sizeof(length) + length + bytes);
        std::filesystem::rename(folder / "model.safetensors", folder / "rest.safetensors");
        const auto model = loadModel(folder.path());
        ASSERT_FALSE(model.has_value());
        EXPECT_TRUE(contains(model.error().message, words));
    }
}

// The tensors present decide what is quantised: a config may be silent.
TEST(WeightBinding, PackedTensorsDecideWhateverTheConfigSays) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    checkpoint.config["text_config"].erase("quantization_config");
    for (int expert = 0; expert < 16; ++expert) storePlain(checkpoint, expert, "w2");
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const auto& experts = std::get<BoundMixture>(model->layers[1].feedForward).experts;
    EXPECT_EQ(experts[3].down.format, WeightFormat::kBF16);
    EXPECT_EQ(experts[3].gate.format, WeightFormat::kMxfp4);
}

// The kernels pack a layer's input once, so a mixture of formats would give wrong numbers.
TEST(WeightBinding, ExpertsOfALayerAreStoredAlike) {
    const std::string expert = kK3Layers + "1.block_sparse_moe.experts.";
    for (const std::string matrix : {"w1", "w2", "w3"}) {
        Checkpoint checkpoint = Checkpoint::read(kTinyK3);
        storePlain(checkpoint, 5, matrix);
        const std::string first = matrix == "w3" ? "w1" : matrix;
        EXPECT_TRUE(contains(problemsOf(checkpoint), "tensor '" + expert + "5." + matrix + ".weight' is BF16, '" +
                                                         expert + "0." + first + ".weight' is MXFP4"));
    }
}

TEST(WeightBinding, MatricesMayBeF32AndSmallTensorsEither) {
    Checkpoint checkpoint = Checkpoint::read(kTinyLinear);
    checkpoint.setFloats("model.layers.0.self_attn.b_proj.weight", {2, 128}, std::vector<float>(256, 0.5F));
    checkpoint.setFloats("model.layers.0.self_attn.o_norm.weight", {128}, std::vector<float>(128, 2.0F));
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    const auto& kda = std::get<BoundKda>(model->layers[0].attention);
    EXPECT_EQ(kda.beta.format, WeightFormat::kF32);
    EXPECT_EQ(kda.norm[127], 2.0F);
}

TEST(WeightBinding, TiedEmbeddingIsTheHead) {
    Checkpoint checkpoint = Checkpoint::read(kTinyLinear);
    checkpoint.config["tie_word_embeddings"] = true;
    checkpoint.tensors.erase("lm_head.weight");
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_EQ(model->head.data, model->embedding.data);
}

TEST(WeightBinding, EverythingWrongIsReportedAtOnce) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    checkpoint.tensors.erase(kK3Layers + "0.self_attn.q_proj.weight");
    checkpoint.setFloats(kK3Layers + "3.self_attn.kv_b_proj.weight", {2, 3}, std::vector<float>(6, 1));
    checkpoint.tensors[kK3Layers + "2.input_layernorm.weight"].type = StorageType::kI16;
    const std::string expert = kK3Layers + "1.block_sparse_moe.experts.";
    checkpoint.tensors.erase(expert + "5.w2.weight_scale");
    checkpoint.tensors[expert + "6.w1.weight_scale"].shape = {2, 64};
    checkpoint.setFloats(kK3Layers + "0.self_attn.dt_bias", {256}, std::vector<float>(256, std::nanf("")));
    const std::string problems = problemsOf(checkpoint);
    EXPECT_TRUE(contains(problems, "6 problems"));
    EXPECT_TRUE(
        contains(problems, "layers.0.self_attn.q_proj.weight' is missing, expected BF16, F32 or MXFP4 [256, 128]"));
    EXPECT_TRUE(
        contains(problems, "layers.3.self_attn.kv_b_proj.weight' is F32 [2, 3], expected the shape [512, 512]"));
    EXPECT_TRUE(contains(problems, "layers.2.input_layernorm.weight' is I16 [128], expected F32 or BF16"));
    EXPECT_TRUE(contains(problems, "experts.5.w2.weight_scale' is missing beside"));
    EXPECT_TRUE(contains(problems, "experts.6.w1.weight_scale' is U8 [2, 64], expected the shape [64, 2]"));
    EXPECT_TRUE(contains(problems, "layers.0.self_attn.dt_bias' has nan at position 0"));
}

TEST(WeightBinding, NaNScalesAreFoundAtLoad) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    const std::string scale = kK3Layers + "1.block_sparse_moe.experts.6.w1.weight_scale";
    checkpoint.tensors.at(scale).bytes[3] = std::byte{255};
    EXPECT_TRUE(contains(problemsOf(checkpoint), "tensor '" + scale + "' has the scale 255 (NaN) at position 3"));
}

TEST(WeightBinding, PackedWhereItMayNotBeIsNamed) {
    Checkpoint checkpoint = Checkpoint::read(kTinyK3);
    const std::string router = kK3Layers + "1.block_sparse_moe.gate";
    checkpoint.tensors.erase(router + ".weight");
    checkpoint.tensors[router + ".weight_packed"] = {StorageType::kU8, {16, 64}, std::vector<std::byte>(1024)};
    EXPECT_TRUE(contains(problemsOf(checkpoint),
                         "gate.weight' is stored as MXFP4 (weight_packed), expected BF16 or F32 [16, 128]"));
}

TEST(WeightBinding, ExtraTensorsAreNotedAndNotUsed) {
    Checkpoint checkpoint = Checkpoint::read(kTinyLinear);
    checkpoint.setFloats("model.layers.5.enorm.weight", {2}, {1, 2});
    const TempFolder folder;
    const auto model = rewritten(checkpoint, folder);
    ASSERT_TRUE(model.has_value()) << model.error().message;
    ASSERT_EQ(model->notes.size(), 1U);
    EXPECT_TRUE(contains(model->notes[0], "unexpected tensor 'model.layers.5.enorm.weight', F32 [2]"));
}

TEST(WeightBinding, ViewsSurviveAMoveOfTheModel) {
    auto loaded = loadModel(kTinyLinear);
    ASSERT_TRUE(loaded.has_value());
    const float before = loaded->finalNorm[7];
    const float* place = loaded->finalNorm.data();
    const BoundModel moved = std::move(*loaded);
    EXPECT_EQ(moved.finalNorm.data(), place);
    EXPECT_EQ(moved.finalNorm[7], before);
}

}  // namespace
}  // namespace pal
