// SPDX-License-Identifier: Apache-2.0
// shortConv, l2Norm, kdaGate, kda (recurrent and chunked), gatedRmsNorm; K != V throughout.
#include "tests/oracle/kda_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

using oracle::Wrong;

class Kda : public OpTest {};
PAL_ON_EVERY_BACKEND(Kda);

TEST_P(Kda, ShortConv) {
    Random random(11);
    for (const int64_t taps : {2, 4, 5}) {
        for (const int64_t tokens : {1, 2, 3, 4, 17, 64}) {
            constexpr int64_t kChannels = 37;
            const Mat<double> x = random.mat(tokens, kChannels, -2, 2);
            const Mat<double> weight = random.mat(kChannels, taps, -0.8, 0.8);
            const Mat<double> before = random.mat(taps - 1, kChannels, -2, 2);
            const Device input(backend(), x);
            const Vector w(backend(), weight.v);
            const Device tail(backend(), before);
            const Device out(backend(), tokens, kChannels);
            backend().shortConv({input.view(), w.data(), taps, tail.view(), out.view()});
            finish();
            Mat<double> history = before;
            Mat<float> floatHistory = toFloat(before);
            const auto truth = oracle::shortConv(x, weight, history);
            const auto naive = oracle::shortConv(toFloat(x), toFloat(weight), floatHistory);
            expectWithin(fmt::format("shortConv taps {} T {}", taps, tokens), out.read(), truth, naive);
            EXPECT_EQ(tail.read().v, history.v) << "the tail holds the last inputs, T = " << tokens;
            for (const Wrong wrong : {Wrong::kReversedTaps, Wrong::kNoSiluAfterConv}) {
                Mat<double> again = before;
                expectTellsApart("shortConv", out.read(), truth, naive, oracle::shortConv(x, weight, again, wrong));
            }
        }
    }
}

TEST_P(Kda, L2Norm) {
    Random random(12);
    for (const double size : {1e-3, 1.0, 50.0}) {
        const Mat<double> x = random.mat(3, 5 * 24, -size, size);
        const Device input(backend(), x);
        const Device out(backend(), 3, 5 * 24);
        const float scale = 0.3F;
        backend().l2Norm({input.heads(5), 1e-6F, scale, out.heads(5)});
        finish();
        const double eps = static_cast<double>(1e-6F);
        const auto truth = oracle::l2Norm(x, 24, eps, static_cast<double>(scale));
        const auto naive = oracle::l2Norm(toFloat(x), 24, 1e-6F, scale);
        expectWithin("l2Norm", out.read(), truth, naive);
        expectTellsApart("query scale", out.read(), truth, naive, oracle::l2Norm(x, 24, eps, 1.0));
        if (size < 1e-2) {
            expectTellsApart("eps belongs to the sum", out.read(), truth, naive,
                             oracle::l2Norm(x, 24, eps * 24, static_cast<double>(scale)));
        }
    }
}

TEST_P(Kda, GateBounded) {
    Random random(13);
    constexpr int64_t kHeads = 3;
    constexpr int64_t kDim = 20;
    const Mat<double> z = random.mat(7, kHeads * kDim, -12, 12);
    const Mat<double> logits = random.mat(7, kHeads, -9, 9);
    const std::vector<double> aLog = random.vec(kHeads, -1, 1.5);
    const std::vector<double> dtBias = random.vec(kHeads * kDim, -6, 2);
    const Device zDevice(backend(), z);
    const Device logitsDevice(backend(), logits);
    const Vector a(backend(), aLog);
    const Vector dt(backend(), dtBias);
    for (const bool bounded : {true, false}) {
        const Device g(backend(), 7, kHeads * kDim);
        const Device beta(backend(), 7, kHeads);
        const std::optional<float> bound = bounded ? std::optional(-5.0F) : std::nullopt;
        backend().kdaGate(
            {zDevice.heads(kHeads), logitsDevice.view(), a.data(), dt.data(), bound, g.heads(kHeads), beta.view()});
        finish();
        const std::optional<double> exact = bounded ? std::optional(-5.0) : std::nullopt;
        const auto truth = oracle::kdaLogDecay(z, aLog, dtBias, exact);
        const auto naive = oracle::kdaLogDecay(toFloat(z), toFloat(aLog), toFloat(dtBias), bound);
        expectWithin(bounded ? "bounded gate" : "unbounded gate", g.read(), truth, naive);
        for (const double x : g.read().v) {
            ASSERT_LE(x, 0.0);
            if (bounded) {
                ASSERT_GE(x, -5.0);
            }
        }
        if (bounded) {
            for (const Wrong wrong : {Wrong::kSoftplusGate, Wrong::kDtBiasAfterScale}) {
                expectTellsApart("gate", g.read(), truth, naive, oracle::kdaLogDecay(z, aLog, dtBias, exact, wrong));
            }
        }
        Mat<double> ones(7, kHeads);
        for (double& v : ones.v) v = 1;
        const auto betaTruth = oracle::sigmoidGate(ones, logits);
        const auto betaNaive = oracle::sigmoidGate(toFloat(ones), toFloat(logits));
        expectWithin("beta", beta.read(), betaTruth, betaNaive);
        expectTellsApart("raw beta", beta.read(), betaTruth, betaNaive, logits);
    }
}

