// SPDX-License-Identifier: Apache-2.0
// Backends whose activations are bfloat16: the ops that then take another path, on bfloat16 inputs. The plain loops they are measured against round
// where the published bf16 path rounds (float32 arithmetic, bfloat16 results of every named step).
#include <algorithm>

#include "tests/oracle/kda_oracle.h"
#include "tests/oracle/mla_oracle.h"
#include "tests/oracle/moe_oracle.h"
#include "tests/oracle/vision_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

std::vector<BackendCase> bf16Backends() {
    std::vector<BackendCase> cases = backendCases();
    std::erase_if(cases,
                  [](const BackendCase& entry) { return entry.make().backend->info().activation != DType::kBF16; });
    return cases;
}

Mat<float> rounded(Mat<float> m) {
    for (float& x : m.v) {
        const auto bits = std::bit_cast<uint32_t>(x);
        x = std::bit_cast<float>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
    }
    return m;
}

Mat<float> plus(Mat<float> a, const Mat<double>& b) {
    for (size_t i = 0; i < a.v.size(); ++i) a.v[i] += static_cast<float>(b.v[i]);
    return a;
}

// Products of 16 columns and the sum so far added exactly, the result cut to float32: how tensor cores accumulate.
Mat<float> cutLinear(const Mat<double>& x, const Mat<double>& w) {
    constexpr int64_t kStep = 16;
    Mat<float> y(x.rows, w.rows);
    for (int64_t t = 0; t < x.rows; ++t) {
        for (int64_t n = 0; n < w.rows; ++n) {
            float sum = 0;
            for (int64_t k = 0; k < w.cols; k += kStep) {
                double exact = static_cast<double>(sum);
                for (int64_t c = k; c < std::min(k + kStep, w.cols); ++c) exact += x.at(t, c) * w.at(n, c);
                sum = static_cast<float>(exact);
                if (std::abs(static_cast<double>(sum)) > std::abs(exact)) sum = std::nextafter(sum, 0.0F);
            }
            y.at(t, n) = sum;
        }
    }
    return y;
}

class Bf16 : public OpTest {
  protected:
    Mat<double> inputs(Random& random, int64_t rows, int64_t cols, double size) {
        return roundedToBf16(random.mat(rows, cols, -size, size));
    }
    Device poisoned(int64_t rows, int64_t cols) {
        Mat<double> nan(rows, cols);
        std::fill(nan.v.begin(), nan.v.end(), std::nan(""));
        return Device::bf16(backend(), nan);
    }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Bf16);
INSTANTIATE_TEST_SUITE_P(Backends, Bf16, testing::ValuesIn(bf16Backends()), caseName);

struct LinearShape {
    int64_t out, in;
};

TEST_P(Bf16, Linear) {
    Random random(51);
    const std::vector<LinearShape> shapes{{1, 8}, {17, 96}, {130, 64}, {128, 288}, {257, 1184}, {6, 2304}};
    for (const auto format : {WeightFormat::kF32, WeightFormat::kBF16, WeightFormat::kMxfp4}) {
        for (const auto& [out, in] : shapes) {
            if (format == WeightFormat::kMxfp4 && in % kMxfp4Group != 0) continue;
            const Weight weight(backend(), random, format, out, in);
            for (const int64_t tokens : {1, 2, 3, 4, 5, 16, 17, 64, 65, 131}) {
                const Mat<double> x = inputs(random, tokens, in, 2);
                const Mat<double> before = inputs(random, tokens, out, 1);
                const Device input = Device::bf16(backend(), x);
                const Device set = poisoned(tokens, out);
                const Device added = Device::bf16(backend(), before);
                const Device wide(backend(), tokens, out);
                const std::array<LinearPart, 3> parts{{{weight.view(), set.view()},
                                                       {weight.view(), added.view(), LinearPart::Write::kAdd},
                                                       {weight.view(), wide.view()}}};
                backend().linear({input.view(), parts});
                finish();
                const auto what = fmt::format("format {} T {} N {} K {}", static_cast<int>(format), tokens, out, in);
                Mat<double> truth = oracle::linear(x, weight.values());
                const Mat<float> naive = cutLinear(x, weight.values());
                expectWithin(what + " f32", wide.read(), truth, naive);
                expectWithin(what, set.read(), truth, rounded(naive));
                for (size_t i = 0; i < truth.v.size(); ++i) truth.v[i] += before.v[i];
                expectWithin(what + " added", added.read(), truth, rounded(plus(rounded(naive), before)));
            }
        }
    }
}

