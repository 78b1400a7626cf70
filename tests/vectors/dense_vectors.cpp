// SPDX-License-Identifier: Apache-2.0
// linear, embed, rmsNorm, depthMix, glu, sigmoidGate, add.
#include "tests/oracle/dense_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

using oracle::Wrong;

class Dense : public OpTest {};
PAL_ON_EVERY_BACKEND(Dense);

struct LinearShape {
    int64_t tokens, out, in;
};

TEST_P(Dense, Linear) {
    Random random(1);
    const std::vector<LinearShape> shapes{{1, 1, 1},    {1, 7, 33},   {2, 64, 96},   {3, 17, 127},  {5, 130, 64},
                                          {16, 48, 80}, {17, 33, 65}, {64, 40, 256}, {65, 31, 129}, {131, 96, 384}};
    for (const auto format : {WeightFormat::kF32, WeightFormat::kBF16, WeightFormat::kMxfp4}) {
        for (const auto& [tokens, out, in] : shapes) {
            if (format == WeightFormat::kMxfp4 && in % kMxfp4Group != 0) continue;
            const Mat<double> x = random.mat(tokens, in, -2, 2);
            const Weight weight(backend(), random, format, out, in);
            const Device input(backend(), x);
            const Device output(backend(), tokens, out);
            const LinearPart part{weight.view(), output.view(), LinearPart::Write::kSet};
            backend().linear({input.view(), {&part, 1}});
            finish();
            const std::string what =
                fmt::format("linear format {} T {} N {} K {}", static_cast<int>(format), tokens, out, in);
            expectWithin(what, output.read(), oracle::linear(x, weight.values()),
                         oracle::linear(toFloat(x), toFloat(weight.values())));
        }
    }
}

TEST_P(Dense, LinearGroupSharesInputAndAdds) {
    Random random(2);
    const Mat<double> x = random.mat(6, 96, -2, 2);
    const Mat<double> before = random.mat(6, 10, -1, 1);
    const Weight a(backend(), random, WeightFormat::kBF16, 10, 96);
    const Weight b(backend(), random, WeightFormat::kMxfp4, 23, 96);
    const Device input(backend(), x);
    const Device sum(backend(), before);
    const Device second(backend(), 6, 23);
    const std::vector<LinearPart> parts{{a.view(), sum.view(), LinearPart::Write::kAdd},
                                        {b.view(), second.view(), LinearPart::Write::kSet}};
    backend().linear({input.view(), parts});
    finish();
    Mat<double> truth = oracle::linear(x, a.values());
    Mat<float> naive = oracle::linear(toFloat(x), toFloat(a.values()));
    for (size_t i = 0; i < truth.v.size(); ++i) {
        truth.v[i] += before.v[i];
        naive.v[i] += static_cast<float>(before.v[i]);
    }
    expectWithin("linear add", sum.read(), truth, naive);
    expectWithin("linear second", second.read(), oracle::linear(x, b.values()),
                 oracle::linear(toFloat(x), toFloat(b.values())));
}

TEST_P(Dense, Mxfp4NibblesAreInOrder) {
    Random random(3);
    const Mat<double> x = random.mat(2, 64, -2, 2);
    const Weight weight(backend(), random, WeightFormat::kMxfp4, 9, 64);
    const Device input(backend(), x);
    const Device output(backend(), 2, 9);
    const LinearPart part{weight.view(), output.view(), LinearPart::Write::kSet};
    backend().linear({input.view(), {&part, 1}});
    finish();
    const auto swapped =
        oracle::decodeMxfp4<double>(weight.packed().data(), weight.scales().data(), 9, 64, Wrong::kSwappedNibbles);
    expectTellsApart("nibbles", output.read(), oracle::linear(x, weight.values()),
                     oracle::linear(toFloat(x), toFloat(weight.values())), oracle::linear(x, swapped));
}

// What LinearArgs promises of the CPU alone.
class DenseOnCpu : public OpTest {};
INSTANTIATE_TEST_SUITE_P(Backends, DenseOnCpu, testing::ValuesIn(cpuBackendCases()), caseName);