// Inputs of the delta rule with gates from a class that real layers show.
struct KdaInputs {
    int64_t heads, K, V;
    Mat<double> q, k, v, g, beta, state;
};

enum class Gates { kSlow, kTypical, kFast, kAtBound, kUnbounded, kMixed };

double logDecay(Random& random, Gates gates) {
    switch (gates) {
        case Gates::kSlow:
            return -random.uniform(0, 1e-3);
        case Gates::kTypical:
            return -random.uniform(0, 0.3);
        case Gates::kFast:
            return -random.uniform(1, 4);
        case Gates::kAtBound:
            return -5;
        case Gates::kUnbounded:
            return -random.uniform(0, 60);
        case Gates::kMixed:
            return random.below(8) == 0 ? -random.uniform(20, 1e4) : -random.uniform(0, 1e-2);
    }
    return 0;
}

KdaInputs kdaInputs(Random& random, Gates gates, int64_t tokens, int64_t heads, int64_t K, int64_t V) {
    KdaInputs in{heads,
                 K,
                 V,
                 random.mat(tokens, heads * K),
                 random.mat(tokens, heads * K),
                 random.mat(tokens, heads * V, -2, 2),
                 Mat<double>(tokens, heads * K),
                 random.mat(tokens, heads, 0.02, 0.98),
                 random.mat(heads * V, K, -0.5, 0.5)};
    // Neighbouring keys are alike in real text; this is what makes the chunk's inverse hard.
    for (int64_t t = 1; t < tokens; ++t) {
        for (int64_t c = 0; c < heads * K; ++c) in.k.at(t, c) = 0.7 * in.k.at(t - 1, c) + 0.5 * in.k.at(t, c);
    }
    const auto rounded = [](Mat<double> m) {
        for (double& x : m.v) x = static_cast<double>(static_cast<float>(x));
        return m;
    };
    in.q = rounded(oracle::l2Norm(in.q, K, 1e-6, std::pow(static_cast<double>(K), -0.5)));
    in.k = rounded(oracle::l2Norm(in.k, K, 1e-6, 1.0));
    for (double& x : in.g.v) x = static_cast<double>(static_cast<float>(logDecay(random, gates)));
    return in;
}

class KdaForm : public OpTest {
  protected:
    struct Output {
        Mat<double> out;
        Mat<double> state;
    };

    Output run(const KdaInputs& in, KdaArgs::Form form) {
        const Device q(backend(), in.q);
        const Device k(backend(), in.k);
        const Device v(backend(), in.v);
        const Device g(backend(), in.g);
        const Device beta(backend(), in.beta);
        const Device state(backend(), in.state);
        const Device out(backend(), in.q.rows, in.heads * in.V);
        const TensorView stateView(state.view().data, DType::kF32, {in.heads, in.V, in.K});
        backend().kda({q.heads(in.heads), k.heads(in.heads), v.heads(in.heads), g.heads(in.heads), beta.view(),
                       stateView, out.heads(in.heads), form});
        finish();
        return {out.read(), state.read()};
    }
};
PAL_ON_EVERY_BACKEND(KdaForm);

TEST_P(KdaForm, EveryGateEveryLength) {
    Random random(14);
    for (const Gates gates :
         {Gates::kSlow, Gates::kTypical, Gates::kFast, Gates::kAtBound, Gates::kUnbounded, Gates::kMixed}) {
        for (const int64_t tokens : {1, 2, 15, 16, 17, 63, 64, 65, 131, 200}) {
            const KdaInputs in = kdaInputs(random, gates, tokens, 3, 40, 24);
            Mat<double> state = in.state;
            const auto truth = oracle::kdaRecurrence(in.q, in.k, in.v, in.g, in.beta, state);
            Mat<float> floatState = toFloat(in.state);
            const auto naive = oracle::kdaRecurrence(toFloat(in.q), toFloat(in.k), toFloat(in.v), toFloat(in.g),
                                                     toFloat(in.beta), floatState);
            for (const auto form : {KdaArgs::Form::kRecurrent, KdaArgs::Form::kChunked, KdaArgs::Form::kAuto}) {
                const Output got = run(in, form);
                const auto what =
                    fmt::format("kda gates {} T {} form {}", static_cast<int>(gates), tokens, static_cast<int>(form));
                expectWithin(what, got.out, truth, naive);
                expectWithin(what + " state", got.state, state, floatState);
            }
        }
    }
}