// Expert outputs and the activation's inputs are rounded, the weighted sum is not until the end.
Mat<float> naiveMoe(const Mat<double>& x, const oracle::Routing& routing,
                    const std::vector<oracle::Expert<float>>& experts) {
    Mat<float> out(x.rows, x.cols);
    for (int64_t t = 0; t < x.rows; ++t) {
        Mat<float> token(1, x.cols);
        for (int64_t c = 0; c < x.cols; ++c) token.at(0, c) = static_cast<float>(x.at(t, c));
        for (int64_t i = 0; i < routing.index.cols; ++i) {
            const auto& e = experts[static_cast<size_t>(routing.index.at(t, i))];
            const Mat<float> inner = rounded(
                oracle::glu(rounded(oracle::linear(token, e.gate)), rounded(oracle::linear(token, e.up)), 4.0F, 25.0F));
            const Mat<float> y = rounded(oracle::linear(inner, e.down));
            for (int64_t c = 0; c < x.cols; ++c)
                out.at(t, c) += static_cast<float>(routing.weight.at(t, i)) * y.at(0, c);
        }
    }
    return rounded(out);
}

struct ExpertShape {
    int64_t width, inner;
    std::vector<int64_t> tokens;
};

// The second shape suits the forms that take whole stretches of 128 or 256 columns; expert 0 gets every token, so tiles of each width occur.
TEST_P(Bf16, Experts) {
    Random random(52);
    constexpr int64_t kExperts = 7;
    const std::vector<ExpertShape> shapes{{160, 96, {1, 3, 8, 9, 70, 200}},
                                          {512, 256, {1, 3, 8, 9, 130, 150, 185, 200}}};
    for (const auto format : {WeightFormat::kBF16, WeightFormat::kMxfp4}) {
        for (const auto& [width, inner, tokenCounts] : shapes) {
            std::vector<Weight> owned;
            owned.reserve(3 * kExperts);
            for (int64_t e = 0; e < kExperts; ++e) {
                owned.emplace_back(backend(), random, format, inner, width);
                owned.emplace_back(backend(), random, format, inner, width);
                owned.emplace_back(backend(), random, format, width, inner);
            }
            std::vector<ExpertWeights> views;
            std::vector<oracle::Expert<double>> experts;
            std::vector<oracle::Expert<float>> floats;
            for (size_t e = 0; e < kExperts; ++e) {
                views.push_back({owned[3 * e].view(), owned[3 * e + 1].view(), owned[3 * e + 2].view()});
                experts.push_back({owned[3 * e].values(), owned[3 * e + 1].values(), owned[3 * e + 2].values()});
                floats.push_back({toFloat(experts[e].gate), toFloat(experts[e].up), toFloat(experts[e].down)});
            }
            for (const int64_t tokens : tokenCounts) {
                const Mat<double> x = inputs(random, tokens, width, 3);
                Mat<double> logits = random.mat(tokens, kExperts, -1, 1);
                for (int64_t t = 0; t < tokens; ++t) {
                    logits.at(t, 0) += 3;
                    logits.at(t, 5) = -20;
                }
                auto routing = oracle::route(logits, std::vector<double>(kExperts, 0.0), {3, 1, 1, false, true, 1.0});
                for (double& w : routing.weight.v) w = static_cast<double>(static_cast<float>(w));
                const Device input = Device::bf16(backend(), x);
                const Device index(backend(), routing.index);
                const Device weight(backend(), routing.weight);
                const Device out = poisoned(tokens, width);
                backend().moe({input.view(), index.view(), weight.view(), views, {GluKind::kSitu, 4, 25}, out.view()});
                finish();
                const auto truth = oracle::moe(x, routing, experts, 4.0, 25.0);
                expectWithin(fmt::format("moe format {} T {} L {}", static_cast<int>(format), tokens, width),
                             out.read(), truth, naiveMoe(x, routing, floats));
            }
        }
    }
}

