// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace pal {

// The weights of one axis: output i is the sum over k < count[i] of weights[i * stride + k] * input[first[i] + k], in units of 2^-22.
struct AxisFilter {
    int64_t stride = 0;  // weights kept per output
    std::vector<int64_t> first, count;
    std::vector<int32_t> weights;
};

// One row of 4-byte pixels -> one of first.size() pixels.
void filterAcross(const AxisFilter& filter, const uint8_t* row, uint8_t* out);

// `count` rows of `bytes` bytes, times one weight each -> one row.
void filterDown(const uint8_t* const* rows, const int32_t* weights, int64_t count, int64_t bytes, uint8_t* out);

}  // namespace pal