TEST_P(KdaForm, ReleasedHeadSize) {
    Random random(15);
    for (const Gates gates : {Gates::kSlow, Gates::kAtBound, Gates::kMixed}) {
        const KdaInputs in = kdaInputs(random, gates, 150, 2, 128, 128);
        Mat<double> state = in.state;
        Mat<float> floatState = toFloat(in.state);
        const auto truth = oracle::kdaRecurrence(in.q, in.k, in.v, in.g, in.beta, state);
        const auto naive = oracle::kdaRecurrence(toFloat(in.q), toFloat(in.k), toFloat(in.v), toFloat(in.g),
                                                 toFloat(in.beta), floatState);
        for (const auto form : {KdaArgs::Form::kRecurrent, KdaArgs::Form::kChunked}) {
            const Output got = run(in, form);
            expectWithin("kda 128", got.out, truth, naive);
            expectWithin("kda 128 state", got.state, state, floatState);
        }
    }
}

TEST_P(KdaForm, TellsWrongRulesApart) {
    Random random(16);
    const KdaInputs in = kdaInputs(random, Gates::kTypical, 70, 2, 32, 24);
    Mat<double> state = in.state;
    Mat<float> floatState = toFloat(in.state);
    const auto truth = oracle::kdaRecurrence(in.q, in.k, in.v, in.g, in.beta, state);
    const auto naive =
        oracle::kdaRecurrence(toFloat(in.q), toFloat(in.k), toFloat(in.v), toFloat(in.g), toFloat(in.beta), floatState);
    for (const auto form : {KdaArgs::Form::kRecurrent, KdaArgs::Form::kChunked}) {
        const Output got = run(in, form);
        for (const Wrong wrong : {Wrong::kReadBeforeUpdate, Wrong::kUndecayedDelta}) {
            Mat<double> again = in.state;
            const auto bad = oracle::kdaRecurrence(in.q, in.k, in.v, in.g, in.beta, again, wrong);
            expectTellsApart("kda", got.out, truth, naive, bad);
        }
    }
}

TEST_P(KdaForm, StateIsValueMajor) {
    Random random(17);
    KdaInputs in = kdaInputs(random, Gates::kSlow, 20, 2, 24, 24);
    Mat<double> state = in.state;
    Mat<float> floatState = toFloat(in.state);
    const auto truth = oracle::kdaRecurrence(in.q, in.k, in.v, in.g, in.beta, state);
    const auto naive =
        oracle::kdaRecurrence(toFloat(in.q), toFloat(in.k), toFloat(in.v), toFloat(in.g), toFloat(in.beta), floatState);
    const Output got = run(in, KdaArgs::Form::kChunked);
    Mat<double> transposed(in.state.rows, in.state.cols);
    for (int64_t h = 0; h < 2; ++h) {
        for (int64_t i = 0; i < 24; ++i) {
            for (int64_t c = 0; c < 24; ++c) transposed.at(h * 24 + i, c) = state.at(h * 24 + c, i);
        }
    }
    expectTellsApart("state layout", got.state, state, floatState, transposed);
    expectWithin("out", got.out, truth, naive);
}

TEST_P(Kda, GatedRmsNorm) {
    Random random(18);
    constexpr int64_t kHeads = 4;
    constexpr int64_t kDim = 28;
    const Mat<double> x = random.mat(5, kHeads * kDim, -2, 2);
    const Mat<double> gate = random.mat(5, kHeads * kDim, -8, 8);
    const std::vector<double> weight = random.vec(kDim, 0.5, 1.5);
    const Device input(backend(), x);
    const Device g(backend(), gate);
    const Vector w(backend(), weight);
    const Device out(backend(), 5, kHeads * kDim);
    const Device tap(backend(), 5, kHeads * kDim);
    backend().gatedRmsNorm(
        {input.heads(kHeads), w.data(), 1e-5F, g.heads(kHeads), out.heads(kHeads), tap.heads(kHeads)});
    finish();
    const double eps = static_cast<double>(1e-5F);
    const auto truth = oracle::gatedRmsNorm(x, weight, eps, gate);
    const auto naive = oracle::gatedRmsNorm(toFloat(x), toFloat(weight), 1e-5F, toFloat(gate));
    expectWithin("gatedRmsNorm", out.read(), truth, naive);
    expectTellsApart("gatedRmsNorm", out.read(), truth, naive,
                     oracle::gatedRmsNorm(x, weight, eps, gate, Wrong::kSiluInOutputNorm));
    Mat<double> ones(5, kHeads * kDim);
    for (double& v : ones.v) v = 1;
    expectWithin("gate tap", tap.read(), oracle::sigmoidGate(ones, gate),
                 oracle::sigmoidGate(toFloat(ones), toFloat(gate)));
}

}  // namespace
}  // namespace pal::vectors
