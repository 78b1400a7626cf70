// SPDX-License-Identifier: Apache-2.0
// Two small checkpoints in the published layouts and what a float64 reference computed on them (README.md beside this file): the dump of
// the engine must show the same numbers at every point, however the prompt is cut and whatever the number of threads.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "engine/api/telemetry.h"
#include "engine/base/bytes.h"
#include "engine/base/mapped_file.h"
#include "engine/model/safetensors.h"
#include "tests/golden/golden_tensors.h"

namespace pal {
namespace {

namespace fs = std::filesystem;

// float32 against float64, see worstError.
constexpr double kTolerance = 2e-4;

void writeTensors(const fs::path& path, const Tensors& tensors) {
    std::vector<SafetensorsWriter::Declared> declared;
    for (const auto& [name, values] : tensors) declared.push_back({name, values.type, values.shape});
    auto writer = SafetensorsWriter::create(path, declared, {});
    ASSERT_TRUE(writer.has_value());
    uint64_t at = 0;
    for (const SafetensorsEntry& entry : writer->header().entries) {
        std::vector<uint32_t> words((entry.begin - at) / 4);
        for (const double value : tensors.at(entry.name).data) {
            words.push_back(entry.type == StorageType::kI32 ? static_cast<uint32_t>(static_cast<int32_t>(value))
                                                            : std::bit_cast<uint32_t>(static_cast<float>(value)));
        }
        ASSERT_TRUE(writer->write(std::as_bytes(std::span(words))).has_value());
        at = entry.end;
    }
    ASSERT_TRUE(writer->finish().has_value());
}

void expectClose(const std::string& name, const Values& want, const Tensors& dump) {
    const auto got = dump.find(name);
    ASSERT_NE(got, dump.end()) << name << " is not in the dump";
    ASSERT_EQ(got->second.shape.text(), want.shape.text()) << name;
    if (want.type == StorageType::kI32) {
        EXPECT_EQ(got->second.data, want.data) << name;
    } else {
        EXPECT_LE(worstError(want, got->second), kTolerance) << name;
    }
}

class GoldenTest : public ::testing::TestWithParam<const char*> {
  protected:
    GoldenTest() : out_(fs::temp_directory_path() / fmt::format("pal_golden_{}", getpid())) {
        fs::create_directories(out_);
    }
    ~GoldenTest() override { fs::remove_all(out_); }

    static fs::path folder(const std::string& variant) { return fs::path("tests/golden") / variant; }

    Tensors dump(const std::string& variant, const fs::path& ids, std::vector<int64_t> splits, int64_t greedy,
                 int threads = 2) {
        DumpRequest request;
        request.model = folder(variant) / "checkpoint";
        request.ids = ids;
        request.out = out_ / "dump.safetensors";
        request.splits = std::move(splits);
        request.greedy = greedy;
        request.engine.threads = threads;
        const auto done = dumpModel(request);
        EXPECT_TRUE(done.has_value()) << done.error().message;
        return done ? readTensors(request.out) : Tensors{};
    }

    // The message of a dump of tiny-k3 that must fail.
    std::string dumpError(const Tensors& input, std::vector<int64_t> splits = {}) {
        DumpRequest request;
        request.model = folder("tiny-k3") / "checkpoint";
        request.ids = out_ / "bad.safetensors";
        request.out = out_ / "none.safetensors";
        request.splits = std::move(splits);
        writeTensors(request.ids, input);
        const auto done = dumpModel(request);
        EXPECT_FALSE(done.has_value());
        EXPECT_FALSE(fs::exists(request.out));
        return done ? "" : done.error().message;
    }

