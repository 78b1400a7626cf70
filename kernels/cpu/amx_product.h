// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"
#include "kernels/cpu/arena.h"

// bf16 and MXFP4 weight rows times the rows of several tokens on the matrix unit of a processor that has one (AMX), in one thread. It multiplies
// bf16 numbers exactly and adds in float32. A float32 number is the sum of three bf16 numbers, each with 8 of its 24 bits, so
//   sum_k w_k x_k = sum_k w_k h_k + sum_k w_k m_k + sum_k w_k l_k   where x = h + m + l
// rounds nothing but sums, like any product in float32, at five times the rate of the vector units. The unit takes denormal numbers for zero.

namespace pal::cpu {

// Activation rows as the three parts of their numbers, in tiles of 16 rows by 32 columns, blocks of columns outermost.
class AmxRows {
  public:
    static constexpr int64_t kTileRows = 16;

    AmxRows() = default;
    // Uninitialised; in memory that lives as long as `scope`.
    AmxRows(int64_t rows, int64_t cols, ArenaScope& scope);

    [[nodiscard]] bool present() const { return data_ != nullptr; }
    // Fills rows kTileRows * tile and on from up to kTileRows float32 rows; the rest of the tile becomes zero.
    void pack(int64_t tile, std::span<const float* const> rows) const;

    // One block of one tile: [step][part][pair of columns][row][2].
    [[nodiscard]] uint16_t* at(int64_t block, int64_t tile) const;

  private:
    int64_t tiles_ = 0;
    int64_t cols_ = 0;
    uint16_t* data_ = nullptr;
};

// out[t][n] (+)= sum_k weight[n, k] x[kTileRows * firstTile + t][k] for n in [begin, end). Results depend on their own two rows only.
void amxMultiply(const WeightView& weight, int64_t begin, int64_t end, const AmxRows& x, int64_t firstTile,
                 std::span<float* const> out, LinearPart::Write write, Arena& arena);

}  // namespace pal::cpu
