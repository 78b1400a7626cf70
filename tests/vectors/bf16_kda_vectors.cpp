// SPDX-License-Identifier: Apache-2.0
// The delta rule and the KDA mixer on backends whose activations are bfloat16, as in bf16_vectors.cpp.
#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/oracle/dense_oracle.h"
#include "tests/oracle/kda_oracle.h"
#include "tests/vectors/bf16_support.h"

namespace pal::vectors {
namespace {

struct DeltaInputs {
    Mat<double> q, k, v, g, beta, state;
    int64_t heads, width;
};

DeltaInputs deltaInputs(Random& random, int64_t tokens, int64_t heads, int64_t width, double deepest) {
    const auto unit = [&](double scale) {
        return roundedToBf16(oracle::l2Norm(random.mat(tokens, heads * width), width, 1e-6, scale));
    };
    DeltaInputs in{unit(std::pow(static_cast<double>(width), -0.5)),
                   unit(1),
                   roundedToBf16(random.mat(tokens, heads * width, -2, 2)),
                   random.mat(tokens, heads * width, -deepest, 0),
                   random.mat(tokens, heads, 0.02, 0.98),
                   random.mat(heads * width, width, -0.5, 0.5),
                   heads,
                   width};
    return in;
}

// One head's chunk of up to 16 tokens with the roundings of the chunk form: its four scaled rows, A's solution, the writes, the scores, and the state
// where a product reads it.
class NaiveChunk {
  public:
    NaiveChunk(const DeltaInputs& in, int64_t head, int64_t t0)
        : in_(in), head_(head), t0_(t0), count_(std::min<int64_t>(16, in.q.rows - t0)), sums_(count_, in.width) {
        for (int64_t t = 0; t < count_; ++t) {
            for (int64_t c = 0; c < in.width; ++c) {
                sums_.at(t, c) = (t == 0 ? 0.0F : sums_.at(t - 1, c)) + value(in.g, t, c);
            }
        }
    }

    void run(Mat<float>& state, Mat<float>& out) const {
        const Mat<float> read = rounded(state);
        const Mat<float> writes = chunkWrites(read);
        for (int64_t t = 0; t < count_; ++t) {
            for (int64_t v = 0; v < in_.width; ++v) {
                float sum = 0;
                for (int64_t c = 0; c < in_.width; ++c) {
                    sum += one(value(in_.q, t, c) * std::exp(sums_.at(t, c))) * read.at(row(v), c);
                }
                for (int64_t j = 0; j <= t; ++j) sum += one(product(in_.q, t, j)) * writes.at(j, v);
                out.at(t0_ + t, head_ * in_.width + v) = sum;
            }
        }
        for (int64_t v = 0; v < in_.width; ++v) {
            for (int64_t c = 0; c < in_.width; ++c) {
                float& s = state.at(row(v), c);
                s *= std::exp(sums_.at(count_ - 1, c));
                for (int64_t j = 0; j < count_; ++j) {
                    s += writes.at(j, v) * one(value(in_.k, j, c) * std::exp(sums_.at(count_ - 1, c) - sums_.at(j, c)));
                }
            }
        }
    }