    fs::path out_;
};

// Names that are inputs, or that belong to another run than the plain prompt.
bool ofThePlainRun(const std::string& name) {
    return name != "ids" && !name.starts_with("vision.") && !name.starts_with("mm.") && !name.starts_with("state.");
}

TEST_P(GoldenTest, EveryIntermediateMatchesTheReference) {
    const Tensors golden = readTensors(folder(GetParam()) / "golden.safetensors");
    ASSERT_GT(golden.size(), 40U);
    const Tensors got = dump(GetParam(), folder(GetParam()) / "golden.safetensors", {}, 0);
    for (const auto& [name, want] : golden) {
        if (ofThePlainRun(name)) expectClose(name, want, got);
    }
}

// Where the reference was cut, and its greedy continuation.
struct Facts {
    int64_t split = 0;
    std::vector<double> greedy;
};
Facts factsOf(const fs::path& folder) {
    std::ifstream file(folder / "golden.json");
    const nlohmann::json json = nlohmann::json::parse(file);
    EXPECT_GT(json["greedy_min_margin"].get<double>(), 0.005) << "too close to call in float32";
    return {json["split"].get<int64_t>(), json["greedy"].get<std::vector<double>>()};
}

TEST_P(GoldenTest, GreedyContinuationIsExact) {
    const Facts facts = factsOf(folder(GetParam()));
    const Tensors got = dump(GetParam(), folder(GetParam()) / "golden.safetensors", {}, std::ssize(facts.greedy));
    ASSERT_TRUE(got.contains("greedy"));
    EXPECT_EQ(got.at("greedy").data, facts.greedy);
}

// A prompt read in two parts, at borders of pages, chunks and convolution windows.
TEST_P(GoldenTest, CuttingThePromptChangesNothing) {
    const Tensors golden = readTensors(folder(GetParam()) / "golden.safetensors");
    const Facts facts = factsOf(folder(GetParam()));
    const auto tokens = static_cast<int64_t>(golden.at("ids").data.size());
    for (const int64_t split : {1, 2, 3, 15, 16, 17, 63, 64, 65, 131}) {
        SCOPED_TRACE(fmt::format("split at {}", split));
        ASSERT_LT(split, tokens);
        const Tensors got = dump(GetParam(), folder(GetParam()) / "golden.safetensors", {split}, 0);
        for (const auto& [name, want] : golden) {
            if (ofThePlainRun(name)) expectClose(name, want, got);
            if (split == facts.split && name.starts_with("state.")) expectClose(name, want, got);
        }
    }
}

TEST_P(GoldenTest, TokenByTokenChangesNothing) {
    const Tensors golden = readTensors(folder(GetParam()) / "golden.safetensors");
    std::vector<int64_t> everywhere(golden.at("ids").data.size() - 1);
    std::iota(everywhere.begin(), everywhere.end(), 1);
    const Tensors got = dump(GetParam(), folder(GetParam()) / "golden.safetensors", everywhere, 0);
    for (const auto& [name, want] : golden) {
        if (ofThePlainRun(name)) expectClose(name, want, got);
    }
}

TEST_P(GoldenTest, TheNumberOfThreadsChangesNoBit) {
    const Tensors one = dump(GetParam(), folder(GetParam()) / "golden.safetensors", {65}, 4, 1);
    const Tensors two = dump(GetParam(), folder(GetParam()) / "golden.safetensors", {65}, 4, 2);
    ASSERT_EQ(one.size(), two.size());
    for (const auto& [name, values] : one) EXPECT_EQ(values.data, two.at(name).data) << name;
}

// The reference lists the patches of its largest medium as a base times a ramp.
Values rampPixels(const Values& base, int64_t patches) {
    Values out{StorageType::kF32, {patches, base.shape[1], base.shape[2], base.shape[3]}, {}};
    for (int64_t i = 0; i < patches; ++i) {
        const double factor = -1 + 2 * static_cast<double>(i) / static_cast<double>(patches - 1);
        for (const double value : base.data) out.data.push_back(value * factor);
    }
    return out;
}

class VisionGoldenTest : public GoldenTest {
  protected:
    // The input of a dump: mm.ids with all media of the golden file.
    Tensors multimodalInput(const Tensors& golden) {
        Tensors input{{"ids", golden.at("mm.ids")}};
        for (int n = 0; golden.contains(fmt::format("vision.{}.grid", n)); ++n) {
            const Values& grid = golden.at(fmt::format("vision.{}.grid", n));
            const std::string pixels = fmt::format("vision.{}.pixels", n);
            const auto patches = static_cast<int64_t>(grid.data[0] * grid.data[1] * grid.data[2]);
            input[fmt::format("vision.{}.grid", n)] = grid;
            input[pixels] =
                golden.contains(pixels) ? golden.at(pixels) : rampPixels(golden.at(pixels + "_base"), patches);
        }
        return input;
    }
};

TEST_F(VisionGoldenTest, EmbeddingsAndLogitsWithMediaMatch) {
    const Tensors golden = readTensors(folder("tiny-k3") / "golden.safetensors");
    const fs::path input = out_ / "input.safetensors";
    writeTensors(input, multimodalInput(golden));
    for (const auto& splits : {std::vector<int64_t>{}, std::vector<int64_t>{39, 43, 80}}) {
        const Tensors got = dump("tiny-k3", input, splits, 0);
        for (int n = 0; n < 4; ++n) {
            const std::string name = fmt::format("vision.{}.embeds", n);
            expectClose(name, golden.at(name), got);
        }
        ASSERT_TRUE(got.contains("logits"));
        ASSERT_EQ(got.at("logits").shape.text(), golden.at("mm.logits").shape.text());
        EXPECT_LE(worstError(golden.at("mm.logits"), got.at("logits")), kTolerance);
    }
}

TEST_F(VisionGoldenTest, MediaThatDoNotFitAreRefusedWithNumbers) {
    const Tensors golden = readTensors(folder("tiny-k3") / "golden.safetensors");
    Tensors input = multimodalInput(golden);
    std::erase_if(input, [](const auto& entry) {
        return entry.first.starts_with("vision.2") || entry.first.starts_with("vision.3");
    });
    EXPECT_NE(dumpError(input).find("3"), std::string::npos) << "three placeholders, two media";
    input = multimodalInput(golden);
    input["vision.0.grid"].data = {1, 4, 5};
    EXPECT_NE(dumpError(input).find("4 x 5"), std::string::npos);
    input["vision.0.grid"].data = {9, 4, 6};
    EXPECT_NE(dumpError(input).find("9 frames"), std::string::npos);
    input["vision.0.grid"].data = {1, 4, 8};
    EXPECT_NE(dumpError(input).find("holds 14112 values, expected 18816"), std::string::npos);
}

TEST_F(VisionGoldenTest, BadIdsAndSplitsAreRefusedWithNumbers) {
    Tensors input{{"ids", {StorageType::kI32, {3}, {1, 512, 2}}}};
    EXPECT_NE(dumpError(input).find("token 1 of the prompt is 512, the vocabulary is 0 to 511"), std::string::npos);
    input["ids"].data = {1, -1, 2};
    EXPECT_NE(dumpError(input).find("is -1"), std::string::npos);
    input["ids"] = {StorageType::kI32, {0}, {}};
    EXPECT_NE(dumpError(input).find("0 tokens"), std::string::npos);
    input["ids"] = {StorageType::kI32, {3}, {1, 2, 3}};
    EXPECT_NE(dumpError(input, {3}).find("split at 3"), std::string::npos);
    EXPECT_NE(dumpError(input, {2, 1}).find("split at 1"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Variants, GoldenTest, ::testing::Values("tiny-k3", "tiny-linear"));

}  // namespace
}  // namespace pal
