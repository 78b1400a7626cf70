// SPDX-License-Identifier: Apache-2.0
// What ops report of their work, against the formulas in double, and that they do the same work with somebody looking, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "kernels/cpu/dense.h"
#include "kernels/cpu/kda.h"
#include "kernels/cpu/mla.h"
#include "kernels/cpu/rank_rows.h"
#include "kernels/cpu/thread_pool.h"
#include "tests/oracle/kda_oracle.h"
#include "tests/oracle/mla_oracle.h"
#include "tests/unit/kernel_test_support.h"

namespace pal {
namespace {

using oracle::Mat;
using testing::expectAsPlainLoops;
using testing::normalFloats;
using testing::view;

template <typename Real>
Mat<Real> matrix(const std::vector<float>& values, int64_t rows) {
    Mat<Real> out(rows, std::ssize(values) / rows);
    std::copy(values.begin(), values.end(), out.v.begin());
    return out;
}

// Log decay of one channel of a head with aLog 0 and no bias, bounded by -5: the z that gives alpha.
float boundedZ(double alpha) {
    const double share = std::log(alpha) / -5.0;
    return static_cast<float>(std::log(share / (1 - share)));
}

TEST(HalfLife, IsRightAtKnownDecays) {
    // One channel each, so that every quantile is that channel's; -5 sigmoid(z) reaches e^-5 with z -> inf.
    const std::vector<double> alphas{std::exp(-5.0), 0.9, 0.99, 0.9999};
    const std::vector<double> wanted{0.138629, 6.578813, 68.967563, 6931.125};  // ln 2 / -ln alpha
    std::vector<float> z{60.0F};
    for (size_t i = 1; i < alphas.size(); ++i) z.push_back(boundedZ(alphas[i]));
    const auto heads = static_cast<int64_t>(alphas.size());
    const std::vector<float> zeros(alphas.size(), 0.0F);
    std::vector<float> decay(z.size());
    std::vector<float> beta(z.size());
    std::vector<float> halfLife(z.size() * 5);
    cpu::ThreadPool pool(1);
    cpu::kdaGate({view(z, {1, heads, 1}), view(std::as_const(zeros), {1, heads}), zeros.data(), zeros.data(), -5.0F,
                  view(decay, {1, heads, 1}), view(beta, {1, heads}), view(halfLife, {1, heads, 5})},
                 pool);
    for (size_t head = 0; head < alphas.size(); ++head) {
        for (size_t q = 0; q < 5; ++q) EXPECT_NEAR(halfLife[head * 5 + q] / wanted[head], 1, 2e-5) << alphas[head];
    }
}

TEST(HalfLife, QuantilesAreNearestRanksOfTheLastTokens) {
    constexpr int64_t kTokens = 4;
    constexpr int64_t kHeads = 3;
    for (const int64_t width : {1, 10, 64, 77, 128}) {
        const auto z = normalFloats(kTokens * kHeads * width, 31, 4);
        const auto logits = normalFloats(kTokens * kHeads, 32);
        const auto aLog = normalFloats(kHeads, 33);
        const auto bias = normalFloats(kHeads * width, 34);
        std::vector<float> decay(z.size());
        std::vector<float> beta(logits.size());
        for (const int64_t probed : {1, 3}) {
            std::vector<float> halfLife(static_cast<size_t>(probed * kHeads * 5));
            cpu::ThreadPool pool(2);
            cpu::kdaGate({view(z, {kTokens, kHeads, width}), view(logits, {kTokens, kHeads}), aLog.data(), bias.data(),
                          std::nullopt, view(decay, {kTokens, kHeads, width}), view(beta, {kTokens, kHeads}),
                          view(halfLife, {probed, kHeads, 5})},
                         pool);
            const float* got = halfLife.data();
            for (int64_t row = (kTokens - probed) * kHeads; row < kTokens * kHeads; ++row) {
                std::vector<double> lives;
                for (int64_t i = 0; i < width; ++i)
                    lives.push_back(std::log(2.0) / -double{decay[static_cast<size_t>(row * width + i)]});
                std::sort(lives.begin(), lives.end());
                for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9}) {
                    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(width) - 1e-9)) - 1;
                    EXPECT_NEAR(*got++ / lives[rank], 1, 1e-6) << width << " " << share;
                }
            }
        }
    }
}

