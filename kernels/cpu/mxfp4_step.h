// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/api/tensor_view.h"

// The activations of a single token for MXFP4 weights: fixed-point numbers q of 23 bits with one exponent e per group of 32 (the largest magnitude
// of the group uses nearly all bits), cut into three signed digits of 8 bits to the base 181. Then
//   sum_k w_k x_k = 2^e ( sum_k (2 w_k + 12) q_k - 12 sum_k q_k ) / 2
// is exact in integers: 2 w + 12 is a whole number from 0 to 24, which is what byte products take. The result of a group is below
// 12 * 32 * 2^22 < 2^31, so that it is right even where the sums on the way to it wrap around. The base is the largest whose square fits into the
// 16 bits of a factor.

namespace pal::cpu {

// 256 columns.
struct Mxfp4Step {
    static constexpr int64_t kGroups = 8;
    static constexpr int64_t kCols = kGroups * kMxfp4Group;
    static constexpr int64_t kCodeBytes = kCols / 2;
    static constexpr int64_t kHalfBytes = kCodeBytes / 2;

    static constexpr int32_t kBase = 181;
    static constexpr int32_t kLargest = 127 * kBase * kBase;  // of q

    // By half of the columns, by digit (the lowest first): even columns, odd columns.
    alignas(64) int8_t digit[2][3][2][kHalfBytes];
    // By group, in the order 0 2 4 6 1 3 5 7, in which four vectors of 256 bits are summed block by block.
    int32_t correction[kGroups];  // -12 sum q
    float unit[kGroups];          // 2^e / 2

    // Packed rows hold a step in the place of its columns.
    static const Mxfp4Step& at(const float* packed, int64_t step) {
        return *reinterpret_cast<const Mxfp4Step*>(packed + step * kCols);
    }

    // Where a group stands in the arrays above.
    static constexpr int64_t place(int64_t group) { return group / 2 + group % 2 * (kGroups / 2); }
};

static_assert(sizeof(Mxfp4Step) <= Mxfp4Step::kCols * sizeof(float));

// 2 w + 12 by code.
inline constexpr uint8_t kMxfp4Codes[16] = {12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0};

}  // namespace pal::cpu