  private:
    static float one(float x) {
        Mat<float> m(1, 1);
        m.v[0] = x;
        return rounded(m).v[0];
    }
    [[nodiscard]] int64_t row(int64_t v) const { return head_ * in_.width + v; }
    [[nodiscard]] float value(const Mat<double>& m, int64_t t, int64_t c) const {
        return static_cast<float>(m.at(t0_ + t, head_ * in_.width + c));
    }
    // rows_t . (k_j exp(G_t - G_j)) from rounded factors, or from exact ones where exp(-G) would overflow.
    [[nodiscard]] float product(const Mat<double>& rows, int64_t t, int64_t j) const {
        const bool deep = *std::min_element(sums_.v.begin(), sums_.v.end()) < -80.0F;
        float sum = 0;
        for (int64_t c = 0; c < in_.width; ++c) {
            const float a = value(rows, t, c);
            const float b = value(in_.k, j, c);
            sum += deep ? a * b * std::exp(sums_.at(t, c) - sums_.at(j, c))
                        : one(a * std::exp(sums_.at(t, c))) * one(b * std::exp(-sums_.at(j, c)));
        }
        return sum;
    }
    [[nodiscard]] Mat<float> chunkWrites(const Mat<float>& read) const {
        Mat<float> wanted(count_, in_.width);
        Mat<float> solve(count_, count_);
        for (int64_t j = 0; j < count_; ++j) {
            for (int64_t t = j; t < count_; ++t) {
                float sum = t == j ? 1.0F : 0.0F;
                for (int64_t i = j; i < t; ++i) sum -= product(in_.k, t, i) * solve.at(i, j);
                solve.at(t, j) = static_cast<float>(in_.beta.at(t0_ + t, head_)) * sum;
            }
        }
        for (int64_t t = 0; t < count_; ++t) {
            for (int64_t v = 0; v < in_.width; ++v) {
                float sum = 0;
                for (int64_t c = 0; c < in_.width; ++c) {
                    sum += one(value(in_.k, t, c) * std::exp(sums_.at(t, c))) * read.at(row(v), c);
                }
                wanted.at(t, v) = value(in_.v, t, v) - sum;
            }
        }
        return rounded(oracle::linear(rounded(solve), transposed(rounded(wanted))));
    }
    static Mat<float> transposed(const Mat<float>& m) {
        Mat<float> out(m.cols, m.rows);
        for (int64_t r = 0; r < m.rows; ++r) {
            for (int64_t c = 0; c < m.cols; ++c) out.at(c, r) = m.at(r, c);
        }
        return out;
    }