TEST_P(DenseOnCpu, ARowDoesNotDependOnTheOthers) {
    Random random(4);
    for (const auto format : {WeightFormat::kF32, WeightFormat::kBF16, WeightFormat::kMxfp4}) {
        const Mat<double> x = random.mat(70, 160, -2, 2);
        const Weight weight(backend(), random, format, 37, 160);
        const Device input(backend(), x);
        const Device all(backend(), 70, 37);
        const LinearPart whole{weight.view(), all.view(), LinearPart::Write::kSet};
        backend().linear({input.view(), {&whole, 1}});
        finish();
        for (const auto& [begin, count] : std::vector<std::pair<int64_t, int64_t>>{{0, 1}, {3, 2}, {11, 7}, {40, 30}}) {
            if (count == 1 && hasSingleForm(backend(), format)) continue;
            const Device part(backend(), count, 37);
            const LinearPart piece{weight.view(), part.view(), LinearPart::Write::kSet};
            backend().linear({input.view().rows(begin, count), {&piece, 1}});
            finish();
            const Mat<double> whole70 = all.read();
            const Mat<double> pieceOnly = part.read();
            for (int64_t t = 0; t < count; ++t) {
                for (int64_t n = 0; n < 37; ++n)
                    ASSERT_EQ(pieceOnly.at(t, n), whole70.at(begin + t, n)) << begin << "+" << t;
            }
        }
    }
}

TEST_P(Dense, Embed) {
    Random random(5);
    for (const auto format : {WeightFormat::kF32, WeightFormat::kBF16}) {
        const Weight table(backend(), random, format, 50, 33);
        const std::vector<int32_t> ids{49, 0, 7, 7, 12};
        const Device out(backend(), 5, 33);
        backend().embed({ids, table.view(), out.view()});
        finish();
        const Mat<double> got = out.read();
        for (int64_t t = 0; t < 5; ++t) {
            for (int64_t c = 0; c < 33; ++c) ASSERT_EQ(got.at(t, c), table.values().at(ids[static_cast<size_t>(t)], c));
        }
    }
}

TEST_P(Dense, RmsNorm) {
    Random random(6);
    for (const int64_t width : {1, 7, 64, 129, 512}) {
        for (const double size : {1e-3, 1.0, 300.0}) {
            const Mat<double> x = random.mat(5, width, -size, size);
            const std::vector<double> weight = random.vec(width, 0.5, 1.5);
            const Device input(backend(), x);
            const Vector w(backend(), weight);
            const Device out(backend(), 5, width);
            backend().rmsNorm({input.view(), w.data(), 1e-5F, out.view()});
            finish();
            const double eps = static_cast<double>(1e-5F);
            const auto truth = oracle::rmsNorm(x, weight, eps);
            const auto naive = oracle::rmsNorm(toFloat(x), toFloat(weight), 1e-5F);
            expectWithin(fmt::format("rmsNorm {} {}", width, size), out.read(), truth, naive);
            if (size < 1e-2) {
                expectTellsApart("eps 1e-6 is not 1e-5", out.read(), truth, naive, oracle::rmsNorm(x, weight, 1e-6));
            }
            backend().rmsNorm({input.view(), w.data(), 1e-5F, input.view()});
            finish();
            expectWithin("rmsNorm in place", input.read(), truth, naive);
        }
    }
}

