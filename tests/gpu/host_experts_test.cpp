// SPDX-License-Identifier: Apache-2.0
// Experts in page-locked RAM give what experts on the GPU give, bit for bit: with one token (whose picks a kernel fetches, in a step that is one graph),
// with few (which pick the same experts twice) and with many (for which whole layers are copied while others are computed).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string>

#include "engine/exec/forward.h"
#include "engine/exec/runtime.h"
#include "tests/support/forwarding_backend.h"

namespace pal {
namespace {

// Asks for a stop when so many mixtures were computed.
class StoppingBackend final : public ForwardingBackend {
  public:
    using ForwardingBackend::ForwardingBackend;
    void moe(const MoeArgs& args) override {
        ForwardingBackend::moe(args);
        if (--left == 0) stop.request_stop();
    }
    int left = 0;
    std::stop_source stop;
};

class Model {
  public:
    Model(const std::string& folder, const std::vector<bool>& inRam) {
        auto backend = std::make_unique<StoppingBackend>(createCudaBackend(0).backend);
        backend_ = backend.get();
        GpuPlan plan;
        plan.inRam = inRam;
        auto runtime = Runtime::create(loadModel(folder).value(), std::move(backend), {}, plan);
        if (!runtime) ADD_FAILURE() << runtime.error().message;
        runtime_ = std::move(runtime.value());
        forward_ = std::make_unique<Forward>(runtime_->weights(), runtime_->backend());
        startAnew();
    }

    // A session from its beginning; the one before is gone.
    void startAnew() { state_.emplace(SequenceState::create(*backend_, runtime_->stateLayout(DType::kBF16)).value()); }

    // A prompt that is stopped after the second layer with experts.
    void stopped(int64_t length) {
        const std::vector<int32_t> ids(static_cast<size_t>(length), 7);
        backend_->left = 2;
        backend_->stop = {};
        StepInput input;
        input.ids = ids;
        input.stop = backend_->stop.get_token();
        const auto step = forward_->step(input, *state_);
        ASSERT_FALSE(step.has_value());
        EXPECT_EQ(step.error().code, ErrorCode::kCancelled);
    }

    // Steps of these lengths, one after the other; the logits of all tokens.
    std::vector<float> run(const std::vector<int64_t>& lengths) {
        std::vector<float> out;
        int32_t seed = 11;
        for (const int64_t length : lengths) {
            std::vector<int32_t> ids;
            for (int64_t i = 0; i < length; ++i) ids.push_back((seed = (37 * seed + 11) % 500));
            StepInput input;
            input.ids = ids;
            input.logits = LogitRows::kAll;
            const auto logits = forward_->step(input, *state_);
            if (!logits) {
                ADD_FAILURE() << logits.error().message;
                return out;
            }
            const size_t before = out.size();
            out.resize(before + static_cast<size_t>(logits->elements()));
            runtime_->backend().download(std::as_writable_bytes(std::span(out).subspan(before)), logits->data);
        }
        return out;
    }
    [[nodiscard]] uint64_t linkBytes() { return runtime_->backend().linkBytes(); }

  private:
    StoppingBackend* backend_ = nullptr;  // the runtime's
    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<Forward> forward_;
    std::optional<SequenceState> state_;
};

class HostExperts : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const BackendAttempt attempt = createCudaBackend(0);
        if (!attempt.backend) GTEST_SKIP() << attempt.whyNot;
        const BoundModel model = loadModel(GetParam()).value();
        layers_ = static_cast<size_t>(model.plan.mixtureLayers);
        const TextConfig& text = model.plan.config.text;
        picks_ = text.moe->expertsPerToken;
        for (const BoundLayer& layer : model.layers) {
            const auto* moe = std::get_if<BoundMixture>(&layer.feedForward);
            if (moe == nullptr) continue;
            const ExpertWeights& e = moe->experts.front();
            expertBytes_ = static_cast<uint64_t>(e.gate.bytes() + e.up.bytes() + e.down.bytes());
            experts_ = static_cast<int64_t>(moe->experts.size());
        }
    }

    size_t layers_ = 0;
    int64_t picks_ = 0;
    int64_t experts_ = 0;
    uint64_t expertBytes_ = 0;
};

