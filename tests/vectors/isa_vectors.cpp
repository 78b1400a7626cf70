// SPDX-License-Identifier: Apache-2.0
// The instruction sets of the CPU backend: that none is left out, and rows of several blocks of columns on each.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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

// The products of a single token with MXFP4 weights, rows of whole and of broken steps of 256 columns, with ordinary scales and with the lowest and
// highest ones and NaN.
std::vector<float> singleTokenProducts(Backend& backend, int64_t cols, bool anyScales) {
    constexpr int64_t kOut = 151;
    Random random(11);
    std::vector<uint8_t> codes(static_cast<size_t>(kOut * cols / 2));
    std::vector<uint8_t> scales(static_cast<size_t>(kOut * cols / kMxfp4Group));
    for (uint8_t& code : codes) code = static_cast<uint8_t>(random.bits() >> 56);
    for (uint8_t& scale : scales) {
        constexpr std::array<uint8_t, 6> kEdges{0, 1, 120, 127, 200, 255};
        scale = static_cast<uint8_t>(118 + random.below(8));
        if (anyScales && random.below(20) == 0) scale = kEdges[random.below(kEdges.size())];
    }
    const WeightView weight = backend.importWeight({WeightFormat::kMxfp4, kOut, cols, codes.data(), scales.data()});
    const Device input(backend, random.mat(1, cols, -2, 2));
    const Device output(backend, 1, kOut);
    const LinearPart part{weight, output.view(), LinearPart::Write::kSet};
    backend.linear({input.view(), {&part, 1}});
    EXPECT_TRUE(backend.finish().ok());
    return toFloat(output.read()).v;
}

// Their integers are exact and their groups added in one order, so no instruction set may differ in a bit.
TEST(InstructionSets, GiveTheSameBitsForASingleTokenWithMxfp4) {
    for (const int64_t cols : {32, 96, 224, 256, 384, 1024, 2304}) {
        for (const bool anyScales : {false, true}) {
            std::vector<float> first;
            for (const BackendCase& entry : cpuBackendCases()) {
                const auto attempt = entry.make();
                const std::vector<float> products = singleTokenProducts(*attempt.backend, cols, anyScales);
                if (first.empty()) first = products;
                for (size_t n = 0; n < products.size(); ++n) {
                    if (std::isnan(first[n]) && std::isnan(products[n])) continue;
                    ASSERT_EQ(std::bit_cast<uint32_t>(products[n]), std::bit_cast<uint32_t>(first[n]))
                        << entry.name << " cols " << cols << " row " << n << ": " << products[n] << ", " << first[n];
                }
            }
        }
    }
}

}  // namespace
}  // namespace pal::vectors
