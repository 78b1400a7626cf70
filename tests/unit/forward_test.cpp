// SPDX-License-Identifier: Apache-2.0
// Properties of the forward pass that the golden numbers do not show.
#include "engine/exec/forward.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "engine/exec/checkpoints.h"
#include "engine/exec/runtime.h"

namespace pal {
namespace {

class ForwardTest : public ::testing::TestWithParam<const char*> {
  protected:
    ForwardTest() {
        EngineOptions options;
        options.threads = 2;
        runtime_ = makeRuntime(std::move(createBackend(options).value()));
        for (int32_t i = 0; i < 100; ++i) ids_.push_back((37 * i + 11) % 500);
    }

    static std::unique_ptr<Runtime> makeRuntime(std::unique_ptr<Backend> backend) {
        auto model = loadModel(std::string("tests/golden/") + GetParam() + "/checkpoint");
        EXPECT_TRUE(model.has_value()) << model.error().message;
        return std::move(Runtime::create(std::move(*model), std::move(backend)).value());
    }

    SequenceState makeState(DType latent = DType::kF32) {
        return std::move(SequenceState::create(runtime_->backend(), runtime_->stateLayout(latent)).value());
    }

    std::vector<float> run(Forward& forward, SequenceState& state, size_t begin, size_t end, LogitRows rows,
                           ForwardTap* tap = nullptr) {
        StepInput input;
        input.ids = std::span<const int32_t>(ids_).subspan(begin, end - begin);
        input.logits = rows;
        input.tap = tap;
        const auto view = forward.step(input, state);
        EXPECT_TRUE(view.has_value());
        const auto* data = static_cast<const float*>(view->data);
        return data == nullptr ? std::vector<float>{} : std::vector<float>(data, data + view->elements());
    }

    std::unique_ptr<Runtime> runtime_;
    std::vector<int32_t> ids_;
};

class CountingTap final : public ForwardTap {
  public:
    void tensor(TapPoint, int64_t, const ConstTensorView& values) override {
        ++calls;
        EXPECT_TRUE(values.present());
    }
    int calls = 0;
};

TEST_P(ForwardTest, ATapChangesNoBit) {
    Forward forward(runtime_->weights(), runtime_->backend());
    SequenceState plain = makeState();
    SequenceState tapped = makeState();
    CountingTap tap;
    for (const auto& [begin, end] : {std::pair<size_t, size_t>{0, 70}, {70, 71}, {71, 100}}) {
        const auto want = run(forward, plain, begin, end, LogitRows::kAll);
        const auto got = run(forward, tapped, begin, end, LogitRows::kAll, &tap);
        ASSERT_EQ(want.size(), got.size());
        EXPECT_EQ(std::memcmp(want.data(), got.data(), want.size() * sizeof(float)), 0);
    }
    EXPECT_GT(tap.calls, 3 * 20);
    const size_t bytes = plain.layout().recurrentBytes();
    EXPECT_EQ(std::memcmp(plain.recurrent(), tapped.recurrent(), bytes), 0);
}

// With AVX2, where a single row of the head is made like several (see LinearArgs).
TEST_P(ForwardTest, LogitsOfTheLastRowAreARowOfAllLogits) {
    runtime_ = makeRuntime(createCpuBackend({2, CpuIsa::kAvx2}).backend);
    Forward forward(runtime_->weights(), runtime_->backend());
    SequenceState one = makeState();
    SequenceState two = makeState();
    SequenceState three = makeState();
    const auto all = run(forward, one, 0, 50, LogitRows::kAll);
    const auto last = run(forward, two, 0, 50, LogitRows::kLast);
    EXPECT_TRUE(run(forward, three, 0, 50, LogitRows::kNone).empty());
    ASSERT_EQ(last.size(), 512U);
    EXPECT_EQ(std::memcmp(all.data() + 49 * 512, last.data(), 512 * sizeof(float)), 0);
    EXPECT_EQ(std::memcmp(one.recurrent(), three.recurrent(), one.layout().recurrentBytes()), 0);
}

class FinalTap final : public ForwardTap {
  public:
    explicit FinalTap(Backend& backend) : backend_(backend) {}
    void tensor(TapPoint point, int64_t, const ConstTensorView& values) override {
        if (point != TapPoint::kFinal) return;
        x.resize(static_cast<size_t>(values.elements()));
        backend_.download(std::as_writable_bytes(std::span(x)), values.data);
    }
    std::vector<float> x;