// Every value of two runs, with the first step at which they part.
void expectSame(const std::vector<float>& got, const std::vector<float>& want, const std::vector<int64_t>& lengths,
                const std::string& what) {
    ASSERT_EQ(got.size(), want.size()) << what;
    size_t first = 0;
    while (first < got.size() && std::bit_cast<uint32_t>(got[first]) == std::bit_cast<uint32_t>(want[first])) ++first;
    if (first == got.size()) return;
    const size_t tokens = static_cast<size_t>(std::accumulate(lengths.begin(), lengths.end(), int64_t{0}));
    auto token = static_cast<int64_t>(first / (got.size() / tokens));
    size_t step = 0;
    while (token >= lengths[step]) token -= lengths[step++];
    ADD_FAILURE() << what << ": step " << step << " of " << lengths[step] << " tokens, token " << token << ": "
                  << got[first] << " and not " << want[first];
}

// Prompts, single tokens often enough for a graph to be captured and used, two tokens, three, and all of it in turn.
const std::vector<int64_t> kLengths{100, 1, 1, 1, 1, 2, 3, 1, 1, 64, 64, 1, 1, 9, 2, 70, 1};

TEST_P(HostExperts, AreBitForBitThoseOnTheGpu) {
    const std::string folder = GetParam();
    const std::vector<float> want = Model(folder, {}).run(kLengths);
    ASSERT_GT(want.size(), 0U);
    EXPECT_TRUE(std::ranges::all_of(want, [](float x) { return std::isfinite(x); }));
    expectSame(Model(folder, {}).run(kLengths), want, kLengths, "all on the GPU once more");
    std::vector<bool> second(layers_);
    std::vector<bool> last(layers_);
    std::vector<bool> firstTwo(layers_);
    for (size_t i = 1; i < layers_; i += 2) second[i] = true;
    last.back() = true;
    firstTwo[0] = firstTwo[1] = true;
    for (const auto& inRam : {std::vector<bool>(layers_, true), second, last, firstTwo}) {
        Model model(folder, inRam);
        expectSame(model.run(kLengths), want, kLengths,
                   fmt::format("{} of {} layers in RAM", std::ranges::count(inRam, true), layers_));
        EXPECT_GT(model.linkBytes(), 0U);
    }
}

// What was on its way when a prompt was stopped, or was brought for another session, does not come into what follows.
TEST_P(HostExperts, StoppedPromptsAndOtherSessionsLeaveNoTrace) {
    const std::string folder = GetParam();
    const std::vector<int64_t> one{1, 70, 1, 1, 64, 1};
    const std::vector<int64_t> other{70, 1, 3, 1};
    const std::vector<float> wantOne = Model(folder, {}).run(one);
    const std::vector<float> wantOther = Model(folder, {}).run(other);
    std::vector<bool> last(layers_);
    last.back() = true;
    for (const auto& inRam : {std::vector<bool>(layers_, true), last}) {
        Model model(folder, inRam);
        for (int round = 0; round < 2; ++round) {
            model.startAnew();
            model.stopped(70);
            model.startAnew();
            expectSame(model.run(one), wantOne, one, "after a stopped prompt");
            model.startAnew();
            expectSame(model.run(other), wantOther, other, "in turn");
        }
    }
}

// A token brings its picks and nothing else; a prompt brings whole layers, each once.
TEST_P(HostExperts, OnlyWhatAStepNeedsComesOverTheLink) {
    Model model(GetParam(), std::vector<bool>(layers_, true));
    model.run({1, 1});
    const uint64_t before = model.linkBytes();
    model.run({1, 1, 1, 1, 1});
    const uint64_t tokens = model.linkBytes() - before;
    const uint64_t expected = 5 * layers_ * static_cast<uint64_t>(picks_) * expertBytes_;
    EXPECT_GE(tokens, expected);
    EXPECT_LE(tokens, expected + expected / 8);  // matrices of small models are padded
    model.run({100});
    const uint64_t all = model.linkBytes() - before - tokens;
    const uint64_t layers = layers_ * static_cast<uint64_t>(experts_) * expertBytes_;
    EXPECT_GE(all, layers);
    EXPECT_LE(all, layers + layers / 8);
    fmt::print("{}: {} bytes for 5 tokens ({} of weights), {} for a prompt ({})\n", GetParam(), tokens, expected, all,
               layers);
}

INSTANTIATE_TEST_SUITE_P(Models, HostExperts,
                         ::testing::Values("tests/golden/tiny-k3/checkpoint", "tests/golden/tiny-linear/checkpoint",
                                           "resources/nano"));

}  // namespace
}  // namespace pal
