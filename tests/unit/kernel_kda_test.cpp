// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cpu/kda.h"
#include "kernels/cpu/thread_pool.h"
#include "tests/unit/kernel_test_support.h"

namespace pal {
namespace {

using testing::expectAsPlainLoops;
using testing::normalFloats;
using testing::sigmoid;
using testing::view;
using Form = KdaArgs::Form;

TEST(ShortConv, MatchesDoubleAndCarriesTheTail) {
    constexpr int64_t kChannels = 37;
    for (const int64_t taps : {2, 4, 5}) {
        const auto weight = normalFloats(kChannels * taps, 1);
        const auto x = normalFloats(9 * kChannels, 2);
        for (const int64_t first : {1, 2, 3, 4, 8}) {  // a split after `first` tokens; below W-1 the tail only shifts
            cpu::ThreadPool pool(2);
            std::vector<float> tail(static_cast<size_t>((taps - 1) * kChannels), 0.0F);
            std::vector<float> out(x.size());
            const auto in = view(x, {9, kChannels});
            const auto result = view(out, {9, kChannels});
            const auto tailView = view(tail, {taps - 1, kChannels});
            cpu::shortConv({in.rows(0, first), weight.data(), taps, tailView, result.rows(0, first)}, pool);
            cpu::shortConv({in.rows(first, 9 - first), weight.data(), taps, tailView, result.rows(first, 9 - first)},
                           pool);
            expectAsPlainLoops(out, [&]<typename Real>(Real) {
                std::vector<Real> want;
                for (int64_t t = 0; t < 9; ++t) {
                    for (int64_t c = 0; c < kChannels; ++c) {
                        Real sum = 0;
                        for (int64_t j = 0; j < taps; ++j) {
                            const int64_t at = t - taps + 1 + j;
                            if (at >= 0)
                                sum += Real{weight[static_cast<size_t>(c * taps + j)]} * in.row<const float>(at)[c];
                        }
                        want.push_back(sum * sigmoid(sum));
                    }
                }
                return want;
            });
            EXPECT_EQ(tail, std::vector<float>(x.end() - (taps - 1) * kChannels, x.end()));
        }
    }
}

TEST(L2Norm, PutsEpsOnTheSum) {
    cpu::ThreadPool pool(1);
    const auto x = normalFloats(3 * 2 * 19, 3, 1e-3F);
    std::vector<float> out(x.size());
    cpu::l2Norm({view(x, {3, 2, 19}), 1e-6F, 0.25F, view(out, {3, 2, 19})}, pool);
    expectAsPlainLoops(out, [&]<typename Real>(Real) {
        std::vector<Real> want;
        for (size_t row = 0; row < 6; ++row) {
            Real sum = 0;
            for (size_t i = 0; i < 19; ++i) sum += Real{x[row * 19 + i]} * x[row * 19 + i];
            for (size_t i = 0; i < 19; ++i) want.push_back(x[row * 19 + i] / std::sqrt(sum + Real{1e-6F}) / 4);
        }
        return want;
    });
}

TEST(KdaGate, BothFamilies) {
    constexpr int64_t kTokens = 3;
    constexpr int64_t kHeads = 5;
    constexpr int64_t kWidth = 13;
    cpu::ThreadPool pool(2);
    const auto z = normalFloats(kTokens * kHeads * kWidth, 4, 6);
    const auto logits = normalFloats(kTokens * kHeads, 5, 4);
    const auto aLog = normalFloats(kHeads, 6);
    const auto bias = normalFloats(kHeads * kWidth, 7);
    for (const std::optional<float> bound : {std::optional<float>(-5.0F), std::optional<float>()}) {
        std::vector<float> decay(z.size());
        std::vector<float> beta(logits.size());
        cpu::kdaGate({view(z, {kTokens, kHeads, kWidth}), view(logits, {kTokens, kHeads}), aLog.data(), bias.data(),
                      bound, view(decay, {kTokens, kHeads, kWidth}), view(beta, {kTokens, kHeads})},
                     pool);
        expectAsPlainLoops(decay, [&]<typename Real>(Real) {
            std::vector<Real> want;
            for (size_t i = 0; i < z.size(); ++i) {
                const Real rate = std::exp(Real{aLog[i / kWidth % kHeads]});
                const Real x = Real{z[i]} + bias[i % static_cast<size_t>(kHeads * kWidth)];
                want.push_back(bound ? *bound * sigmoid(rate * x) : -rate * std::log1p(std::exp(x)));
            }
            return want;
        });
        for (const float g : decay) EXPECT_LE(g, 0.0F);
        expectAsPlainLoops(beta, [&]<typename Real>(Real) {
            std::vector<Real> want;
            for (const float x : logits) want.push_back(sigmoid(Real{x}));
            return want;
        });
    }
}

TEST(GatedRmsNorm, NormsFirstThenGates) {
    cpu::ThreadPool pool(1);
    const auto x = normalFloats(2 * 3 * 21, 8);
    const auto gate = normalFloats(2 * 3 * 21, 9);
    const auto weight = normalFloats(21, 10);
    std::vector<float> out(x.size());
    std::vector<float> tap(x.size());
    cpu::gatedRmsNorm({view(x, {2, 3, 21}), weight.data(), 1e-5F, view(gate, {2, 3, 21}), view(out, {2, 3, 21}),
                       view(tap, {2, 3, 21})},
                      pool);
    const auto opened = [&]<typename Real>(Real) {
        std::vector<Real> want;
        for (const float g : gate) want.push_back(sigmoid(Real{g}));
        return want;
    };
    expectAsPlainLoops(tap, opened);
    expectAsPlainLoops(out, [&]<typename Real>(Real real) {
        std::vector<Real> want = opened(real);
        for (size_t row = 0; row < 6; ++row) {
            Real sum = 0;
            for (size_t i = 0; i < 21; ++i) sum += Real{x[row * 21 + i]} * x[row * 21 + i];
            for (size_t i = 0; i < 21; ++i)
                want[row * 21 + i] *= x[row * 21 + i] / std::sqrt(sum / 21 + Real{1e-5F}) * weight[i];
        }
        return want;
    });
}

// One call of kda() with all its tensors, and the same in double.
struct KdaCase {
    int64_t tokens;
    int64_t heads;
    int64_t keys;
    int64_t values;
    std::vector<float> q, k, v, decay, beta, state;

