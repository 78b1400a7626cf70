// SPDX-License-Identifier: Apache-2.0
// The instruction sets of the CPU backend: that none is left out, and rows of several blocks of columns on each.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/oracle/dense_oracle.h"
#include "tests/vectors/vector_support.h"

namespace pal::vectors {
namespace {

// Flags of the first processor, as the system tells them.
bool processorHas(const std::string& wanted) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("flags")) continue;
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            if (word == wanted) return true;
        }
        return false;
    }
    return false;
}

// Otherwise a wrong answer about the processor would leave kernels untested without a trace.
TEST(InstructionSets, AllThatTheProcessorHasAreTested) {
    const std::vector<BackendCase> cases = cpuBackendCases();
    const auto tested = [&](std::string_view isa) {
        return std::any_of(cases.begin(), cases.end(),
                           [&](const BackendCase& entry) { return entry.name.find(isa) != std::string::npos; });
    };
    EXPECT_EQ(tested("avx2"), processorHas("avx2"));
    bool avx512 = true;
    for (const char* flag : {"avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512cd"}) avx512 &= processorHas(flag);
    EXPECT_EQ(tested("avx512"), avx512);
    EXPECT_EQ(tested("amx"), processorHas("amx_tile") && processorHas("amx_bf16"));
}

TEST(InstructionSets, AreExactOverSeveralBlocksOfColumns) {
    constexpr int64_t kOut = 150;
    constexpr int64_t kIn = 2304;
    for (const auto format : {WeightFormat::kF32, WeightFormat::kBF16, WeightFormat::kMxfp4}) {
        for (const int64_t tokens : {1, 2, 31, 70}) {
            for (const BackendCase& entry : cpuBackendCases()) {
                Random random(7);
                const auto attempt = entry.make();
                Backend& backend = *attempt.backend;
                const Mat<double> x = random.mat(tokens, kIn, -2, 2);
                const Weight weight(backend, random, format, kOut, kIn);
                const Device input(backend, x);
                const Device output(backend, tokens, kOut);
                const LinearPart part{weight.view(), output.view(), LinearPart::Write::kSet};
                backend.linear({input.view(), {&part, 1}});
                ASSERT_TRUE(backend.finish().ok());
                expectWithin(fmt::format("{} format {} T {}", entry.name, static_cast<int>(format), tokens),
                             output.read(), oracle::linear(x, weight.values()),
                             oracle::linear(toFloat(x), toFloat(weight.values())));
            }
        }
    }
}

}  // namespace
}  // namespace pal::vectors
