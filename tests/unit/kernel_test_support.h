// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/api/bf16.h"
#include "kernels/api/tensor_view.h"

// Small helpers of the kernel tests: seeded random tensors and the error of a float32 result against a double one.

namespace pal::testing {

inline std::vector<float> normalFloats(int64_t count, uint32_t seed, float scale = 1) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> out(static_cast<size_t>(count));
    for (float& x : out) x = normal(engine);
    return out;
}

inline ConstTensorView view(const std::vector<float>& data, std::initializer_list<int64_t> extents) {
    return {data.data(), DType::kF32, extents};
}
inline TensorView view(std::vector<float>& data, std::initializer_list<int64_t> extents) {
    return {data.data(), DType::kF32, extents};
}

inline std::vector<uint16_t> toBf16(const std::vector<float>& data) {
    std::vector<uint16_t> out;
    out.reserve(data.size());
    for (const float x : data) out.push_back(pal::toBf16(x));
    return out;
}
inline float fromBf16(uint16_t value) {
    const uint32_t bits = static_cast<uint32_t>(value) << 16;
    float out = 0;
    std::memcpy(&out, &bits, sizeof(out));
    return out;
}
// The values that bf16 storage keeps.
inline std::vector<float> roundToBf16(const std::vector<float>& data) {
    std::vector<float> out;
    for (const uint16_t x : toBf16(data)) out.push_back(fromBf16(x));
    return out;
}

// max |got - want| / max |want|; infinite when anything is not finite.
template <typename Want>
double relativeError(const std::vector<float>& got, const std::vector<Want>& want) {
    double worst = 0;
    double top = 0;
    if (got.size() != want.size()) return INFINITY;
    for (size_t i = 0; i < got.size(); ++i) {
        if (!std::isfinite(got[i])) return INFINITY;
        worst = std::max(worst, std::abs(static_cast<double>(got[i]) - static_cast<double>(want[i])));
        top = std::max(top, std::abs(static_cast<double>(want[i])));
    }
    return worst == 0 ? 0 : worst / top;
}

// Holds a kernel to what plain loops of its own precision reach: reference(Real{}) gives the formula's results as std::vector<Real>, in double the
// truth, in float the plain loops. Twice their error is allowed, and a few units in the last place of the largest value, for cases in which they
// happen to be exact. (The bound of tests/vectors, here also for kernels compiled for one lane.)
template <typename Reference>
void expectAsPlainLoops(const std::vector<float>& got, const Reference& reference, const std::string& what = "") {
    const std::vector<double> truth = reference(double{});
    const std::vector<float> plain = reference(float{});
    EXPECT_LE(relativeError(got, truth), 2 * relativeError(plain, truth) + 0x1p-21) << what;
}

template <typename Real>
Real sigmoid(Real x) {
    return 1 / (1 + std::exp(-x));
}

}  // namespace pal::testing
