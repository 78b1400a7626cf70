// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/row_product.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace pal::cpu {
namespace {

constexpr std::array<float, 16> kE2m1 = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6, -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6};
constexpr int64_t kLanes = 8;

// 2^(scale - 127); code 0 is the denormal 2^-127.
float e8m0(uint8_t scale) {
    return std::bit_cast<float>(scale == 0 ? 0x00400000U : uint32_t{scale} << 23);
}

void unpackRow(const WeightView& weight, int64_t row, float* out) {
    if (weight.format == WeightFormat::kF32) {
        const auto* from = static_cast<const char*>(weight.data) + row * weight.cols * 4;
        std::memcpy(out, from, static_cast<size_t>(weight.cols) * 4);
    } else if (weight.format == WeightFormat::kBF16) {
        const auto* from = static_cast<const uint8_t*>(weight.data) + row * weight.cols * 2;
        for (int64_t k = 0; k < weight.cols; ++k) {
            const uint32_t high = static_cast<uint32_t>(from[2 * k]) | static_cast<uint32_t>(from[2 * k + 1]) << 8;
            out[k] = std::bit_cast<float>(high << 16);
        }
    } else {
        const auto* from = static_cast<const uint8_t*>(weight.data) + row * weight.cols / 2;
        const uint8_t* scale = weight.scale + row * weight.cols / kMxfp4Group;
        for (int64_t k = 0; k < weight.cols; ++k) {
            const int code = from[k / 2] >> (k % 2 * 4) & 15;
            out[k] = kE2m1[static_cast<size_t>(code)] * e8m0(scale[k / kMxfp4Group]);
        }
    }
}

float dot(const float* a, const float* b, int64_t n) {
    std::array<float, kLanes> lanes{};
    int64_t k = 0;
    for (; k + kLanes <= n; k += kLanes) {
        for (int64_t i = 0; i < kLanes; ++i) lanes[static_cast<size_t>(i)] += a[k + i] * b[k + i];
    }
    float sum = 0;
    for (const float lane : lanes) sum += lane;
    for (; k < n; ++k) sum += a[k] * b[k];
    return sum;
}

}  // namespace

int64_t packedLength(WeightFormat, int64_t cols) {
    return (cols + 15) / 16 * 16;
}

void packActivations(WeightFormat format, const float* x, int64_t cols, float* packed) {
    std::copy_n(x, cols, packed);
    std::fill(packed + cols, packed + packedLength(format, cols), 0.0F);
}

void multiplyRows(const WeightView& weight, int64_t begin, int64_t end, std::span<const float* const> x,
                  std::span<float* const> out, LinearPart::Write write, Arena& arena) {
    ArenaScope scope(arena);
    auto* row = scope.array<float>(static_cast<size_t>(weight.cols));
    for (int64_t n = begin; n < end; ++n) {
        unpackRow(weight, n, row);
        for (size_t m = 0; m < x.size(); ++m) {
            const float value = dot(row, x[m], weight.cols);
            float& to = out[m][n - begin];
            to = write == LinearPart::Write::kAdd ? to + value : value;
        }
    }
}

}  // namespace pal::cpu
