// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/implied_reads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/api/engine.h"
#include "tests/oracle/kda_oracle.h"

namespace pal::inspect {
namespace {

// Random values of a layer with K != V and what the recurrence makes of them in double.
RawKda randomWindow(int64_t tokens, int64_t heads, int64_t keys, int64_t values) {
    std::mt19937 engine(7);
    std::normal_distribution<float> normal;
    const auto fill = [&](std::vector<float>& to, int64_t count) {
        for (int64_t i = 0; i < count; ++i) to.push_back(normal(engine));
    };
    RawKda raw;
    raw.heads = heads;
    raw.keyDim = keys;
    raw.valueDim = values;
    fill(raw.stateBefore, heads * values * keys);
    fill(raw.q, tokens * heads * keys);
    fill(raw.k, tokens * heads * keys);
    fill(raw.v, tokens * heads * values);
    fill(raw.logDecay, tokens * heads * keys);
    fill(raw.beta, tokens * heads);
    for (float& g : raw.logDecay) g = -0.3F * std::abs(g);
    for (float& b : raw.beta) b = 1 / (1 + std::exp(-b));
    for (auto at = raw.k.begin(); at != raw.k.end(); at += keys) {
        float sum = 0;
        std::for_each(at, at + keys, [&](float x) { sum += x * x; });
        std::for_each(at, at + keys, [&](float& x) { x /= std::sqrt(sum); });
    }
    const auto matrix = [](const std::vector<float>& from, int64_t rows) {
        oracle::Mat<double> out(rows, std::ssize(from) / rows);
        std::copy(from.begin(), from.end(), out.v.begin());
        return out;
    };
    oracle::Mat<double> state = matrix(raw.stateBefore, heads * values);
    const oracle::Mat<double> read =
        oracle::kdaRecurrence(matrix(raw.q, tokens), matrix(raw.k, tokens), matrix(raw.v, tokens),
                              matrix(raw.logDecay, tokens), matrix(raw.beta, tokens), state);
    raw.read.assign(read.v.begin(), read.v.end());
    return raw;
}

TEST(ImpliedReads, SumToTheRead) {
    const RawKda raw = randomWindow(40, 3, 12, 20);
    for (const int64_t token : {0, 1, 17, 39}) {
        for (int64_t head = 0; head < 3; ++head) {
            const ImpliedReads got = impliedReads(raw, token, head);
            ASSERT_EQ(std::ssize(got.weight), token + 1);
            EXPECT_LE(got.selfCheck, 1e-6) << token << " " << head;
        }
    }
}

// The check must notice what it is there for: values of another head or token, another order of decay and erasing.
TEST(ImpliedReads, TheSelfCheckNoticesWrongData) {
    const RawKda right = randomWindow(40, 3, 12, 20);
    RawKda swapped = right;
    std::swap_ranges(swapped.v.begin(), swapped.v.begin() + 20, swapped.v.begin() + 20);  // heads 0 and 1 of token 0
    EXPECT_GT(impliedReads(swapped, 0, 0).selfCheck, 1e-2);
    RawKda late = right;
    std::rotate(late.logDecay.begin(), late.logDecay.begin() + 3 * 12, late.logDecay.end());
    EXPECT_GT(impliedReads(late, 20, 0).selfCheck, 1e-3);
    RawKda stateless = right;
    std::fill(stateless.stateBefore.begin(), stateless.stateBefore.end(), 0.0F);
    EXPECT_GT(impliedReads(stateless, 3, 1).selfCheck, 1e-2);
}

// One key written once and read back: all comes from there. Written again, the delta rule takes the old value out.
TEST(ImpliedReads, AnOverwrittenKeyHasNoWeight) {
    RawKda raw;
    raw.heads = 1;
    raw.keyDim = 2;
    raw.valueDim = 1;
    raw.stateBefore = {0, 0};
    raw.k = {1, 0, 0, 1, 1, 0};
    raw.q = {1, 0, 0, 1, 1, 0};
    raw.v = {5, 7, 9};
    raw.logDecay = {0, 0, 0, 0, 0, 0};
    raw.beta = {1, 1, 1};
    raw.read = {5, 7, 9};
    const ImpliedReads got = impliedReads(raw, 2, 0);
    EXPECT_EQ(got.weight, (std::vector<float>{0, 0, 1}));
    EXPECT_EQ(got.share, (std::vector<float>{0, 0, 1}));
    EXPECT_EQ(got.olderShare, 0);
    EXPECT_EQ(got.selfCheck, 0);
}

TEST(ImpliedReads, SumToWhatALayerOfAModelGave) {
    for (const char* model : {"tests/golden/tiny-k3/checkpoint", "tests/golden/tiny-linear/checkpoint"}) {
        auto engine = std::move(loadEngine(model, {}).value());
        auto session = std::move(engine->openSession({}).value());
        Prompt prompt;
        for (int64_t i = 0; i < 200; ++i) prompt.ids.push_back(static_cast<TokenId>((37 * i + 11 + i / 50) % 250));
        prompt.probes = {ProbeLevel::kFull, {}, 4, 60, 150, {0, 2}};
        ASSERT_TRUE(session->sync(std::move(prompt)).has_value());
        std::shared_ptr<const WindowProbe> window;
        for (bool done = false; !done;) {
            session->wait({});
            for (const Event& event : session->drain()) {
                if (const auto* seen = std::get_if<WindowProbed>(&event)) window = seen->probe;
                done |= std::holds_alternative<RequestDone>(event);
            }
        }
        ASSERT_NE(window, nullptr);
        for (const RawLayer& layer : window->raw) {
            for (int64_t token = 0; token < 90; token += 7) {
                for (int64_t head = 0; head < layer.kda.heads; ++head) {
                    const ImpliedReads got = impliedReads(layer.kda, token, head);
                    EXPECT_LE(got.selfCheck, 1e-5) << layer.layer << " " << token << " " << head;
                    EXPECT_GT(got.olderShare, 0) << "the window does not begin the sequence";
                }
            }
        }
    }
}

}  // namespace
}  // namespace pal::inspect