  private:
    Backend& backend_;
};

// With all that the machine has a single row is made in another order: no two sums of K products in float32 are further apart.
TEST_P(ForwardTest, LogitsOfTheLastRowAreNoFurtherAwayThanTheOrderOfTheirSums) {
    Forward forward(runtime_->weights(), runtime_->backend());
    SequenceState one = makeState();
    SequenceState two = makeState();
    FinalTap all(runtime_->backend());
    FinalTap last(runtime_->backend());
    const auto want = run(forward, one, 0, 50, LogitRows::kAll, &all);
    const auto got = run(forward, two, 0, 50, LogitRows::kLast, &last);
    const WeightView& head = runtime_->weights().head;
    ASSERT_EQ(head.format, WeightFormat::kBF16);
    const auto cols = static_cast<size_t>(head.cols);
    ASSERT_EQ(std::memcmp(all.x.data() + 49 * cols, last.x.data(), cols * sizeof(float)), 0) << "the same input";
    const auto* weights = static_cast<const uint16_t*>(head.data);
    for (size_t n = 0; n < got.size(); ++n) {
        double size = 0;
        for (size_t k = 0; k < cols; ++k) {
            const auto w = std::bit_cast<float>(static_cast<uint32_t>(weights[n * cols + k]) << 16);
            size += std::abs(static_cast<double>(w) * last.x[k]);
        }
        EXPECT_LE(std::abs(want[49 * got.size() + n] - got[n]), 2 * (static_cast<double>(cols) + 2) * 0x1p-24 * size)
            << n;
    }
}

TEST_P(ForwardTest, AStoppedStepLeavesThePositionAndTheKeptPartBringsItBack) {
    Forward forward(runtime_->weights(), runtime_->backend());
    SequenceState state = makeState();
    run(forward, state, 0, 50, LogitRows::kNone);
    SequenceState kept = std::move(state.clone().value());
    std::stop_source stop;
    stop.request_stop();
    StepInput input;
    input.ids = std::span<const int32_t>(ids_).subspan(50, 50);
    input.stop = stop.get_token();
    const auto stopped = forward.step(input, state);
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(state.position(), 50);
    const auto want = run(forward, kept, 50, 100, LogitRows::kLast);
    EXPECT_EQ(run(forward, state, 50, 100, LogitRows::kLast), want);
}

TEST_P(ForwardTest, HalfWidthLatentsStayClose) {
    Forward forward(runtime_->weights(), runtime_->backend());
    SequenceState exact = makeState();
    SequenceState rounded = makeState(DType::kBF16);
    EXPECT_LT(rounded.layout().pageBytes(), exact.layout().pageBytes());
    const auto want = run(forward, exact, 0, 100, LogitRows::kLast);
    const auto got = run(forward, rounded, 0, 100, LogitRows::kLast);
    double error = 0;
    double size = 0;
    for (size_t i = 0; i < want.size(); ++i) {
        error += (want[i] - got[i]) * (want[i] - got[i]);
        size += want[i] * want[i];
    }
    EXPECT_GT(error, 0) << "bf16 latents must differ from float32 ones";
    EXPECT_LT(error, 0.05 * 0.05 * size);
}

INSTANTIATE_TEST_SUITE_P(Variants, ForwardTest, ::testing::Values("tiny-k3", "tiny-linear"));

class CheckpointTest : public ::testing::Test {
  protected:
    CheckpointTest() : backend_(std::move(createCpuBackend({1, CpuIsa::kBest}).backend)) {
        layout_.kdaLayers = 1;
        layout_.heads = 1;
        layout_.valueDim = 16;
        layout_.keyDim = 16;
        layout_.tailRows = 0;
        bytes_ = layout_.recurrentBytes();
    }
    Checkpoint at(int64_t position, bool withLogits = false) {
        SequenceState state = std::move(SequenceState::create(*backend_, layout_).value());
        state.advance(position);
        return {std::move(state), withLogits ? std::vector<float>(1) : std::vector<float>()};
    }
    static int64_t positionOf(const Checkpoint* checkpoint) {
        return checkpoint == nullptr ? 0 : checkpoint->state.position();
    }

    std::unique_ptr<Backend> backend_;
    StateLayout layout_;
    uint64_t bytes_ = 0;
};

TEST_F(CheckpointTest, TheLatestUsableOneIsFound) {
    CheckpointStore store(1 << 20);
    store.add(at(10));
    store.add(at(20, true));
    store.add(at(30));
    EXPECT_EQ(positionOf(store.latest(9, 100)), 0);
    EXPECT_EQ(positionOf(store.latest(10, 100)), 10);
    EXPECT_EQ(positionOf(store.latest(29, 100)), 20);
    EXPECT_EQ(positionOf(store.latest(20, 20)), 20) << "its logits are kept";
    EXPECT_EQ(positionOf(store.latest(30, 30)), 20) << "without logits the last token must be read again";
    store.dropAfter(15);
    EXPECT_EQ(positionOf(store.latest(100, 200)), 10);
}

TEST_F(CheckpointTest, TheBudgetKeepsWhatSavesMost) {
    CheckpointStore store(3 * bytes_);
    for (const int64_t position : {100, 110, 400, 800}) store.add(at(position));
    EXPECT_EQ(store.count(), 3U);
    EXPECT_EQ(store.bytes(), 3 * bytes_);
    EXPECT_EQ(positionOf(store.latest(399, 1000)), 100) << "110 saved only 10 tokens";
    EXPECT_EQ(positionOf(store.latest(900, 1000)), 800) << "the newest stays";
    CheckpointStore none(bytes_ - 1);
    none.add(at(5));
    EXPECT_EQ(none.count(), 0U);
    EXPECT_EQ(none.bytes(), 0U);
    store.add(at(800));
    EXPECT_EQ(store.bytes(), 3 * bytes_) << "replaced";
    EXPECT_TRUE(store.dropLeast());
    EXPECT_EQ(positionOf(store.latest(399, 1000)), 0) << "going back to 100 saved less than to 400";
    store.dropAfter(399);
    EXPECT_EQ(store.bytes(), 0U);
    EXPECT_FALSE(store.dropLeast());
}

TEST(CheckpointPositions, MessageEndsAndDoublingDistances) {
    using Positions = std::vector<int64_t>;
    EXPECT_EQ(checkpointPositions(0, 100, {}, 64), Positions({100}));
    EXPECT_EQ(checkpointPositions(0, 1000, {}, 64), Positions({448, 704, 832, 896, 1000}));
    EXPECT_EQ(checkpointPositions(0, 1000, {40, 900}, 64), Positions({40, 384, 640, 768, 832, 900, 1000}));
    EXPECT_EQ(checkpointPositions(832, 1000, {40, 900}, 64), Positions({900, 1000}));
    EXPECT_EQ(checkpointPositions(0, 50, {60, -1, 0}, 64), Positions({50}));
}

}  // namespace
}  // namespace pal