TEST(HalfLife, AChannelThatForgetsNothingHasTheLongest) {
    // e^-(z) underflows for such z, so that the unbounded decay is 0.
    const std::vector<float> z(8, -200.0F);
    const std::vector<float> zeros(8, 0.0F);
    std::vector<float> decay(8);
    std::vector<float> beta(1);
    std::vector<float> halfLife(5);
    cpu::ThreadPool pool(1);
    cpu::kdaGate({view(z, {1, 1, 8}), view(std::as_const(zeros), {1, 1}), zeros.data(), zeros.data(), std::nullopt,
                  view(decay, {1, 1, 8}), view(beta, {1, 1}), view(halfLife, {1, 1, 5})},
                 pool);
    EXPECT_EQ(halfLife, std::vector<float>(5, kLongestProbeHalfLife));
}

// mean, share below 0.1, share above 0.9 of each row of `width` gates.
std::vector<float> opennessOf(const std::vector<float>& gate, size_t width) {
    std::vector<float> out;
    for (size_t row = 0; row < gate.size(); row += width) {
        double mean = 0;
        double closed = 0;
        double open = 0;
        for (size_t i = row; i < row + width; ++i) {
            const double value = 1 / (1 + std::exp(-double{gate[i]}));
            mean += value;
            closed += value < 0.1 ? 1 : 0;
            open += value > 0.9 ? 1 : 0;
        }
        for (const double sum : {mean, closed, open})
            out.push_back(static_cast<float>(sum / static_cast<double>(width)));
    }
    return out;
}