    KdaCase(int64_t t, int64_t h, int64_t K, int64_t V, float gateScale) : tokens(t), heads(h), keys(K), values(V) {
        q = normalFloats(t * h * K, 11);
        k = normalFloats(t * h * K, 12);
        v = normalFloats(t * h * V, 13);
        decay = normalFloats(t * h * K, 14);
        beta = normalFloats(t * h, 15);
        state = normalFloats(h * V * K, 16);
        for (auto* rows : {&q, &k}) {
            for (int64_t row = 0; row < t * h; ++row) {
                double sum = 0;
                for (int64_t i = 0; i < K; ++i) sum += std::pow((*rows)[static_cast<size_t>(row * K + i)], 2);
                for (int64_t i = 0; i < K; ++i)
                    (*rows)[static_cast<size_t>(row * K + i)] /= static_cast<float>(std::sqrt(sum));
            }
        }
        for (float& g : decay) g = -gateScale * std::abs(g);
        for (float& b : beta) b = static_cast<float>(sigmoid(b));
    }

    // Runs tokens [begin, begin + count).
    void run(Form form, int64_t begin, int64_t count, std::vector<float>& s, std::vector<float>& out,
             cpu::ThreadPool& pool) const {
        KdaArgs args;
        args.q = view(q, {tokens, heads, keys}).rows(begin, count);
        args.k = view(k, {tokens, heads, keys}).rows(begin, count);
        args.v = view(v, {tokens, heads, values}).rows(begin, count);
        args.logDecay = view(decay, {tokens, heads, keys}).rows(begin, count);
        args.beta = view(beta, {tokens, heads}).rows(begin, count);
        args.state = view(s, {heads, values, keys});
        args.out = view(out, {tokens, heads, values}).rows(begin, count);
        args.form = form;
        cpu::kda(args, pool);
    }

