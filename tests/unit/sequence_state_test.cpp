// SPDX-License-Identifier: Apache-2.0
#include "engine/state/sequence_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "kernels/api/backend.h"
#include "tests/support/forwarding_backend.h"

namespace pal {
namespace {

// K != V and odd sizes, so that a swapped dimension shows.
StateLayout oddLayout() {
    StateLayout layout;
    layout.kdaLayers = 2;
    layout.heads = 3;
    layout.valueDim = 5;
    layout.keyDim = 7;
    layout.tailRows = 3;
    layout.mlaLayers = 2;
    layout.latentRank = 9;
    layout.latentRope = 2;
    return layout;
}

float* rowOf(const SequenceState& state, int64_t layer, int64_t row) {
    const LatentPages pages = state.latents(layer);
    void* page = pages.pages[static_cast<size_t>(row / kLatentPageTokens)];
    return static_cast<float*>(page) + row % kLatentPageTokens * (pages.rank + pages.rope);
}

// Appends `count` tokens whose latent rows hold base + row in every layer and column.
void append(SequenceState& state, int64_t count, float base) {
    ASSERT_TRUE(state.reserve(count).has_value());
    for (int64_t layer = 0; layer < state.layout().mlaLayers; ++layer) {
        for (int64_t row = state.position(); row < state.position() + count; ++row) {
            float* values = rowOf(state, layer, row);
            std::fill_n(values, 11, base + static_cast<float>(row));
        }
    }
    state.advance(count);
}

class SequenceStateTest : public ::testing::Test {
  protected:
    SequenceStateTest() : backend_(createCpuBackend({1, CpuIsa::kBest}).backend) {}

    SequenceState make() { return std::move(SequenceState::create(*backend_, oddLayout()).value()); }