// Probabilities are rounded before they weigh the values.
Mat<float> naiveAttention(const Mat<float>& q, const Mat<float>& k, const Mat<float>& v, int64_t heads, int64_t dim,
                          int64_t values, float scale, int64_t firstQuery) {
    Mat<float> out(q.rows, heads * values);
    for (int64_t h = 0; h < heads; ++h) {
        for (int64_t i = 0; i < q.rows; ++i) {
            const int64_t seen = firstQuery < 0 ? k.rows : firstQuery + i + 1;
            Mat<float> p(1, seen);
            for (int64_t j = 0; j < seen; ++j) {
                for (int64_t c = 0; c < dim; ++c) p.at(0, j) += q.at(i, h * dim + c) * k.at(j, h * dim + c);
                p.at(0, j) *= scale;
            }
            const float top = *std::max_element(p.v.begin(), p.v.end());
            float sum = 0;
            for (float& x : p.v) sum += x = std::exp(x - top);
            p = rounded(p);
            for (int64_t j = 0; j < seen; ++j) {
                for (int64_t c = 0; c < values; ++c) out.at(i, h * values + c) += p.at(0, j) * v.at(j, h * values + c);
            }
            for (int64_t c = 0; c < values; ++c) out.at(i, h * values + c) /= sum;
        }
    }
    return rounded(out);
}

TEST_P(Bf16, VisionAttention) {
    Random random(53);
    for (const int64_t dim : {16, 64, 72, 128}) {
        for (const int64_t patches : {1, 63, 64, 65, 129, 300}) {
            constexpr int64_t kHeads = 3;
            const Mat<double> q = inputs(random, patches, kHeads * dim, 4);
            const Mat<double> k = inputs(random, patches, kHeads * dim, 2);
            const Mat<double> v = inputs(random, patches, kHeads * dim, 2);
            const Device qd = Device::bf16(backend(), q);
            const Device kd = Device::bf16(backend(), k);
            const Device vd = Device::bf16(backend(), v);
            const Device out = poisoned(patches, kHeads * dim);
            const auto scale = static_cast<float>(std::pow(static_cast<double>(dim), -0.5));
            backend().visionAttention({qd.heads(kHeads), kd.heads(kHeads), vd.heads(kHeads), scale, out.heads(kHeads)});
            finish();
            expectWithin(fmt::format("vision attention N {} dim {}", patches, dim), out.read(),
                         oracle::visionAttention(q, k, v, kHeads),
                         naiveAttention(toFloat(q), toFloat(k), toFloat(v), kHeads, dim, dim, scale, -1));
        }
    }
}

struct MlaCase {
    oracle::MlaShape shape;
    int64_t past;
    int64_t tokens;
};

// What the expanded form rounds: keys and values made from the cache, probabilities, the output.
Mat<float> naiveMla(const Mat<double>& q, const Mat<double>& latent, const Mat<double>& kvB, const oracle::MlaShape& s,
                    int64_t past, float scale) {
    const int64_t each = s.nope + s.valueDim;
    Mat<float> compressed(latent.rows, s.rank);
    for (int64_t t = 0; t < latent.rows; ++t) {
        for (int64_t c = 0; c < s.rank; ++c) compressed.at(t, c) = static_cast<float>(latent.at(t, c));
    }
    const Mat<float> expanded = rounded(oracle::linear(compressed, toFloat(kvB)));
    Mat<float> k(latent.rows, s.heads * (s.nope + s.rope));
    Mat<float> v(latent.rows, s.heads * s.valueDim);
    for (int64_t t = 0; t < latent.rows; ++t) {
        for (int64_t h = 0; h < s.heads; ++h) {
            float* key = k.row(t) + h * (s.nope + s.rope);
            std::copy_n(expanded.row(t) + h * each, s.nope, key);
            for (int64_t c = 0; c < s.rope; ++c) key[s.nope + c] = static_cast<float>(latent.at(t, s.rank + c));
            std::copy_n(expanded.row(t) + h * each + s.nope, s.valueDim, v.row(t) + h * s.valueDim);
        }
    }
    return naiveAttention(toFloat(q), k, v, s.heads, s.nope + s.rope, s.valueDim, scale, past);
}

