// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "kernels/cpu/arena.h"

namespace pal::cpu {

// The rows with the most mass, most first, of equal ones the earlier: as many as `keys` has room for. mass [rows], none negative; masses[i] = scale *
// that of keys[i]. Where there are fewer rows: key -1, mass 0.
void rankRows(const float* mass, int64_t rows, float scale, std::span<int32_t> keys, std::span<float> masses,
              Arena& arena);

}  // namespace pal::cpu