    std::unique_ptr<Backend> backend_;
};

TEST_F(SequenceStateTest, TheListsOfPagesStayInTheirPlacesAsTheyGrow) {
    SequenceState state = make();
    append(state, 1, 0);
    append(state, kLatentPageTokens, 5);
    const LatentPages first = state.latents(1);
    for (int page = 2; page < 64; ++page) append(state, kLatentPageTokens, 5);
    const LatentPages later = state.latents(1);
    EXPECT_EQ(later.pages.size(), 64U);
    EXPECT_EQ(later.pages.data(), first.pages.data()) << "a captured step would have to be captured again";
    EXPECT_EQ(later.pages[0], first.pages[0]);
    auto* const page = first.pages[0];
    append(state, 64 * kLatentPageTokens, 5);  // more than the rows held: the lists move, the pages do not
    EXPECT_EQ(state.latents(1).pages.size(), 128U);
    EXPECT_EQ(state.latents(1).pages[0], page);
    EXPECT_EQ(*rowOf(state, 1, 0), 0.0F);
    EXPECT_EQ(*rowOf(state, 0, 70), 75.0F);
}

TEST_F(SequenceStateTest, StartsAtZeroWithTheLayoutsShapes) {
    const SequenceState state = make();
    EXPECT_EQ(state.position(), 0);
    const TensorView kda = state.kdaState(1);
    EXPECT_EQ(kda.dim(0), 3);
    EXPECT_EQ(kda.dim(1), 5);
    EXPECT_EQ(kda.dim(2), 7);
    const TensorView tail = state.convTail(1);
    EXPECT_EQ(tail.dim(0), 3);
    EXPECT_EQ(tail.dim(1), 3 * (7 + 7 + 5));
    for (int64_t layer = 0; layer < 2; ++layer) {
        const auto* values = static_cast<const float*>(state.kdaState(layer).data);
        EXPECT_TRUE(std::all_of(values, values + 105, [](float x) { return x == 0; }));
        const auto* inputs = static_cast<const float*>(state.convTail(layer).data);
        EXPECT_TRUE(std::all_of(inputs, inputs + 171, [](float x) { return x == 0; }));
    }
    EXPECT_GE(state.layout().recurrentBytes(), 2U * (105 + 171) * 4);
    EXPECT_EQ(state.cloneBytes(), state.layout().recurrentBytes());
}

TEST_F(SequenceStateTest, PartsDoNotOverlap) {
    SequenceState state = make();
    append(state, 130, 0);
    for (int64_t layer = 0; layer < 2; ++layer) {
        std::fill_n(static_cast<float*>(state.kdaState(layer).data), 105, 10.0F + static_cast<float>(layer));
        std::fill_n(static_cast<float*>(state.convTail(layer).data), 171, 20.0F + static_cast<float>(layer));
    }
    for (int64_t layer = 0; layer < 2; ++layer) {
        const auto* values = static_cast<const float*>(state.kdaState(layer).data);
        EXPECT_TRUE(std::all_of(values, values + 105, [&](float x) { return x == 10.0F + static_cast<float>(layer); }));
        const auto* inputs = static_cast<const float*>(state.convTail(layer).data);
        EXPECT_TRUE(std::all_of(inputs, inputs + 171, [&](float x) { return x == 20.0F + static_cast<float>(layer); }));
        EXPECT_EQ(state.latents(layer).pages.size(), 3U);
        for (const int64_t row : {0, 63, 64, 129}) EXPECT_EQ(rowOf(state, layer, row)[10], static_cast<float>(row));
    }
}

TEST_F(SequenceStateTest, ClonesShareThePastAndNothingElse) {
    SequenceState state = make();
    append(state, 70, 0);
    std::fill_n(static_cast<float*>(state.kdaState(0).data), 105, 1.0F);
    SequenceState twin = std::move(state.clone().value());
    EXPECT_EQ(twin.position(), 70);
    EXPECT_EQ(twin.latents(0).pages[0], state.latents(0).pages[0]);
    const size_t tables = 2 * sizeof(std::shared_ptr<Buffer>) + 2 * 2 * sizeof(void*);
    EXPECT_EQ(twin.cloneBytes(), twin.layout().recurrentBytes() + twin.layout().pageBytes() + tables);

    append(state, 3, 1000);
    append(twin, 2, 2000);
    *static_cast<float*>(twin.kdaState(0).data) = 5;
    EXPECT_EQ(*static_cast<const float*>(state.kdaState(0).data), 1);
    for (int64_t layer = 0; layer < 2; ++layer) {
        EXPECT_EQ(twin.latents(layer).pages[0], state.latents(layer).pages[0]) << "full pages stay shared";
        EXPECT_NE(twin.latents(layer).pages[1], state.latents(layer).pages[1]);
        for (const auto* s : {&state, &twin}) {
            for (const int64_t row : {0, 63, 64, 69}) EXPECT_EQ(rowOf(*s, layer, row)[0], static_cast<float>(row));
        }
        EXPECT_EQ(rowOf(state, layer, 70)[0], 1070);
        EXPECT_EQ(rowOf(twin, layer, 70)[0], 2070);
    }
}

TEST_F(SequenceStateTest, APageThatOnlyOneSequenceHoldsIsNotCopied) {
    SequenceState state = make();
    append(state, 70, 0);
    const void* page = state.latents(0).pages[1];
    { const SequenceState twin = std::move(state.clone().value()); }
    append(state, 1, 0);
    EXPECT_EQ(state.latents(0).pages[1], page);
}

TEST_F(SequenceStateTest, ACloneAtAPageBorderSharesAllPages) {
    SequenceState state = make();
    append(state, 64, 0);
    SequenceState twin = std::move(state.clone().value());
    append(state, 1, 1000);
    append(twin, 1, 2000);
    EXPECT_EQ(twin.latents(1).pages[0], state.latents(1).pages[0]);
    EXPECT_EQ(rowOf(state, 1, 64)[0], 1064);
    EXPECT_EQ(rowOf(twin, 1, 64)[0], 2064);
}

TEST_F(SequenceStateTest, ReservedButUnusedRowsDoNotReachAClone) {
    SequenceState state = make();
    append(state, 10, 0);
    ASSERT_TRUE(state.reserve(200).has_value());  // a step that is broken off
    const SequenceState twin = std::move(state.clone().value());
    EXPECT_EQ(twin.latents(0).pages.size(), 1U);
    EXPECT_EQ(twin.position(), 10);
}

// Has memory for a number of allocations.
class SmallBackend final : public ForwardingBackend {
  public:
    explicit SmallBackend(int allocations)
        : ForwardingBackend(createCpuBackend({1, CpuIsa::kBest}).backend), left(allocations) {}
    Buffer allocate(size_t bytes) override { return left-- > 0 ? ForwardingBackend::allocate(bytes) : Buffer(); }
    int left;
};

// Hands out memory as a GPU does that had other sessions before: full of what they left.
class UsedMemory : public ForwardingBackend {
  public:
    using ForwardingBackend::ForwardingBackend;
    Buffer allocate(size_t bytes) override {
        Buffer buffer = ForwardingBackend::allocate(bytes);
        if (buffer.data() != nullptr) std::memset(buffer.data(), 0xFF, bytes);
        return buffer;
    }
};

// Every row behind the next `tokens`, of the pages that attention reads with them.
bool areRowsBehindFinite(const SequenceState& state, int64_t tokens) {
    const int64_t end = state.position() + tokens;
    for (int64_t layer = 0; layer < state.layout().mlaLayers; ++layer) {
        for (int64_t row = end; row % kLatentPageTokens != 0; ++row) {
            const float* values = rowOf(state, layer, row);
            if (!std::all_of(values, values + 11, [](float x) { return std::isfinite(x); })) return false;
        }
    }
    return true;
}

TEST(SequenceStateMemory, RowsThatNoTokenHasWrittenAreZeroInUsedMemory) {
    UsedMemory backend(createCpuBackend({1, CpuIsa::kBest}).backend);
    SequenceState state = std::move(SequenceState::create(backend, oddLayout()).value());
    ASSERT_TRUE(state.reserve(2 * kLatentPageTokens + 1).has_value());
    for (int64_t layer = 0; layer < 2; ++layer) {
        EXPECT_TRUE(std::isnan(rowOf(state, layer, kLatentPageTokens)[0]))
            << "a page that is filled is not cleared before";
        for (int64_t row = 2 * kLatentPageTokens; row < 3 * kLatentPageTokens; ++row)
            EXPECT_EQ(std::count(rowOf(state, layer, row), rowOf(state, layer, row) + 11, 0.0F), 11);
    }
}

// Steps of any length, some broken off, some by a clone: whatever was written before stays, and no step reads a row that is none.
TEST(SequenceStateMemory, NoStepReadsWhatWasInTheMemoryBefore) {
    UsedMemory backend(createCpuBackend({1, CpuIsa::kBest}).backend);
    std::mt19937_64 random(3);
    for (int round = 0; round < 20; ++round) {
        SequenceState state = std::move(SequenceState::create(backend, oddLayout()).value());
        for (int step = 0; step < 40; ++step) {
            if (random() % 4 == 0) state = std::move(state.clone().value());
            const auto tokens = static_cast<int64_t>(1 + random() % (random() % 3 == 0 ? 200 : 4));
            if (random() % 4 == 0) {
                ASSERT_TRUE(state.reserve(tokens).has_value());  // and the step is broken off before its first row
                continue;
            }
            const int64_t begin = state.position();
            ASSERT_TRUE(state.reserve(tokens).has_value());
            ASSERT_TRUE(areRowsBehindFinite(state, tokens)) << begin << " and " << tokens << " tokens";
            append(state, tokens, 0);
            for (int64_t row = 0; row < state.position(); ++row)
                ASSERT_EQ(rowOf(state, 1, row)[0], static_cast<float>(row));
        }
    }
}

TEST(SequenceStateMemory, APageThatIsRefusedLeavesTheSequenceAsItWas) {
    SmallBackend backend(2);  // the recurrent part and the block of pages for 70 tokens
    SequenceState state = std::move(SequenceState::create(backend, oddLayout()).value());
    ASSERT_TRUE(state.reserve(70).has_value());
    state.advance(70);
    const std::vector<void*> before(state.latents(1).pages.begin(), state.latents(1).pages.end());
    ASSERT_EQ(before.size(), 2U);

    const auto refused = state.reserve(200);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
    const auto expectUnchanged = [&] {
        for (int64_t layer = 0; layer < 2; ++layer) {
            const auto pages = state.latents(layer).pages;
            ASSERT_EQ(pages.size(), 2U);
            for (size_t i = 0; i < 2; ++i) {
                const auto offset = static_cast<ptrdiff_t>(state.layout().layerPageBytes()) * (layer - 1);
                EXPECT_EQ(pages[i], static_cast<std::byte*>(before[i]) + offset);
            }
        }
    };
    expectUnchanged();
    ASSERT_TRUE(state.reserve(1).has_value());
    expectUnchanged();

    backend.left = 1;
    SequenceState twin = std::move(state.clone().value());
    EXPECT_FALSE(state.reserve(1).has_value()) << "the shared last page has no room for a copy";
    expectUnchanged();
    backend.left = 1;
    EXPECT_TRUE(twin.reserve(1).has_value());
    EXPECT_NE(twin.latents(0).pages[1], state.latents(0).pages[1]);
}

}  // namespace
}  // namespace pal
