// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/vectors/vector_support.h"

// For backends whose activations are bfloat16.

namespace pal::vectors {

inline std::vector<BackendCase> bf16Backends() {
    std::vector<BackendCase> cases = backendCases();
    std::erase_if(cases,
                  [](const BackendCase& entry) { return entry.make().backend->info().activation != DType::kBF16; });
    return cases;
}

inline Mat<float> rounded(Mat<float> m) {
    for (float& x : m.v) {
        const auto bits = std::bit_cast<uint32_t>(x);
        x = std::bit_cast<float>((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
    }
    return m;
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

}  // namespace pal::vectors
