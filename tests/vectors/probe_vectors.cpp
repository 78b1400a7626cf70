// SPDX-License-Identifier: Apache-2.0
// What ops report when somebody looks (kernels/api/probe_args.h): kdaMixer and sigmoidGate against the formulas in double, with float32 activations and
// with the backend's own, and the same results bit for bit as when nobody does. Heads, tokens and the two widths all differ.
#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/oracle/dense_oracle.h"
#include "tests/oracle/kda_oracle.h"
#include "tests/vectors/bf16_support.h"

namespace pal::vectors {
namespace {

constexpr float kNormEps = 1e-6F;
constexpr int64_t kTaps = 4;

template <typename Real>
Mat<Real> as(const Mat<double>& m) {
    Mat<Real> out(m.rows, m.cols);
    std::transform(m.v.begin(), m.v.end(), out.v.begin(), [](double x) { return static_cast<Real>(x); });
    return out;
}
template <typename Real>
std::vector<Real> as(const std::vector<double>& v) {
    return {v.begin(), v.end()};
}

template <typename Real>
Mat<Real> columns(const Mat<Real>& m, int64_t first, int64_t count) {
    Mat<Real> part(m.rows, count);
    for (int64_t r = 0; r < m.rows; ++r) std::copy_n(m.row(r) + first, count, part.row(r));
    return part;
}

template <typename Real>
Mat<Real> lastRows(const Mat<Real>& m, int64_t count) {
    Mat<Real> out(count, m.cols);
    std::copy(m.v.end() - count * m.cols, m.v.end(), out.v.begin());
    return out;
}

// Each head's values at the next head.
Mat<double> headsMoved(const Mat<double>& m, int64_t heads) {
    Mat<double> out = m;
    for (int64_t r = 0; r < m.rows; ++r) std::rotate(out.row(r), out.row(r) + m.cols / heads, out.row(r) + m.cols);
    return out;
}

// Logarithms, in which long half-lives do not hide the short ones.
template <typename Real>
Mat<Real> logs(Mat<Real> m) {
    for (Real& x : m.v) x = std::log(x);
    return m;
}

// The nearest-rank quantiles of ln 2 / -g over a head's channels, [T, h * 5].
template <typename Real>
Mat<Real> halfLivesOf(const Mat<Real>& decay, int64_t heads) {
    const int64_t keys = decay.cols / heads;
    Mat<Real> out(decay.rows, heads * std::ssize(kProbePercents));
    auto to = out.v.begin();
    for (int64_t row = 0; row < decay.rows * heads; ++row) {
        std::vector<Real> lives(decay.v.begin() + row * keys, decay.v.begin() + (row + 1) * keys);
        for (Real& x : lives) x = std::log(Real(2)) / -x;
        std::sort(lives.begin(), lives.end());
        for (const int64_t percent : kProbePercents) {
            const auto rank =
                static_cast<int64_t>(std::ceil(static_cast<double>(keys) * static_cast<double>(percent) / 100 - 1e-9));
            *to++ = lives[static_cast<size_t>(rank - 1)];
        }
    }
    return out;
}

// Mean of the open gate, share of channels below 0.1, share above 0.9 per head, [T, h * 3].
template <typename Real>
Mat<Real> opennessOf(const Mat<Real>& gate, int64_t heads) {
    const int64_t width = gate.cols / heads;
    Mat<Real> out(gate.rows, heads * kOpennessValues);
    for (int64_t row = 0; row < gate.rows * heads; ++row) {
        Real* to = out.v.data() + row * kOpennessValues;
        for (int64_t c = row * width; c < (row + 1) * width; ++c) {
            const Real open = oracle::sigmoid(gate.v[static_cast<size_t>(c)]);
            to[0] += open;
            to[1] += open < Real(0.1) ? Real(1) : Real(0);
            to[2] += open > Real(0.9) ? Real(1) : Real(0);
        }
        for (int i = 0; i < kOpennessValues; ++i) to[i] /= static_cast<Real>(width);
    }
    return out;
}

struct LookedMixer {
    int64_t heads, keys, values;
    std::optional<double> bound;
    Mat<double> qkv, conv, tail, z, betaLogits, state, gate;
    std::vector<double> aLog, dtBias, norm;
};

// Activations hold in bfloat16, so that both types see the same. Every head has gates, decays and a state of its own size.
LookedMixer lookedMixer(Random& random, int64_t tokens, int64_t keys, int64_t values, std::optional<double> bound) {
    constexpr int64_t kHeads = 6;
    const int64_t width = kHeads * (2 * keys + values);
    LookedMixer in{kHeads,
                   keys,
                   values,
                   bound,
                   roundedToBf16(random.mat(tokens, width, -2, 2)),
                   random.mat(width, kTaps, -0.5, 0.5),
                   roundedToBf16(random.mat(kTaps - 1, width, -2, 2)),
                   roundedToBf16(random.mat(tokens, kHeads * keys, -3, 3)),
                   roundedToBf16(random.mat(tokens, kHeads, -4, 4)),
                   random.mat(kHeads * values, keys, -0.5, 0.5),
                   roundedToBf16(random.mat(tokens, kHeads * values, -1, 1)),
                   random.vec(kHeads, -1, 1),
                   random.vec(kHeads * keys, -4, 1),
                   random.vec(values, 0.5, 1.5)};
    for (int64_t t = 0; t < tokens; ++t) {
        for (int64_t c = 0; c < in.gate.cols; ++c) in.gate.at(t, c) *= static_cast<double>(1 + c / values + t % 3);
    }
    in.gate = roundedToBf16(in.gate);
    for (int64_t row = 0; row < in.state.rows; ++row) {
        for (int64_t c = 0; c < keys; ++c) {
            in.state.at(row, c) =
                static_cast<double>(static_cast<float>(in.state.at(row, c) * static_cast<double>(1 + row / values)));
        }
    }
    return in;
}

// What a look should tell of all tokens. `round`: what a backend does to the results of the convolution and of the norms of queries and keys, which single
// ops store: a write is made of keys so rounded.
template <typename Real>
struct Looked {
    Mat<Real> halfLife, write, stateNorm, openness;

