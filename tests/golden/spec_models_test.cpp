// SPDX-License-Identifier: Apache-2.0
// Three small models whose weights come from a published formula, so that no file is needed, with results computed in float64 elsewhere
// (numpy, and NVIDIA NeMo's classes run in float64). The oracle must give those results, the engine must give the oracle's, and no wrong
// rule may give them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/telemetry.h"
#include "engine/model/checkpoint_generator.h"
#include "engine/model/model_folder.h"
#include "engine/model/safetensors.h"
#include "engine/model/weight_store.h"
#include "tests/golden/spec_models.h"
#include "tests/oracle/dense_oracle.h"
#include "tests/oracle/model_oracle.h"
#include "tests/support/checkpoint.h"

namespace pal {
namespace {

using golden::ExpectedRow;
using golden::SpecModel;
using nlohmann::json;
using oracle::Mat;
using oracle::Wrong;

float readFloat(const StoredTensor& t, size_t i) {
    if (t.type == StorageType::kF32) {
        float value;
        std::memcpy(&value, t.bytes.data() + 4 * i, 4);
        return value;
    }
    uint16_t bits;
    std::memcpy(&bits, t.bytes.data() + 2 * i, 2);
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

// Reads tensors by name from the files, decoding every storage type itself.
class Tensors {
  public:
    Tensors(const WeightStore& store, std::string prefix, Wrong wrong)
        : store_(&store), prefix_(std::move(prefix)), wrong_(wrong) {}

    Mat<double> operator()(const std::string& name) const {
        if (const StoredTensor* packed = store_->find(prefix_ + name + "_packed")) {
            const StoredTensor* scale = store_->find(prefix_ + name + "_scale");
            const auto rows = static_cast<int64_t>(packed->shape[0]);
            const auto cols = static_cast<int64_t>(packed->shape[1]) * 2;
            return oracle::decodeMxfp4<double>(reinterpret_cast<const uint8_t*>(packed->bytes.data()),
                                               reinterpret_cast<const uint8_t*>(scale->bytes.data()), rows, cols,
                                               wrong_);
        }
        const StoredTensor* tensor = store_->find(prefix_ + name);
        if (tensor == nullptr) throw std::runtime_error("no tensor " + prefix_ + name);
        const size_t elements = tensor->bytes.size() / (tensor->type == StorageType::kF32 ? 4 : 2);
        const auto rows = static_cast<int64_t>(tensor->shape[0]);
        Mat<double> out(rows, static_cast<int64_t>(elements) / rows);
        for (size_t i = 0; i < elements; ++i) out.v[i] = static_cast<double>(readFloat(*tensor, i));
        return out;
    }

  private:
    const WeightStore* store_;
    std::string prefix_;
    Wrong wrong_;
};

// One of the models, generated into a folder of its own that goes away with it. Weights with a name of `shrunk` in theirs are divided
// by 1024.
class Generated {
  public:
    explicit Generated(const SpecModel& model, const std::vector<std::string>& shrunk = {})
        : folder_(std::filesystem::temp_directory_path() / fmt::format("pal_spec_{}_{}", model.name, getpid())),
          model_(&model) {
        std::filesystem::remove_all(folder_);
        auto report = generateCheckpoint(model.config, folder_, {}, {}, {});
        EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
        if (!shrunk.empty()) shrink(shrunk);
        auto found = findModel(folder_);
        EXPECT_TRUE(found.has_value());
        auto store = WeightStore::open(*found);
        EXPECT_TRUE(store.has_value()) << (store ? "" : store.error().message);
        store_.emplace(std::move(*store));
    }
    Generated(const Generated&) = delete;
    Generated& operator=(const Generated&) = delete;
    ~Generated() { std::filesystem::remove_all(folder_); }

    [[nodiscard]] oracle::ForwardRecord oracleRun(Wrong wrong,
                                                  std::vector<oracle::LayerMemory>* memory = nullptr) const {
        const std::string prefix = model_->config.contains("text_config") ? "language_model." : "";
        const oracle::ModelOracle oracle(model_->config, Tensors(*store_, prefix, wrong), wrong);
        std::vector<oracle::LayerMemory> own = oracle.newMemory();
        oracle::ForwardRecord record = oracle.forward(model_->ids(), own);
        if (memory != nullptr) *memory = std::move(own);
        return record;
    }

    // Logits of the engine through the program's own door.
    [[nodiscard]] Mat<double> engineLogits(std::vector<int64_t> splits) const {
        const auto in = folder_ / "ids.safetensors";
        const auto out = folder_ / "out.safetensors";
        golden::writeIds(in, model_->ids());
        DumpRequest request;
        request.model = folder_;
        request.ids = in;
        request.out = out;
        request.splits = std::move(splits);
        const auto done = dumpModel(request);
        EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
        return golden::readMatrix(out, "logits");
    }

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    void shrink(const std::vector<std::string>& names) const {
        test::Checkpoint checkpoint = test::Checkpoint::read(folder_);
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directory(folder_);
        for (auto& [name, tensor] : checkpoint.tensors) {
            const auto within = [&name = name](const std::string& part) {
                return name.find(part) != std::string::npos;
            };
            if (std::none_of(names.begin(), names.end(), within)) continue;
            const StoredTensor stored{name, tensor.type, tensor.shape, tensor.bytes};
            std::vector<float> values(tensor.shape.elements());
            for (size_t i = 0; i < values.size(); ++i) values[i] = readFloat(stored, i) / 1024;
            checkpoint.setFloats(name, TensorShape(tensor.shape), values);
        }
        checkpoint.write(folder_);
    }

    std::filesystem::path folder_;
    const SpecModel* model_;
    std::optional<WeightStore> store_;
};

double largestDifference(const Mat<double>& a, const Mat<double>& b) {
    double worst = 0;
    for (size_t i = 0; i < b.v.size(); ++i) worst = std::max(worst, std::abs(a.v[i] - b.v[i]));
    return worst;
}

double largest(const Mat<double>& m) {
    double top = 0;
    for (const double x : m.v) top = std::max(top, std::abs(x));
    return top;
}

class SpecModels : public testing::TestWithParam<std::string> {
  protected:
    const SpecModel& model() const { return golden::specModel(GetParam()); }
};

TEST_P(SpecModels, OracleGivesThePublishedNumbers) {
    const Generated files(model());
    const oracle::ForwardRecord record = files.oracleRun(Wrong::kNone);
    for (const ExpectedRow& row : model().expected) {
        const double* logits = record.logits.row(row.position);
        double sum = 0;
        double square = 0;
        int64_t best = 0;
        for (int64_t c = 0; c < record.logits.cols; ++c) {
            sum += logits[c];
            square += logits[c] * logits[c];
            if (logits[c] > logits[best]) best = c;
        }
        EXPECT_EQ(best, row.argmax) << "position " << row.position;
        for (size_t i = 0; i < row.first.size(); ++i)
            EXPECT_NEAR(logits[i], row.first[i], 6e-7) << "position " << row.position;
        EXPECT_NEAR(sum, row.sum, 6e-6);
        EXPECT_NEAR(std::sqrt(square), row.norm, 6e-6);
    }
}

TEST_P(SpecModels, EngineGivesTheOraclesNumbersHoweverThePromptIsCut) {
    const Generated files(model());
    const Mat<double> truth = files.oracleRun(Wrong::kNone).logits;
    const double bound = 2e-4 * largest(truth);
    for (const std::vector<int64_t>& splits :
         std::vector<std::vector<int64_t>>{{}, {1}, {16, 17}, {63, 64, 65}, {70, 71, 72}}) {
        const Mat<double> got = files.engineLogits(splits);
        ASSERT_EQ(got.v.size(), truth.v.size());
        EXPECT_LE(largestDifference(got, truth), bound) << splits.size() << " splits";
    }
}

INSTANTIATE_TEST_SUITE_P(Family, SpecModels, testing::Values("T1", "T1KL", "T2"));

// Every one of these moves logits by about 4 or more in this model; two more mistakes are nearly invisible in logits and are told apart per op.
TEST(SpecModels, NoWrongRuleGivesTheEnginesLogits) {
    const Generated files(golden::specModel("T1"));
    const Mat<double> got = files.engineLogits({});
    for (const Wrong wrong : {Wrong::kMixNormalisedValues,
                              Wrong::kQueryWithoutNormWeight,
                              Wrong::kNoRestart,
                              Wrong::kSnapshotOfMix,
                              Wrong::kSnapshotVisibleToOwnAttention,
                              Wrong::kNoOutputMix,
                              Wrong::kSoftplusGate,
                              Wrong::kDtBiasAfterScale,
                              Wrong::kNoQueryScale,
                              Wrong::kSiluInOutputNorm,
                              Wrong::kRawBeta,
                              Wrong::kReadBeforeUpdate,
                              Wrong::kUndecayedDelta,
                              Wrong::kReversedTaps,
                              Wrong::kNoSiluAfterConv,
                              Wrong::kScaleWithoutRope,
                              Wrong::kDroppedRope,
                              Wrong::kNoMlaGate,
                              Wrong::kSwappedGateUp,
                              Wrong::kSwappedW1W3,
                              Wrong::kSwiGlu,
                              Wrong::kBiasedRouterWeights,
                              Wrong::kNoLatentNorm,
                              Wrong::kNoSharedExperts,
                              Wrong::kSwappedNibbles}) {
        EXPECT_GT(largestDifference(got, files.oracleRun(wrong).logits), 1.0)
            << "wrong rule " << static_cast<int>(wrong);
    }
}

// The norms of the latents take 1e-6 whatever rms_norm_eps says. It shows when latents are small.
TEST(SpecModels, LatentNormsHaveTheirOwnEpsilon) {
    const Generated files(golden::specModel("T1"), {"q_a_proj", "kv_a_proj_with_mqa"});
    const Mat<double> truth = files.oracleRun(Wrong::kNone).logits;
    const Mat<double> wrong = files.oracleRun(Wrong::kMlaNormEps).logits;
    const double bound = 2e-4 * largest(truth);
    EXPECT_GT(largestDifference(truth, wrong), 100 * bound);
    EXPECT_LE(largestDifference(files.engineLogits({}), truth), bound);
}

TEST(SpecModels, ADumpRefusesWhatASessionRefuses) {
    const Generated files(golden::specModel("T1"));
    const auto refusal = [&](const EngineOptions& options, int64_t greedy) {
        DumpRequest request;
        request.model = files.folder();
        request.ids = files.folder() / "ids.safetensors";
        request.out = files.folder() / "out.safetensors";
        request.greedy = greedy;
        request.engine = options;
        golden::writeIds(request.ids, {1, 2, 3});
        const auto done = dumpModel(request);
        return done.has_value() ? "" : done.error().message;
    };
    for (const int64_t tokens : {0, -64, 100, 65600}) {
        EngineOptions options;
        options.chunkTokens = tokens;
        EXPECT_EQ(refusal(options, 0),
                  fmt::format("a prefill step of {} tokens: it must be a multiple of 64, at most 65536", tokens));
    }
    EngineOptions small;
    small.contextTokens = 2;
    EXPECT_EQ(refusal(small, 0), "the prompt has 3 tokens, the context holds 2: 1 too many");
    small.contextTokens = 10;
    EXPECT_EQ(refusal(small, 7), "");
    EXPECT_EQ(refusal(small, 8), "8 tokens after a prompt of 3: the context of 10 leaves 0 to 7");
    EXPECT_EQ(refusal(small, -1), "-1 tokens after a prompt of 3: the context of 10 leaves 0 to 7");
}

TEST(SpecModels, LayerListCountedFromZeroIsRefusedByName) {
    const Generated files(golden::specModel("T1"));
    json config = golden::specModel("T1").config;
    config["text_config"]["linear_attn_config"]["kda_layers"] = {2, 3, 5, 6};
    config["text_config"]["linear_attn_config"]["full_attn_layers"] = {1, 4};
    std::ofstream(files.folder() / "config.json") << config.dump();
    DumpRequest request;
    request.model = files.folder();
    request.ids = files.folder() / "ids.safetensors";
    request.out = files.folder() / "out.safetensors";
    golden::writeIds(request.ids, {1, 2, 3});
    const auto done = dumpModel(request);
    ASSERT_FALSE(done.has_value());
    EXPECT_NE(done.error().message.find("layers.0.self_attn.q_a_proj.weight"), std::string::npos)
        << done.error().message;
    EXPECT_FALSE(std::filesystem::exists(request.out));
}

}  // namespace
}  // namespace pal