    template <typename Real>
    void reference(std::vector<Real>& s, std::vector<Real>& out) const {
        s.assign(state.begin(), state.end());
        out.assign(v.size(), 0);
        const auto at = [](int64_t i) { return static_cast<size_t>(i); };
        for (int64_t t = 0; t < tokens; ++t) {
            for (int64_t h = 0; h < heads; ++h) {
                for (int64_t row = 0; row < values; ++row) {
                    Real* line = s.data() + (h * values + row) * keys;
                    const int64_t base = (t * heads + h) * keys;
                    Real recalled = 0;
                    for (int64_t i = 0; i < keys; ++i) {
                        line[i] *= std::exp(Real{decay[at(base + i)]});
                        recalled += line[i] * k[at(base + i)];
                    }
                    const int64_t cell = (t * heads + h) * values + row;
                    const Real u = beta[at(t * heads + h)] * (v[at(cell)] - recalled);
                    for (int64_t i = 0; i < keys; ++i) {
                        line[i] += u * k[at(base + i)];
                        out[at(cell)] += line[i] * q[at(base + i)];
                    }
                }
            }
        }
    }
};

void expectMatches(const KdaCase& c, const std::vector<float>& state, const std::vector<float>& out,
                   const std::string& what) {
    const auto results = [&](auto pick) {
        return [&c, pick]<typename Real>(Real) {
            std::vector<Real> wantState;
            std::vector<Real> wantOut;
            c.reference(wantState, wantOut);
            return pick(wantState, wantOut);
        };
    };
    expectAsPlainLoops(out, results([](const auto&, const auto& o) { return o; }), what + ", outputs");
    expectAsPlainLoops(state, results([](const auto& s, const auto&) { return s; }), what + ", state");
}

TEST(Kda, EveryFormAndLengthMatchesDouble) {
    for (const int64_t tokens : {1, 2, 15, 16, 17, 63, 64, 65, 131}) {
        for (const float gateScale : {1e-8F, 0.05F, 1.0F, 5.0F, 1e4F}) {
            const KdaCase c(tokens, 3, 40, 24, gateScale);
            for (const Form form : {Form::kRecurrent, Form::kChunked, Form::kAuto}) {
                cpu::ThreadPool pool(2);
                auto state = c.state;
                std::vector<float> out(c.v.size());
                c.run(form, 0, tokens, state, out, pool);
                expectMatches(c, state, out, std::to_string(tokens) + " tokens, gates " + std::to_string(gateScale));
            }
        }
    }
}

TEST(Kda, OddSizes) {
    for (const auto& [keys, values] : std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {5, 9}, {33, 7}, {128, 100}}) {
        const KdaCase c(37, 2, keys, values, 0.5F);
        for (const Form form : {Form::kRecurrent, Form::kChunked}) {
            cpu::ThreadPool pool(3);
            auto state = c.state;
            std::vector<float> out(c.v.size());
            c.run(form, 0, 37, state, out, pool);
            expectMatches(c, state, out, std::to_string(keys) + " x " + std::to_string(values));
        }
    }
}

TEST(Kda, ExtremeGatesMixedInOneTile) {
    KdaCase c(40, 2, 16, 24, 1.0F);
    const float extremes[] = {0.0F, -5.0F, -1e4F, -1e-8F, -87.0F, -0.5F, -1e30F, -20.0F};
    for (size_t i = 0; i < c.decay.size(); ++i) c.decay[i] = extremes[(i * 7 + i / 16) % 8];
    for (const Form form : {Form::kRecurrent, Form::kChunked}) {
        cpu::ThreadPool pool(1);
        auto state = c.state;
        std::vector<float> out(c.v.size());
        c.run(form, 0, c.tokens, state, out, pool);
        expectMatches(c, state, out, "extreme gates");
    }
}

TEST(Kda, SplitsContinueTheSequence) {
    const KdaCase c(100, 2, 24, 40, 0.3F);
    for (const int64_t first : {1, 3, 16, 33, 64, 99}) {
        cpu::ThreadPool pool(2);
        auto state = c.state;
        std::vector<float> out(c.v.size());
        c.run(Form::kChunked, 0, first, state, out, pool);
        c.run(Form::kRecurrent, first, 100 - first, state, out, pool);
        expectMatches(c, state, out, "split after " + std::to_string(first));
    }
}

TEST(Kda, ThreadCountChangesNoBit) {
    const KdaCase c(70, 2, 48, 96, 0.3F);
    for (const Form form : {Form::kRecurrent, Form::kChunked}) {
        std::vector<std::vector<float>> outs;
        std::vector<std::vector<float>> states;
        for (const int threads : {1, 2, 5}) {
            cpu::ThreadPool pool(threads);
            states.push_back(c.state);
            outs.emplace_back(c.v.size());
            c.run(form, 0, 70, states.back(), outs.back(), pool);
        }
        EXPECT_EQ(outs[0], outs[1]);
        EXPECT_EQ(outs[0], outs[2]);
        EXPECT_EQ(states[0], states[1]);
        EXPECT_EQ(states[0], states[2]);
    }
}

}  // namespace
}  // namespace pal