TEST_P(Dense, DepthMix) {
    Random random(7);
    for (const int64_t n : {1, 2, 5, 9}) {
        for (const int64_t width : {33, 128}) {
            std::vector<Mat<double>> values;
            std::vector<Mat<float>> floats;
            std::vector<Device> devices;
            for (int64_t j = 0; j < n; ++j) {
                values.push_back(
                    random.mat(4, width, -3.0 * static_cast<double>(j + 1), 3.0 * static_cast<double>(j + 1)));
                floats.push_back(toFloat(values.back()));
                devices.emplace_back(backend(), values.back());
            }
            std::vector<const Mat<double>*> sources;
            std::vector<const Mat<float>*> floatSources;
            std::vector<ConstTensorView> views;
            for (size_t j = 0; j < values.size(); ++j) {
                sources.push_back(&values[j]);
                floatSources.push_back(&floats[j]);
                views.emplace_back(devices[j].view());
            }
            const std::vector<double> query = random.vec(width, -0.4, 0.4);
            const std::vector<double> norm = random.vec(width, 0.5, 1.5);
            const Vector q(backend(), query);
            const Vector w(backend(), norm);
            const Device out(backend(), 4, width);
            const Device probs(backend(), 4, n);
            backend().depthMix({views, q.data(), 1e-5F, nullptr, 0, out.view(), probs.view()});
            finish();
            Mat<double> truthProbs;
            Mat<float> naiveProbs;
            const double eps = static_cast<double>(1e-5F);
            const auto truth = oracle::depthMix(sources, query, eps, &truthProbs);
            const auto naive = oracle::depthMix(floatSources, toFloat(query), 1e-5F, &naiveProbs);
            expectWithin(fmt::format("depthMix n {}", n), out.read(), truth, naive);
            expectWithin("depthMix probs", probs.read(), truthProbs, naiveProbs);
            if (n == 1) {
                EXPECT_EQ(out.read().v, values[0].v) << "one source passes unchanged";
            } else {
                expectTellsApart("raw values", out.read(), truth, naive,
                                 oracle::depthMix<double>(sources, query, eps, nullptr, Wrong::kMixNormalisedValues));
            }
            const Mat<double> withoutNorm = out.read();
            backend().depthMix({views, q.data(), 1e-5F, w.data(), 1e-5F, out.view(), {}});
            finish();
            expectWithin("depthMix then norm", out.read(), oracle::rmsNorm(truth, norm, eps),
                         oracle::rmsNorm(naive, toFloat(norm), 1e-5F));
        }
    }
}

TEST_P(Dense, Glu) {
    Random random(8);
    for (const int64_t width : {1, 31, 64}) {
        const Mat<double> gate = random.mat(3, width, -30, 30);
        const Mat<double> up = random.mat(3, width, -60, 60);
        const Device g(backend(), gate);
        const Device u(backend(), up);
        const Device out(backend(), 3, width);
        backend().glu({g.view(), u.view(), {GluKind::kSitu, 4, 25}, out.view()});
        finish();
        const auto truth = oracle::glu(gate, up, 4.0, 25.0);
        const auto naive = oracle::glu(toFloat(gate), toFloat(up), 4.0F, 25.0F);
        expectWithin("situ", out.read(), truth, naive);
        expectTellsApart("situ is not swiglu", out.read(), truth, naive, oracle::glu(gate, up, 0.0, 0.0));
        expectTellsApart("gate is not up", out.read(), truth, naive, oracle::glu(up, gate, 4.0, 25.0));
        backend().glu({g.view(), u.view(), {GluKind::kSitu, 4, 0}, out.view()});
        finish();
        expectWithin("situ without bound", out.read(), oracle::glu(gate, up, 4.0, 0.0),
                     oracle::glu(toFloat(gate), toFloat(up), 4.0F, 0.0F));
        backend().glu({g.view(), u.view(), {GluKind::kSwiGlu, 1, 0}, g.view()});
        finish();
        expectWithin("swiglu in place", g.read(), oracle::glu(gate, up, 0.0, 0.0),
                     oracle::glu(toFloat(gate), toFloat(up), 0.0F, 0.0F));
    }
}

TEST_P(Dense, SigmoidGateAndAdd) {
    Random random(9);
    const Mat<double> x = random.mat(4, 45, -3, 3);
    const Mat<double> gate = random.mat(4, 45, -100, 100);
    const Device input(backend(), x);
    const Device g(backend(), gate);
    const Device out(backend(), 4, 45);
    const Device tap(backend(), 4, 45);
    backend().sigmoidGate({input.view(), g.view(), out.view(), tap.view()});
    finish();
    const auto truth = oracle::sigmoidGate(x, gate);
    expectWithin("sigmoidGate", out.read(), truth, oracle::sigmoidGate(toFloat(x), toFloat(gate)));
    Mat<double> ones(4, 45);
    for (double& v : ones.v) v = 1;
    expectWithin("gate tap", tap.read(), oracle::sigmoidGate(ones, gate),
                 oracle::sigmoidGate(toFloat(ones), toFloat(gate)));
    const Mat<double> before = out.read();
    backend().add({input.view(), out.view()});
    finish();
    const Mat<double> after = out.read();
    for (size_t i = 0; i < after.v.size(); ++i) {
        ASSERT_EQ(after.v[i], static_cast<double>(static_cast<float>(before.v[i]) + static_cast<float>(x.v[i])));
    }
}

}  // namespace
}  // namespace pal::vectors
