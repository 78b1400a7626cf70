// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace pal::inspect {

// Figures of one head's KDA state, [rows, columns] = [V, K] row-major.
struct StateFigures {
    double norm = 0;  // Frobenius
    double effectiveRank =
        0;  // exp of the entropy of p_i = s_i^2 / sum s^2: 1 for one direction, n for n equal ones; 0 of a zero state
    std::vector<double> singular;  // [min(rows, columns)] singular values, largest first
};

// The values are finite. About 20 ms for 128 x 128; nothing when `stop` was requested meanwhile.
[[nodiscard]] StateFigures stateFigures(std::span<const float> state, int64_t rows, int64_t columns,
                                        const std::stop_token& stop = {});

// after - before, of the same shape: what came between two checkpoints.
[[nodiscard]] std::vector<float> stateDifference(std::span<const float> before, std::span<const float> after);

}  // namespace pal::inspect
