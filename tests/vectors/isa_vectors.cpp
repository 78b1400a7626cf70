// SPDX-License-Identifier: Apache-2.0
// The instruction sets of the CPU backend against each other.
#include <cmath>

#include "tests/oracle/dense_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

Mat<double> product(const BackendCase& entry, WeightFormat format, int64_t tokens, int64_t out, int64_t in,
                    Mat<double>& bound) {
    Random random(7);
    const auto attempt = entry.make();
    Backend& backend = *attempt.backend;
    const Mat<double> x = random.mat(tokens, in, -2, 2);
    const Weight weight(backend, random, format, out, in);
    const Device input(backend, x);
    const Device output(backend, tokens, out);
    const LinearPart part{weight.view(), output.view(), LinearPart::Write::kSet};
    backend.linear({input.view(), {&part, 1}});
    EXPECT_TRUE(backend.finish().ok());
    // Sums of K products in float32, in whatever order, err by at most (K + 2) u sum |w x| each (Higham, Accuracy and Stability, 3.1).
    const auto magnitude = [](Mat<double> m) {
        for (double& v : m.v) v = std::abs(v);
        return m;
    };
    bound = oracle::linear(magnitude(x), magnitude(weight.values()));
    for (double& v : bound.v) v *= 2 * static_cast<double>(in + 2) * 0x1p-24;
    return output.read();
}

TEST(InstructionSets, AgreeWithinTheBoundOfTheirSums) {
    const std::vector<BackendCase> cases = cpuBackendCases();
    for (const auto format : {WeightFormat::kF32, WeightFormat::kBF16, WeightFormat::kMxfp4}) {
        for (const int64_t tokens : {1, 2, 31, 70}) {
            Mat<double> bound;
            const Mat<double> first = product(cases.front(), format, tokens, 150, 2304, bound);
            for (const BackendCase& entry : cases) {
                const Mat<double> other = product(entry, format, tokens, 150, 2304, bound);
                for (size_t i = 0; i < first.v.size(); ++i) {
                    ASSERT_LE(std::abs(first.v[i] - other.v[i]), bound.v[i])
                        << entry.name << " format " << static_cast<int>(format) << " T " << tokens;
                }
            }
        }
    }
}

}  // namespace
}  // namespace pal::vectors