TEST(Openness, OfBothGatedOps) {
    constexpr int64_t kTokens = 3;
    constexpr int64_t kHeads = 2;
    for (const int64_t width : {5, 64, 77}) {
        const auto x = normalFloats(kTokens * kHeads * width, 41);
        const auto gate = normalFloats(kTokens * kHeads * width, 42, 3);
        const auto weight = normalFloats(width, 43);
        const std::vector<float> want = opennessOf(gate, static_cast<size_t>(width));
        std::vector<float> out(x.size());
        cpu::ThreadPool pool(2);
        std::vector<float> all(want.size());
        cpu::gatedRmsNorm(
            {view(x, {kTokens, kHeads, width}), weight.data(), 1e-5F, view(gate, {kTokens, kHeads, width}),
             view(out, {kTokens, kHeads, width}), TensorView(), view(all, {kTokens, kHeads, 3})},
            pool);
        std::vector<float> last(kHeads * 3);
        cpu::sigmoidGate({view(x, {kTokens, kHeads * width}), view(gate, {kTokens, kHeads * width}),
                          view(out, {kTokens, kHeads * width}), TensorView(), view(last, {1, kHeads, 3})},
                         pool);
        for (size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(all[i], want[i], 1e-6F) << width;
        for (size_t i = 0; i < last.size(); ++i)
            EXPECT_NEAR(last[i], want[want.size() - last.size() + i], 1e-6F) << width;
    }
}

struct Rule {
    int64_t tokens;
    int64_t heads = 3;
    int64_t keys;
    int64_t values;
    std::vector<float> q, k, v, decay, beta, state;

    Rule(int64_t t, int64_t keyDim, int64_t valueDim) : tokens(t), keys(keyDim), values(valueDim) {
        k = normalFloats(t * heads * keys, 52);
        q = normalFloats(t * heads * keys, 51);
        v = normalFloats(t * heads * values, 53);
        decay = normalFloats(t * heads * keys, 54);
        beta = normalFloats(t * heads, 55);
        state = normalFloats(heads * values * keys, 56);
        for (float& g : decay) g = -std::abs(g);
        for (float& b : beta) b = 1 / (1 + std::exp(-b));
        for (int64_t row = 0; row < t * heads; ++row) {
            const auto begin = k.begin() + row * keys;
            const float norm = std::sqrt(std::inner_product(begin, begin + keys, begin, 0.0F));
            std::for_each(begin, begin + keys, [norm](float& x) { x /= norm; });
        }
    }

    struct Out {
        std::vector<float> out, state, write, norm;
    };
    [[nodiscard]] Out run(KdaArgs::Form form, int64_t probed, int threads) const {
        Out r{std::vector<float>(v.size()), state, std::vector<float>(static_cast<size_t>(probed * heads)),
              std::vector<float>(static_cast<size_t>(probed * heads))};
        cpu::ThreadPool pool(threads);
        KdaArgs args{view(q, {tokens, heads, keys}),       view(k, {tokens, heads, keys}),
                     view(v, {tokens, heads, values}),     view(decay, {tokens, heads, keys}),
                     view(beta, {tokens, heads}),          view(r.state, {heads, values, keys}),
                     view(r.out, {tokens, heads, values}), form};
        if (probed > 0) args.probe = {view(r.write, {probed, heads}), view(r.norm, {probed, heads})};
        cpu::kda(args, pool);
        return r;
    }
    template <typename Real>
    [[nodiscard]] oracle::KdaWrites<Real> writes() const {
        Mat<Real> s = matrix<Real>(state, heads * values);
        oracle::KdaWrites<Real> out;
        oracle::kdaRecurrence(matrix<Real>(q, tokens), matrix<Real>(k, tokens), matrix<Real>(v, tokens),
                              matrix<Real>(decay, tokens), matrix<Real>(beta, tokens), s, oracle::Wrong::kNone, &out);
        return out;
    }
};

TEST(KdaProbe, EveryFormSaysWhatTheRuleDid) {
    using Form = KdaArgs::Form;
    for (const Form form : {Form::kRecurrent, Form::kChunked}) {
        for (const int64_t tokens : {1, 5, 37}) {
            for (const int64_t probed : {int64_t{1}, tokens}) {
                const Rule rule(tokens, 24, 40);
                const Rule::Out got = rule.run(form, probed, 2);
                const auto lastRows = [&](const auto& rows) {
                    return std::vector(rows.end() - probed * rule.heads, rows.end());
                };
                expectAsPlainLoops(got.write,
                                   [&]<typename Real>(Real) { return lastRows(rule.writes<Real>().write.v); });
                expectAsPlainLoops(got.norm,
                                   [&]<typename Real>(Real) { return lastRows(rule.writes<Real>().stateNorm.v); });
            }
        }
    }
}

TEST(KdaProbe, ChangesNoBitOfTheResult) {
    using Form = KdaArgs::Form;
    for (const Form form : {Form::kRecurrent, Form::kChunked}) {
        for (const int64_t width : {24, 29, 128}) {
            const Rule rule(21, width, width + 16);
            const Rule::Out plain = rule.run(form, 0, 1);
            for (const int64_t probed : {1, 21}) {
                const Rule::Out looked = rule.run(form, probed, 3);
                EXPECT_EQ(looked.out, plain.out);
                EXPECT_EQ(looked.state, plain.state);
            }
        }
    }
}

// Half-lives and gates looked at along with the rule are those that the ops before and behind it tell, with other widths of keys and values.
TEST(KdaProbe, ALookBesideTheRuleTellsWhatTheGatesTell) {
    using Form = KdaArgs::Form;
    constexpr int64_t kHeads = 3, kKeys = 24, kValues = 40;
    for (const Form form : {Form::kRecurrent, Form::kChunked}) {
        for (const auto& [tokens, probed] : {std::pair<int64_t, int64_t>{1, 1}, {5, 2}, {37, 1}}) {
            const auto z = normalFloats(tokens * kHeads * kKeys, 61);
            const auto gate = normalFloats(tokens * kHeads * kValues, 62, 3);
            const auto betaLogits = normalFloats(tokens * kHeads, 63);
            const auto aLog = normalFloats(kHeads, 64);
            const auto bias = normalFloats(kHeads * kKeys, 65);
            const auto weight = normalFloats(kValues, 66);
            const auto floats = [](int64_t count) { return std::vector<float>(static_cast<size_t>(count)); };
            auto decay = floats(tokens * kHeads * kKeys), beta = floats(tokens * kHeads);
            auto lives = floats(probed * kHeads * 5), open = floats(probed * kHeads * 3);
            auto out = floats(tokens * kHeads * kValues);
            cpu::ThreadPool pool(2);
            cpu::kdaGate(
                {view(z, {tokens, kHeads, kKeys}), view(betaLogits, {tokens, kHeads}), aLog.data(), bias.data(), -5.0F,
                 view(decay, {tokens, kHeads, kKeys}), view(beta, {tokens, kHeads}), view(lives, {probed, kHeads, 5})},
                pool);
            const Rule rule(tokens, kKeys, kValues);
            auto state = rule.state;
            auto seenLives = floats(probed * kHeads * 5), seenOpen = floats(probed * kHeads * 3);
            const cpu::KdaLook look{view(std::as_const(decay), {tokens, kHeads, kKeys}),
                                    view(seenLives, {probed, kHeads, 5}), view(gate, {tokens, kHeads, kValues}),
                                    view(seenOpen, {probed, kHeads, 3})};
            cpu::kda({view(rule.q, {tokens, kHeads, kKeys}), view(rule.k, {tokens, kHeads, kKeys}),
                      view(rule.v, {tokens, kHeads, kValues}), view(std::as_const(decay), {tokens, kHeads, kKeys}),
                      view(std::as_const(beta), {tokens, kHeads}), view(state, {kHeads, kValues, kKeys}),
                      view(out, {tokens, kHeads, kValues}), form},
                     look, pool);
            cpu::gatedRmsNorm({view(std::as_const(out), {tokens, kHeads, kValues}), weight.data(), 1e-5F,
                               view(gate, {tokens, kHeads, kValues}), view(out, {tokens, kHeads, kValues}),
                               TensorView(), view(open, {probed, kHeads, 3})},
                              pool);
            EXPECT_EQ(seenLives, lives) << tokens;
            EXPECT_EQ(seenOpen, open) << tokens;
            EXPECT_NE(lives[0], 0.0F);
        }
    }
}

// Latent attention with its views; heads attend to different rows and regions do not end at pages.
struct Attention {
    static constexpr int64_t kHeads = 3, kNope = 24, kRope = 8, kValues = 40, kRank = 48;
    int64_t past, tokens;
    std::vector<float> q, kvB, rows;
    std::vector<std::vector<float>> storage;
    std::vector<void*> pages;

    Attention(int64_t pastRows, int64_t newRows) : past(pastRows), tokens(newRows) {
        q = normalFloats(tokens * kHeads * (kNope + kRope), 61, 1.5F);
        kvB = normalFloats(kHeads * (kNope + kValues) * kRank, 62, 0.4F);
        rows = normalFloats((past + tokens) * (kRank + kRope), 63);
        const int64_t width = kRank + kRope;
        for (int64_t row = 0; row < past + tokens; ++row) {
            if (row % kLatentPageTokens == 0)
                storage.emplace_back(static_cast<size_t>(kLatentPageTokens * width), 1e9F);
            std::copy_n(rows.begin() + row * width, width, storage.back().begin() + row % kLatentPageTokens * width);
        }
        for (auto& page : storage) pages.push_back(page.data());
    }

    struct Out {
        std::vector<float> out, mass, sink, entropy, topMass, rows;
        std::vector<int32_t> topKey;
    };
    [[nodiscard]] Out run(MlaAttentionArgs::Form form, const std::vector<int64_t>& ends, int64_t probed,
                          int threads = 2) const {
        const int64_t regions = std::ssize(ends) + 1;
        const auto floats = [&](int64_t count) { return std::vector<float>(static_cast<size_t>(count), -1.0F); };
        Out r{floats(tokens * kHeads * kValues),
              floats(probed * kHeads * regions),
              floats(probed * kHeads),
              floats(probed * kHeads),
              floats(probed * kTop),
              floats(probed * kHeads * (past + tokens)),
              std::vector<int32_t>(static_cast<size_t>(probed * kTop), -7)};
        MlaAttentionArgs args;
        args.q = view(q, {tokens, kHeads, kNope + kRope});
        args.kvB = {WeightFormat::kF32, kHeads * (kNope + kValues), kRank, kvB.data(), nullptr};
        args.nope = kNope;
        args.valueDim = kValues;
        args.cache = {pages, DType::kF32, kRank, kRope};
        args.past = past;
        args.scale = 1 / std::sqrt(static_cast<float>(kNope + kRope));
        args.out = view(r.out, {tokens, kHeads, kValues});
        args.form = form;
        if (probed > 0) {
            args.probe = {ends,
                          view(r.mass, {probed, kHeads, regions}),
                          view(r.sink, {probed, kHeads}),
                          view(r.entropy, {probed, kHeads}),
                          {r.topKey.data(), DType::kI32, {probed, kTop}},
                          view(r.topMass, {probed, kTop}),
                          view(r.rows, {probed, kHeads, past + tokens})};
        }
        cpu::ThreadPool pool(threads);
        cpu::mlaAttention(args, pool);
        return r;
    }

    // Attention of query t in double, [h, past + T].
    [[nodiscard]] Mat<double> probs(int64_t t) const {
        Mat<double> out;
        Mat<double> queries = matrix<double>(q, tokens);
        Mat<double> latent = matrix<double>(rows, past + tokens);
        queries.rows = t + 1;
        latent.rows = past + t + 1;
        oracle::mlaAttention(queries, latent, matrix<double>(kvB, kHeads * (kNope + kValues)),
                             {kHeads, kNope, kRope, kValues, kRank}, &out);
        return out;
    }
    static constexpr int64_t kTop = 6;
};

void expectProbe(const Attention& attention, const Attention::Out& got, const std::vector<int64_t>& ends,
                 int64_t probed) {
    const int64_t heads = Attention::kHeads;
    const int64_t regions = std::ssize(ends) + 1;
    const int64_t total = attention.past + attention.tokens;
    for (int64_t p = 0; p < probed; ++p) {
        const int64_t t = attention.tokens - probed + p;
        const Mat<double> want = attention.probs(t);
        std::vector<double> mean(static_cast<size_t>(want.cols));
        for (int64_t head = 0; head < heads; ++head) {
            const auto at = static_cast<size_t>(p * heads + head);
            std::vector<double> mass(static_cast<size_t>(regions));
            double entropy = 0;
            for (int64_t row = 0; row < want.cols; ++row) {
                const double x = want.at(head, row);
                const auto region = std::upper_bound(ends.begin(), ends.end(), row) - ends.begin();
                mass[static_cast<size_t>(region)] += x;
                entropy -= x > 0 ? x * std::log(x) : 0;
                mean[static_cast<size_t>(row)] += x / static_cast<double>(heads);
                EXPECT_NEAR(got.rows[at * static_cast<size_t>(total) + static_cast<size_t>(row)], x, 2e-6);
            }
            for (int64_t row = want.cols; row < total; ++row)
                EXPECT_EQ(got.rows[at * static_cast<size_t>(total) + static_cast<size_t>(row)], 0);
            double sum = 0;
            for (int64_t r = 0; r < regions; ++r) {
                const double share = got.mass[at * static_cast<size_t>(regions) + static_cast<size_t>(r)];
                EXPECT_NEAR(share, mass[static_cast<size_t>(r)], 4e-6) << "head " << head << " region " << r;
                sum += share;
            }
            EXPECT_NEAR(sum, 1, 2e-6);
            EXPECT_NEAR(got.sink[at], want.at(head, 0), 2e-6);
            EXPECT_NEAR(got.entropy[at], entropy, 2e-5);
        }
        std::vector<size_t> order(mean.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return mean[a] > mean[b]; });
        for (int64_t i = 0; i < Attention::kTop; ++i) {
            const auto at = static_cast<size_t>(p * Attention::kTop + i);
            if (i >= want.cols) {
                EXPECT_EQ(got.topKey[at], -1);
                EXPECT_EQ(got.topMass[at], 0);
                continue;
            }
            EXPECT_EQ(got.topKey[at], order[static_cast<size_t>(i)]);
            EXPECT_NEAR(got.topMass[at], mean[order[static_cast<size_t>(i)]], 2e-6);
        }
    }
}