    template <typename Round>
    Looked(const LookedMixer& in, const Round& round, oracle::Wrong wrong = oracle::Wrong::kNone) {
        Mat<Real> tail = as<Real>(in.tail);
        Mat<Real> state = as<Real>(in.state);
        const Mat<Real> mixed = round(oracle::shortConv(as<Real>(in.qkv), as<Real>(in.conv), tail));
        const int64_t width = in.heads * in.keys;
        std::optional<Real> bound;
        if (in.bound) bound = static_cast<Real>(*in.bound);
        const auto decay = oracle::kdaLogDecay(as<Real>(in.z), as<Real>(in.aLog), as<Real>(in.dtBias), bound);
        Mat<Real> beta = as<Real>(in.betaLogits);
        for (Real& x : beta.v) x = oracle::sigmoid(x);
        const Real scale = 1 / std::sqrt(static_cast<Real>(in.keys));
        oracle::KdaWrites<Real> writes;
        oracle::kdaRecurrence(
            round(oracle::l2Norm(columns(mixed, 0, width), in.keys, static_cast<Real>(kNormEps), scale)),
            round(oracle::l2Norm(columns(mixed, width, width), in.keys, static_cast<Real>(kNormEps), Real(1))),
            columns(mixed, 2 * width, in.heads * in.values), decay, beta, state, wrong, &writes);
        halfLife = logs(halfLivesOf(decay, in.heads));
        write = writes.write;
        stateNorm = writes.stateNorm;
        openness = opennessOf(as<Real>(in.gate), in.heads);
    }
};

class Looking : public OpTest {
  protected:
    [[nodiscard]] std::vector<DType> activations() {
        std::vector<DType> types{DType::kF32};
        if (backend().info().activation == DType::kBF16) types.push_back(DType::kBF16);
        return types;
    }
    Device act(DType type, const Mat<double>& values) {
        return type == DType::kBF16 ? Device::bf16(backend(), values) : Device(backend(), values);
    }
    Device poisoned(DType type, int64_t rows, int64_t cols) {
        Mat<double> nan(rows, cols);
        std::fill(nan.v.begin(), nan.v.end(), std::nan(""));
        return act(type, nan);
    }