TEST_P(Bf16, LatentAttention) {
    Random random(54);
    const std::vector<MlaCase> cases{{{3, 24, 8, 32, 48}, 0, 1},
                                     {{3, 24, 8, 32, 48}, 63, 17},
                                     {{3, 24, 8, 32, 48}, 130, 129},
                                     {{2, 128, 64, 128, 512}, 700, 1},
                                     {{2, 128, 64, 128, 512}, 70, 40},
                                     {{4, 64, 32, 64, 128}, 300, 3},
                                     {{1, 16, 8, 16, 32}, 8300, 40},
                                     {{1, 16, 8, 16, 32}, 16370, 20},
                                     // More rows than a tile, more pages than blocks, pages that end with the last row.
                                     {{66, 128, 64, 128, 512}, 130, 1},
                                     {{40, 128, 64, 128, 512}, 70, 3},
                                     {{2, 128, 64, 128, 512}, 63, 1},
                                     {{2, 128, 64, 128, 512}, 0, 1},
                                     {{1, 128, 64, 128, 512}, 8700, 1},
                                     {{2, 128, 64, 128, 512}, 200, 129},
                                     {{1, 128, 64, 128, 512}, 8300, 40}};
    for (const auto& [shape, past, tokens] : cases) {
        const int64_t total = past + tokens;
        const Mat<double> latent = inputs(random, total, shape.rank + shape.rope, 2);
        std::vector<Device> pages;
        std::vector<void*> pointers;
        for (int64_t t = 0; t < total; t += kLatentPageTokens) {
            Mat<double> page(kLatentPageTokens, latent.cols);
            std::copy_n(latent.row(t), std::min(kLatentPageTokens, total - t) * latent.cols, page.v.begin());
            pages.push_back(Device::bf16(backend(), page));
        }
        for (const Device& page : pages) pointers.push_back(page.view().data);
        const Mat<double> q = inputs(random, tokens, shape.heads * (shape.nope + shape.rope), 2);
        const Weight kvB(backend(), random, WeightFormat::kBF16, shape.heads * (shape.nope + shape.valueDim),
                         shape.rank);
        const auto scale = static_cast<float>(std::pow(static_cast<double>(shape.nope + shape.rope), -0.5));
        const auto truth = oracle::mlaAttention(q, latent, kvB.values(), shape);
        const auto naive = naiveMla(q, latent, kvB.values(), shape, past, scale);
        const Device queries = Device::bf16(backend(), q);
        for (const auto form : {MlaAttentionArgs::Form::kAbsorbed, MlaAttentionArgs::Form::kExpanded}) {
            const Device out = poisoned(tokens, shape.heads * shape.valueDim);
            backend().mlaAttention({queries.heads(shape.heads),
                                    kvB.view(),
                                    shape.nope,
                                    shape.valueDim,
                                    {pointers, DType::kBF16, shape.rank, shape.rope},
                                    past,
                                    scale,
                                    out.heads(shape.heads),
                                    {},
                                    form});
            finish();
            expectWithin(
                fmt::format("mla past {} T {} rank {} form {}", past, tokens, shape.rank, static_cast<int>(form)),
                out.read(), truth, naive);
        }
    }
}

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

TEST_P(Bf16, NormsRoundTwice) {
    Random random(56);
    const Mat<double> x = inputs(random, 5, 712, 3);
    const std::vector<double> weight = roundedToBf16(random.mat(1, 712, 0.5, 1.5)).v;
    const Device input = Device::bf16(backend(), x);
    const Vector w(backend(), weight);
    const Device out = poisoned(5, 712);
    backend().rmsNorm({input.view(), w.data(), 1e-5F, out.view()});
    finish();
    const std::vector<float> ones(712, 1.0F);
    Mat<float> naive = rounded(oracle::rmsNorm(toFloat(x), ones, 1e-5F));
    for (size_t i = 0; i < naive.v.size(); ++i) naive.v[i] *= static_cast<float>(weight[i % 712]);
    expectWithin("rmsNorm", out.read(), oracle::rmsNorm(x, weight, static_cast<double>(1e-5F)), rounded(naive));
}

}  // namespace
}  // namespace pal::vectors
