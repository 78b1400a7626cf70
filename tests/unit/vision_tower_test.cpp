// SPDX-License-Identifier: Apache-2.0
// How the vision tower cuts up large pictures; its numbers are in the golden tests.
#include "engine/exec/vision_tower.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "engine/exec/runtime.h"
#include "tests/support/forwarding_backend.h"

namespace pal {
namespace {

class WatchedBackend final : public ForwardingBackend {
  public:
    using ForwardingBackend::ForwardingBackend;
    void visionAttention(const VisionAttentionArgs& args) override {
        calls.push_back(args);
        if (onAttention) onAttention();
        ForwardingBackend::visionAttention(args);
    }
    std::vector<VisionAttentionArgs> calls;
    std::function<void()> onAttention;
};

// Large enough for more than one block of queries: 6400^2 pairs.
MediaInput largePicture() {
    MediaInput media{1, 80, 80, std::vector<float>(6400 * 588)};
    for (size_t i = 0; i < media.patches.size(); ++i) {
        media.patches[i] = static_cast<float>(static_cast<int>(i * 7919 % 2001) - 1000) / 1000;
    }
    return media;
}

class VisionTowerTest : public ::testing::Test {
  protected:
    VisionTowerTest() {
        auto backend = std::make_unique<WatchedBackend>(createCpuBackend({2, CpuIsa::kBest}).backend);
        backend_ = backend.get();
        auto model = loadModel("tests/golden/tiny-k3/checkpoint").value();
        runtime_ = std::move(Runtime::create(std::move(model), std::move(backend)).value());
    }
    WatchedBackend* backend_ = nullptr;
    std::unique_ptr<Runtime> runtime_;
};

TEST_F(VisionTowerTest, AStopEndsALargePictureAfterABlockOfQueries) {
    std::stop_source stop;
    backend_->onAttention = [&] { stop.request_stop(); };
    const auto stopped = encodeMedia(runtime_->weights(), *backend_, largePicture(), stop.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
    ASSERT_EQ(backend_->calls.size(), 1U);
    EXPECT_LT(backend_->calls[0].q.dim(0), 6400);
    EXPECT_EQ(backend_->calls[0].k.dim(0), 6400);
}

TEST_F(VisionTowerTest, BlocksOfQueriesCoverEveryPatchOnce) {
    ASSERT_TRUE(encodeMedia(runtime_->weights(), *backend_, largePicture(), {}).has_value());
    const auto layers = static_cast<size_t>(runtime_->config().vision->layers);
    EXPECT_EQ(backend_->calls.size(), 2 * layers);
    for (size_t i = 0; i + 1 < backend_->calls.size(); i += 2) {
        const VisionAttentionArgs& first = backend_->calls[i];
        const VisionAttentionArgs& second = backend_->calls[i + 1];
        EXPECT_EQ(first.q.dim(0) + second.q.dim(0), 6400);
        EXPECT_EQ(first.k.data, second.k.data);
        const int64_t rows = first.q.dim(0);
        EXPECT_EQ(second.q.data, static_cast<const float*>(first.q.data) + rows * first.q.stride[0]);
        EXPECT_EQ(second.out.data, static_cast<float*>(first.out.data) + rows * first.out.stride[0]);
    }
}

TEST_F(VisionTowerTest, SomeQueriesGiveTheSameAsAll) {
    constexpr int64_t kPatches = 100;
    constexpr int64_t kHeads = 2;
    constexpr int64_t kDim = 16;
    std::vector<float> qkv(3 * kPatches * kHeads * kDim);
    for (size_t i = 0; i < qkv.size(); ++i) qkv[i] = static_cast<float>(i * 7919 % 2001) / 1000 - 1;
    const auto part = [&](int64_t i) {
        return ConstTensorView(qkv.data() + i * kPatches * kHeads * kDim, DType::kF32, {kPatches, kHeads, kDim});
    };
    std::vector<float> all(kPatches * kHeads * kDim);
    std::vector<float> some(all.size());
    const TensorView out(some.data(), DType::kF32, {kPatches, kHeads, kDim});
    backend_->visionAttention({part(0), part(1), part(2), 0.25F, {all.data(), DType::kF32, {kPatches, kHeads, kDim}}});
    for (const auto& [first, count] : {std::pair<int64_t, int64_t>{0, 37}, {37, 1}, {38, 62}}) {
        backend_->visionAttention({part(0).rows(first, count), part(1), part(2), 0.25F, out.rows(first, count)});
    }
    EXPECT_EQ(some, all);
}

}  // namespace
}  // namespace pal