    struct Output {
        Mat<double> out, state, tail;                      // of the op
        Mat<double> halfLife, write, stateNorm, openness;  // of the look
    };
    // probed: P, 0 to let nobody look.
    Output run(const LookedMixer& in, DType type, int64_t probed) {
        const int64_t tokens = in.qkv.rows;
        const int64_t rows = std::max<int64_t>(probed, 1);
        const Device qkv = act(type, in.qkv);
        const Vector conv(backend(), in.conv.v);
        const Device tail = act(type, in.tail);
        const Device z = act(type, in.z);
        const Device logits = act(type, in.betaLogits);
        const Vector aLog(backend(), in.aLog);
        const Vector dtBias(backend(), in.dtBias);
        const Vector norm(backend(), in.norm);
        const Device state(backend(), in.state);
        const Device gate = act(type, in.gate);
        const Device out = poisoned(type, tokens, in.gate.cols);
        const Device convolved = poisoned(type, tokens, in.qkv.cols);
        const Device logDecay(backend(), tokens, in.z.cols);
        const Device beta(backend(), tokens, in.heads);
        const Device halfLife(backend(), rows, in.heads * std::ssize(kProbePercents));
        const Device write(backend(), rows, in.heads);
        const Device stateNorm(backend(), rows, in.heads);
        const Device openness(backend(), rows, in.heads * kOpennessValues);
        KdaMixerArgs args;
        args.qkv = qkv.view();
        args.conv = conv.data();
        args.taps = kTaps;
        args.tail = tail.view();
        args.normEps = kNormEps;
        args.z = z.heads(in.heads);
        args.betaLogits = logits.view();
        args.aLog = aLog.data();
        args.dtBias = dtBias.data();
        if (in.bound) args.lowerBound = static_cast<float>(*in.bound);
        args.state = TensorView(state.view().data, DType::kF32, {in.heads, in.values, in.keys});
        args.outWeight = norm.data();
        args.outEps = 1e-5F;
        args.gate = gate.heads(in.heads);
        args.out = out.heads(in.heads);
        args.convolved = convolved.view();
        args.logDecay = logDecay.heads(in.heads);
        args.beta = beta.view();
        if (probed > 0) {
            args.halfLife = halfLife.heads(in.heads);
            args.openness = openness.heads(in.heads);
            if (tellsRule(tokens)) args.probe = {write.view(), stateNorm.view()};
        }
        backend().kdaMixer(args);
        finish();
        return {out.read(),   state.read(),     tail.read(),    logs(halfLife.read()),
                write.read(), stateNorm.read(), openness.read()};
    }
    [[nodiscard]] bool tellsRule(int64_t tokens) { return tokens <= backend().info().probes.ruleTokens; }
};
PAL_ON_EVERY_BACKEND(Looking);

void expectLooked(const std::string& what, const Mat<double>& got, const Mat<double>& truth, const Mat<float>& naive,
                  int64_t heads) {
    const Mat<double> want = lastRows(truth, got.rows);
    const Mat<float> near = lastRows(naive, got.rows);
    expectWithin(what, got, want, near);
    expectTellsApart(what + ", the next head's", got, want, near, headsMoved(want, heads));
    if (truth.rows == got.rows) return;
    Mat<double> first(got.rows, got.cols);
    std::copy_n(truth.v.begin(), first.v.size(), first.v.begin());
    expectTellsApart(what + ", the first tokens'", got, want, near, first);
}

// The last token's norms are those of the state that the op left, however its activations were rounded on the way.
template <typename Real>
Mat<Real> normsOf(const Mat<Real>& state, int64_t heads) {
    Mat<Real> out(1, heads);
    for (int64_t row = 0; row < state.rows; ++row) {
        Real& sum = out.v[static_cast<size_t>(row / (state.rows / heads))];
        for (int64_t c = 0; c < state.cols; ++c) sum += state.at(row, c) * state.at(row, c);
    }
    for (Real& x : out.v) x = std::sqrt(x);
    return out;
}

TEST_P(Looking, TheMixerTellsWhatItDid) {
    Random random(81);
    const BackendInfo info = backend().info();
    ASSERT_TRUE(info.probes.halfLife && info.probes.openness && info.probes.ruleTokens >= 1);
    for (const auto& [keys, values] : {std::pair<int64_t, int64_t>{24, 40}, {64, 64}, {128, 128}}) {
        for (const auto bound : {std::optional(-5.0), std::optional<double>()}) {
            for (const int64_t tokens : {1, 5, 67}) {
                const LookedMixer in = lookedMixer(random, tokens, keys, values, bound);
                const Looked<double> truth(in, [](const Mat<double>& m) { return m; });
                const Looked<double> undecayed(
                    in, [](const Mat<double>& m) { return m; }, oracle::Wrong::kUndecayedDelta);
                for (const DType type : activations()) {
                    const Looked<float> naive(
                        in, [&](const Mat<float>& m) { return type == DType::kBF16 ? rounded(m) : m; });
                    const Output plain = run(in, type, 0);
                    for (const int64_t probed : {int64_t{1}, std::min<int64_t>(tokens, 3)}) {
                        const auto what = fmt::format("{} K {} V {} T {} P {} bounded {}", dtypeName(type), keys,
                                                      values, tokens, probed, bound.has_value());
                        const Output got = run(in, type, probed);
                        EXPECT_EQ(got.out.v, plain.out.v) << what;
                        EXPECT_EQ(got.state.v, plain.state.v) << what;
                        EXPECT_EQ(got.tail.v, plain.tail.v) << what;
                        expectLooked(what + " half-life", got.halfLife, truth.halfLife, naive.halfLife, in.heads);
                        expectLooked(what + " openness", got.openness, truth.openness, naive.openness, in.heads);
                        if (!tellsRule(tokens)) continue;
                        expectLooked(what + " write", got.write, truth.write, naive.write, in.heads);
                        expectTellsApart(what + " write, of a state not yet decayed", got.write,
                                         lastRows(truth.write, probed), lastRows(naive.write, probed),
                                         lastRows(undecayed.write, probed));
                        expectLooked(what + " state", lastRows(got.stateNorm, 1), normsOf(got.state, in.heads),
                                     normsOf(toFloat(got.state), in.heads), in.heads);
                        if (type == DType::kF32)
                            expectLooked(what + " states", got.stateNorm, truth.stateNorm, naive.stateNorm, in.heads);
                    }
                }
            }
        }
    }
}

TEST_P(Looking, TheGateTellsHowOpenItIs) {
    Random random(82);
    constexpr int64_t kHeads = 5;
    for (const int64_t width : {24, 77, 128, 600}) {
        for (const int64_t tokens : {1, 4}) {
            const Mat<double> x = roundedToBf16(random.mat(tokens, kHeads * width, -2, 2));
            Mat<double> gate = random.mat(tokens, kHeads * width, -1, 1);
            for (int64_t t = 0; t < tokens; ++t) {
                for (int64_t c = 0; c < gate.cols; ++c) gate.at(t, c) *= static_cast<double>(1 + c / width + 2 * t);
            }
            gate = roundedToBf16(gate);
            const auto truth = opennessOf(gate, kHeads);
            const auto naive = opennessOf(as<float>(gate), kHeads);
            for (const DType type : activations()) {
                const Device input = act(type, x);
                const Device gates = act(type, gate);
                const Device plain = poisoned(type, tokens, x.cols);
                backend().sigmoidGate({input.view(), gates.view(), plain.view(), {}, {}});
                for (const int64_t probed : {int64_t{1}, tokens}) {
                    const Device looked = poisoned(type, tokens, x.cols);
                    const Device openness(backend(), probed, kHeads * kOpennessValues);
                    backend().sigmoidGate({input.view(), gates.view(), looked.view(), {}, openness.heads(kHeads)});
                    finish();
                    const auto what = fmt::format("{} width {} T {} P {}", dtypeName(type), width, tokens, probed);
                    EXPECT_EQ(looked.read().v, plain.read().v) << what;
                    expectLooked(what, openness.read(), truth, naive, kHeads);
                }
            }
        }
    }
}

}  // namespace
}  // namespace pal::vectors
