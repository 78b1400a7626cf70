// SPDX-License-Identifier: Apache-2.0
// Backends whose activations are bfloat16: the ops that then take another path, on bfloat16 inputs. The plain loops they are measured against round
// where the published bf16 path rounds (float32 arithmetic, bfloat16 results of every named step).
#include <algorithm>

#include "tests/oracle/mla_oracle.h"
#include "tests/oracle/moe_oracle.h"
#include "tests/oracle/vision_oracle.h"
#include "tests/vectors/bf16_support.h"
#include "tests/vectors/expert_set.h"

namespace pal::vectors {
namespace {

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
            for (const int64_t tokens : {1, 2, 3, 4, 5, 8, 9, 16, 17, 64, 65, 131}) {
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

// So that a few tokens read together, however they are cut, make the same activations.
TEST_P(Bf16, FewTokensAreSummedAlike) {
    Random random(55);
    constexpr int64_t kMost = 8;
    for (const auto& [out, in] : std::vector<LinearShape>{{130, 64}, {257, 1184}, {3000, 256}}) {
        const Weight weight(backend(), random, WeightFormat::kBF16, out, in);
        const Device input = Device::bf16(backend(), inputs(random, kMost, in, 2));
        const Device all(backend(), kMost, out);
        const LinearPart whole{weight.view(), all.view()};
        backend().linear({input.view(), {&whole, 1}});
        finish();
        for (int64_t begin = 0; begin < kMost - 1; ++begin) {
            for (int64_t count = 2; begin + count <= kMost; ++count) {
                const Device some(backend(), count, out);
                const LinearPart part{weight.view(), some.view()};
                backend().linear({input.view().rows(begin, count), {&part, 1}});
                finish();
                const Mat<double> expected = all.read();
                const Mat<double> found = some.read();
                for (int64_t t = 0; t < count; ++t) {
                    for (int64_t n = 0; n < out; ++n)
                        ASSERT_EQ(found.at(t, n), expected.at(begin + t, n)) << begin << "+" << t << ", row " << n;
                }
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
            const ExpertSet experts(backend(), random, format, kExperts, width, inner);
            for (const int64_t tokens : tokenCounts) {
                const Mat<double> x = inputs(random, tokens, width, 3);
                const auto routing = unevenRouting(random, tokens, kExperts);
                const Device input = Device::bf16(backend(), x);
                const Device index(backend(), routing.index);
                const Device weight(backend(), routing.weight);
                const Device out = poisoned(tokens, width);
                backend().moe(
                    {input.view(), index.view(), weight.view(), experts.views, {GluKind::kSitu, 4, 25}, out.view()});
                finish();
                const auto truth = oracle::moe(x, routing, experts.exact, 4.0, 25.0);
                expectWithin(fmt::format("moe format {} T {} L {}", static_cast<int>(format), tokens, width),
                             out.read(), truth, naiveMoe(x, routing, experts.floats));
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
                                     {{96, 128, 64, 128, 512}, 70, 31},   // so many tiles that few blocks share one
                                     {{8, 128, 64, 128, 512}, 300, 520},  // and each block takes seven pages
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
            std::ranges::fill(page.v, 3e38);  // the rows behind the last token, with all that they may be
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