TEST(MlaProbe, EveryFormSaysWhereItLooked) {
    using Form = MlaAttentionArgs::Form;
    struct Case {
        int64_t past, tokens;
        std::vector<int64_t> ends;
    };
    const std::vector<Case> cases{{0, 1, {}},
                                  {0, 3, {1, 2}},
                                  {63, 1, {5, 5, 64}},
                                  {700, 1, {1, 64, 65, 300, 640, 701}},
                                  {300, 9, {10, 20, 255, 256, 257, 5000}},
                                  {130, 40, {7, 77, 140}}};
    for (const Case& c : cases) {
        const Attention attention(c.past, c.tokens);
        for (const Form form : {Form::kAbsorbed, Form::kExpanded}) {
            for (const int64_t probed : {int64_t{1}, c.tokens}) {
                SCOPED_TRACE(std::to_string(c.past) + " + " + std::to_string(c.tokens) + " probed " +
                             std::to_string(probed) + (form == Form::kAbsorbed ? " absorbed" : " expanded"));
                expectProbe(attention, attention.run(form, c.ends, probed), c.ends, probed);
            }
        }
    }
}

TEST(MlaProbe, ChangesNoBitOfTheResult) {
    using Form = MlaAttentionArgs::Form;
    for (const Form form : {Form::kAbsorbed, Form::kExpanded}) {
        for (const int64_t tokens : {1, 50}) {
            const Attention attention(500, tokens);
            const Attention::Out plain = attention.run(form, {}, 0, 1);
            for (const int64_t probed : {int64_t{1}, tokens}) {
                EXPECT_EQ(attention.run(form, {100, 200}, probed, 3).out, plain.out);
            }
        }
    }
}