    const DeltaInputs& in_;
    int64_t head_;
    int64_t t0_;
    int64_t count_;
    Mat<float> sums_;  // G
};

class DeltaRule : public Bf16 {
  protected:
    struct Output {
        Mat<double> out;
        Mat<double> state;
    };
    Output run(const DeltaInputs& in, KdaArgs::Form form) {
        const Device q = Device::bf16(backend(), in.q);
        const Device k = Device::bf16(backend(), in.k);
        const Device v = Device::bf16(backend(), in.v);
        const Device g(backend(), in.g);
        const Device beta(backend(), in.beta);
        const Device state(backend(), in.state);
        const Device out = poisoned(in.q.rows, in.q.cols);
        backend().kda({q.heads(in.heads), k.heads(in.heads), v.heads(in.heads), g.heads(in.heads), beta.view(),
                       TensorView(state.view().data, DType::kF32, {in.heads, in.width, in.width}), out.heads(in.heads),
                       form});
        finish();
        return {out.read(), state.read()};
    }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeltaRule);
INSTANTIATE_TEST_SUITE_P(Backends, DeltaRule, testing::ValuesIn(bf16Backends()), caseName);

TEST_P(DeltaRule, BothForms) {
    Random random(55);
    for (const int64_t width : {24, 64, 128}) {
        for (const double deepest : {0.01, 0.4, 5.0, 60.0}) {
            for (const int64_t tokens : {1, 15, 16, 64, 131}) {
                const DeltaInputs in = deltaInputs(random, tokens, 3, width, deepest);
                Mat<double> state = in.state;
                const auto truth = oracle::kdaRecurrence(in.q, in.k, in.v, in.g, in.beta, state);
                Mat<float> floatState = toFloat(in.state);
                const auto recurrent = oracle::kdaRecurrence(toFloat(in.q), toFloat(in.k), toFloat(in.v), toFloat(in.g),
                                                             toFloat(in.beta), floatState);
                Mat<float> chunkState = toFloat(in.state);
                Mat<float> chunked(tokens, in.q.cols);
                for (int64_t head = 0; head < in.heads; ++head) {
                    for (int64_t t = 0; t < tokens; t += 16) NaiveChunk(in, head, t).run(chunkState, chunked);
                }
                const auto what = fmt::format("kda K {} T {} decay to {}", width, tokens, deepest);
                const Output one = run(in, KdaArgs::Form::kRecurrent);
                expectWithin(what + " recurrent", one.out, truth, rounded(recurrent));
                expectWithin(what + " recurrent state", one.state, state, floatState);
                const Output many = run(in, KdaArgs::Form::kChunked);
                expectWithin(what + " chunked", many.out, truth, rounded(chunked));
                expectWithin(what + " chunked state", many.state, state, chunkState);
            }
        }
    }
}

Mat<double> columns(const Mat<double>& m, int64_t first, int64_t count) {
    Mat<double> part(m.rows, count);
    for (int64_t r = 0; r < m.rows; ++r) std::copy_n(m.row(r) + first, count, part.row(r));
    return part;
}

struct MixerInputs {
    int64_t heads, dim;
    std::optional<double> bound;
    Mat<double> qkv, conv, tail, z, betaLogits, state, gate;
    std::vector<double> aLog, dtBias, norm;
    [[nodiscard]] int64_t width() const { return heads * dim; }
};

MixerInputs mixerInputs(Random& random, int64_t tokens, int64_t heads, int64_t dim, std::optional<double> bound) {
    const int64_t width = heads * dim;
    const auto values = [&](int64_t rows, int64_t cols, double size) {
        return roundedToBf16(random.mat(rows, cols, -size, size));
    };
    return {heads,
            dim,
            bound,
            values(tokens, 3 * width, 2),
            random.mat(3 * width, 4, -0.5, 0.5),
            values(3, 3 * width, 2),
            values(tokens, width, 3),
            values(tokens, heads, 4),
            random.mat(width, dim, -0.5, 0.5),
            values(tokens, width, 4),
            random.vec(heads, -1, 1),
            random.vec(width, -4, 1),
            random.vec(dim, 0.5, 1.5)};
}

struct MixerOutput {
    Mat<double> out, state, tail;
};

Mat<double> betaOf(const Mat<double>& logits) {
    Mat<double> ones(logits.rows, logits.cols);
    std::fill(ones.v.begin(), ones.v.end(), 1.0);
    return oracle::sigmoidGate(ones, logits);
}

MixerOutput exactMixer(const MixerInputs& in) {
    MixerOutput result{{}, in.state, in.tail};
    const Mat<double> mixed = oracle::shortConv(in.qkv, in.conv, result.tail);
    const int64_t width = in.width();
    const double scale = std::pow(static_cast<double>(in.dim), -0.5);
    const double eps = static_cast<double>(1e-6F);
    const Mat<double> read = oracle::kdaRecurrence(
        oracle::l2Norm(columns(mixed, 0, width), in.dim, eps, scale),
        oracle::l2Norm(columns(mixed, width, width), in.dim, eps, 1.0), columns(mixed, 2 * width, width),
        oracle::kdaLogDecay(in.z, in.aLog, in.dtBias, in.bound), betaOf(in.betaLogits), result.state);
    result.out = oracle::gatedRmsNorm(read, in.norm, static_cast<double>(1e-5F), in.gate);
    return result;
}

// With the roundings of the single ops; long inputs in chunks.
struct RoundedMixer {
    Mat<float> out, state;
};
RoundedMixer roundedMixer(const MixerInputs& in) {
    const int64_t width = in.width();
    Mat<float> history = toFloat(in.tail);
    const Mat<double> mixed = toDouble(rounded(oracle::shortConv(toFloat(in.qkv), toFloat(in.conv), history)));
    const float scale = 1 / std::sqrt(static_cast<float>(in.dim));
    const auto unit = [&](int64_t first, float factor) {
        return toDouble(rounded(oracle::l2Norm(toFloat(columns(mixed, first, width)), in.dim, 1e-6F, factor)));
    };
    std::optional<float> bound;
    if (in.bound) bound = static_cast<float>(*in.bound);
    const DeltaInputs rule{unit(0, scale),
                           unit(width, 1),
                           columns(mixed, 2 * width, width),
                           toDouble(oracle::kdaLogDecay(toFloat(in.z), toFloat(in.aLog), toFloat(in.dtBias), bound)),
                           betaOf(in.betaLogits),
                           in.state,
                           in.heads,
                           in.dim};
    RoundedMixer result{{}, toFloat(in.state)};
    constexpr int64_t kChunkFrom = 32;
    Mat<float> read(in.qkv.rows, width);
    if (in.qkv.rows < kChunkFrom) {
        read = oracle::kdaRecurrence(toFloat(rule.q), toFloat(rule.k), toFloat(rule.v), toFloat(rule.g),
                                     toFloat(rule.beta), result.state);
    } else {
        for (int64_t head = 0; head < in.heads; ++head) {
            for (int64_t t = 0; t < read.rows; t += 16) NaiveChunk(rule, head, t).run(result.state, read);
        }
    }
    result.out = rounded(oracle::gatedRmsNorm(rounded(read), toFloat(in.norm), 1e-5F, toFloat(in.gate)));
    return result;
}

class Mixer : public Bf16 {
  protected:
    // Runs the op; with taps, its log decays into `decay`.
    MixerOutput run(const MixerInputs& in, Mat<double>* decay) {
        const int64_t tokens = in.qkv.rows;
        const int64_t width = in.width();
        const Device qkv = Device::bf16(backend(), in.qkv);
        const Vector conv(backend(), in.conv.v);
        const Device tail = Device::bf16(backend(), in.tail);
        const Device z = Device::bf16(backend(), in.z);
        const Device logits = Device::bf16(backend(), in.betaLogits);
        const Vector aLog(backend(), in.aLog);
        const Vector dtBias(backend(), in.dtBias);
        const Vector norm(backend(), in.norm);
        const Device state(backend(), in.state);
        const Device gate = Device::bf16(backend(), in.gate);
        const Device out = poisoned(tokens, width);
        const Device convolved = poisoned(tokens, 3 * width);
        const Device logDecay(backend(), tokens, width);
        const Device beta(backend(), tokens, in.heads);
        const Device decayTap(backend(), tokens, width);
        const Device betaTap(backend(), tokens, in.heads);
        const Device readTap = poisoned(tokens, width);
        const Device gateTap(backend(), tokens, width);
        KdaMixerArgs args;
        args.qkv = qkv.view();
        args.conv = conv.data();
        args.taps = 4;
        args.tail = tail.view();
        args.normEps = 1e-6F;
        args.z = z.heads(in.heads);
        args.betaLogits = logits.view();
        args.aLog = aLog.data();
        args.dtBias = dtBias.data();
        if (in.bound) args.lowerBound = static_cast<float>(*in.bound);
        args.state = TensorView(state.view().data, DType::kF32, {in.heads, in.dim, in.dim});
        args.outWeight = norm.data();
        args.outEps = 1e-5F;
        args.gate = gate.heads(in.heads);
        args.out = out.heads(in.heads);
        args.convolved = convolved.view();
        args.logDecay = logDecay.heads(in.heads);
        args.beta = beta.view();
        if (decay != nullptr) {
            args.decayTap = decayTap.heads(in.heads);
            args.betaTap = betaTap.view();
            args.readTap = readTap.heads(in.heads);
            args.gateTap = gateTap.heads(in.heads);
        }
        backend().kdaMixer(args);
        finish();
        if (decay != nullptr) *decay = decayTap.read();
        return {out.read(), state.read(), tail.read()};
    }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Mixer);
INSTANTIATE_TEST_SUITE_P(Backends, Mixer, testing::ValuesIn(bf16Backends()), caseName);

TEST_P(Mixer, EqualsTheSingleOps) {
    Random random(57);
    for (const int64_t dim : {24, 64, 128}) {
        for (const auto bound : {std::optional(-5.0), std::optional<double>()}) {
            for (const int64_t tokens : {1, 2, 33, 131}) {
                const MixerInputs in = mixerInputs(random, tokens, 3, dim, bound);
                const MixerOutput truth = exactMixer(in);
                const RoundedMixer naive = roundedMixer(in);
                const MixerOutput got = run(in, nullptr);
                const auto what = fmt::format("mixer K {} T {} bounded {}", dim, tokens, bound.has_value());
                expectWithin(what, got.out, truth.out, naive.out);
                expectWithin(what + " state", got.state, truth.state, naive.state);
                EXPECT_EQ(got.tail.v, truth.tail.v) << what;
                Mat<double> decay;
                const MixerOutput again = run(in, &decay);
                EXPECT_EQ(again.out.v, got.out.v) << what << ": a tap changes nothing";
                EXPECT_EQ(again.state.v, got.state.v) << what << ": a tap changes nothing";
                std::optional<float> floatBound;
                if (bound) floatBound = static_cast<float>(*bound);
                expectWithin(what + " decay", decay, oracle::kdaLogDecay(in.z, in.aLog, in.dtBias, bound),
                             oracle::kdaLogDecay(toFloat(in.z), toFloat(in.aLog), toFloat(in.dtBias), floatBound));
            }
        }
    }
}

}  // namespace
}  // namespace pal::vectors
