// SPDX-License-Identifier: Apache-2.0
// From picture and clip files to embeddings, against a float64 reference with a preprocessing of its own
// (tests/data/media/make_embeddings.py).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "engine/base/mapped_file.h"
#include "engine/exec/runtime.h"
#include "engine/exec/vision_tower.h"
#include "engine/model/safetensors.h"
#include "tests/unit/vision/k3_media_config.h"
#include "vision/image.h"
#include "vision/video.h"

namespace pal {
namespace {

// The engine computes in float32 from the same bf16 weights; a wrong pixel moves an embedding by 1e-3 and more.
constexpr double kTolerance = 2e-5;

class VisionFilesTest : public ::testing::Test {
  protected:
    VisionFilesTest() : file_(MappedFile::open("tests/data/media/embeddings.safetensors").value()) {
        const auto header = parseSafetensors(file_.bytes(), "embeddings").value();
        for (const SafetensorsEntry& entry : header.entries) {
            entries_[entry.name] = file_.bytes().subspan(header.dataStart + entry.begin, entry.end - entry.begin);
        }
        auto model = loadModel("tests/golden/tiny-k3/checkpoint").value();
        runtime_ = std::move(Runtime::create(std::move(model), createCpuBackend({2, CpuIsa::kBest}).backend).value());
    }

    template <typename T>
    std::vector<T> golden(const std::string& name) const {
        const auto bytes = entries_.at(name);
        std::vector<T> out(bytes.size() / sizeof(T));
        std::memcpy(out.data(), bytes.data(), bytes.size());
        return out;
    }

    void expectEqual(const std::string& name, const MediaInput& input) {
        EXPECT_EQ(golden<int32_t>(name + ".grid"),
                  (std::vector{static_cast<int32_t>(input.frames), static_cast<int32_t>(input.rows),
                               static_cast<int32_t>(input.columns)}))
            << name;
        const auto got = encodeMedia(runtime_->weights(), runtime_->backend(), input, {});
        ASSERT_TRUE(got.has_value()) << got.error().message;
        const std::vector<float> wanted = golden<float>(name + ".embeds");
        ASSERT_EQ(static_cast<size_t>(got->rows.dim(0) * got->rows.dim(1)), wanted.size()) << name;
        double worst = 0, largest = 0;
        for (size_t i = 0; i < wanted.size(); ++i) {
            const auto row = static_cast<int64_t>(i) / got->rows.dim(1),
                       column = static_cast<int64_t>(i) % got->rows.dim(1);
            worst = std::max(worst, std::abs(double{got->rows.row<const float>(row)[column]} - wanted[i]));
            largest = std::max(largest, std::abs(double{wanted[i]}));
        }
        EXPECT_LE(worst / largest, kTolerance) << name;
    }

    MappedFile file_;
    std::map<std::string, std::span<const std::byte>> entries_;
    std::unique_ptr<Runtime> runtime_;
};

TEST_F(VisionFilesTest, PicturesGiveTheReferencesEmbeddings) {
    const std::pair<const char*, int64_t> cases[] = {{"rgba.png", 65536},  {"colour.jpg", 65536}, {"cmyk.jpg", 65536},
                                                     {"exif6.jpg", 65536}, {"colour.jpg", 5},     {"rgba.png", 4}};
    for (const auto& [name, limit] : cases) {
        MediaConfig config = test::k3Media();
        config.patchLimit = limit;
        const auto prepared = prepareImage(MediaSource::file(std::string("tests/data/media/images/") + name), config);
        ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
        expectEqual(std::string(name) + "@" + std::to_string(limit), prepared->input);
    }
}

TEST_F(VisionFilesTest, AClipGivesTheReferencesEmbeddings) {
    const auto source = MediaSource::file("tests/data/media/clips/h264.mp4");
    auto reader = VideoReader::open(source, test::k3Media(), planVideo(source, test::k3Media()).value()).value();
    expectEqual("h264.mp4", reader.next().value()->input);
}

// The comparison sees a single grey level of a single pixel.
TEST_F(VisionFilesTest, OneWrongPixelIsSeen) {
    auto prepared = prepareImage(MediaSource::file("tests/data/media/images/rgba.png"), test::k3Media()).value();
    const auto right = encodeMedia(runtime_->weights(), runtime_->backend(), prepared.input, {});
    prepared.input.patches[300] += 2.F / 255;
    const auto wrong = encodeMedia(runtime_->weights(), runtime_->backend(), prepared.input, {});
    double worst = 0, largest = 0;
    for (int64_t row = 0; row < right->rows.dim(0); ++row) {
        for (int64_t i = 0; i < right->rows.dim(1); ++i) {
            const double value = right->rows.row<const float>(row)[i];
            worst = std::max(worst, std::abs(value - wrong->rows.row<const float>(row)[i]));
            largest = std::max(largest, std::abs(value));
        }
    }
    EXPECT_GT(worst / largest, kTolerance);
}

}  // namespace
}  // namespace pal