TEST(MlaProbe, ThreadCountChangesNoBit) {
    const Attention attention(900, 1);
    const Attention::Out one = attention.run(MlaAttentionArgs::Form::kAuto, {100, 500}, 1, 1);
    const Attention::Out three = attention.run(MlaAttentionArgs::Form::kAuto, {100, 500}, 1, 3);
    EXPECT_EQ(one.mass, three.mass);
    EXPECT_EQ(one.entropy, three.entropy);
    EXPECT_EQ(one.topMass, three.topMass);
    EXPECT_EQ(one.topKey, three.topKey);
}

}  // namespace
// Masses of many shapes: all different, few different (ties), all equal, ascending and descending; as many keys as rows, more, and few.
TEST(RankRows, AreInTheOrderOfAStableSort) {
    std::mt19937 random(7);
    cpu::Arena arena;
    for (const int64_t rows : {1, 15, 16, 17, 64, 129, 1000, 5003}) {
        for (const int shape : {0, 1, 2, 3, 4}) {
            std::vector<float> mass;
            for (int64_t i = 0; i < rows; ++i) {
                const auto drawn = static_cast<float>(random() % (shape == 1 ? 4 : 1U << 20));
                const float shapes[] = {drawn, drawn, 0.25F, static_cast<float>(i), static_cast<float>(rows - i)};
                mass.push_back(shapes[shape] / 1048576.0F);
            }
            std::vector<int32_t> order(mass.size());
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
                return mass[static_cast<size_t>(a)] > mass[static_cast<size_t>(b)];
            });
            for (const size_t k : {0U, 1U, 7U, 32U, 100U, 2000U}) {
                std::vector<int32_t> keys(k, -7);
                std::vector<float> masses(k, -7);
                cpu::rankRows(mass.data(), rows, 0.5F, keys, masses, arena);
                for (size_t i = 0; i < k; ++i) {
                    const bool there = i < order.size();
                    ASSERT_EQ(keys[i], there ? order[i] : -1) << rows << " rows, shape " << shape << ", place " << i;
                    ASSERT_EQ(masses[i], there ? 0.5F * mass[static_cast<size_t>(order[i])] : 0.0F);
                }
            }
        }
    }
}

}  // namespace pal
