// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"
#include "kernels/cpu/arena.h"

// Products of weight rows with activation rows, in one thread: what linear and moe are made of.

namespace pal::cpu {

// Columns that are worked on at a time when there are many tokens, so that their activations stay in the first-level cache.
inline constexpr int64_t kColumnBlock = 1024;

// Activation rows in the column order in which the weights of one format unpack, zero-padded, column block by column block.
class PackedRows {
  public:
    PackedRows() = default;
    // Uninitialised rows in memory that lives as long as `scope`.
    PackedRows(WeightFormat format, int64_t rows, int64_t cols, ArenaScope& scope);

    [[nodiscard]] bool present() const { return data_ != nullptr; }
    // Fills a row; rows may be packed by different threads.
    void pack(int64_t row, const float* x) const;
    // The columns of a row from b * kColumnBlock on, up to kColumnBlock of them.
    [[nodiscard]] const float* block(int64_t row, int64_t b) const;

  private:
    WeightFormat format_ = WeightFormat::kF32;
    int64_t rows_ = 0;
    int64_t cols_ = 0;
    int64_t padded_ = 0;
    float* data_ = nullptr;
};

// One product: an activation row and where its results go.
struct RowTarget {
    int64_t row;  // of the packed activations
    float* out;   // [weight.rows]
};

// target.out[n] (+)= sum_k weight[n, k] x[target.row][k] for n in [begin, end) and every target. Each result depends on its own two rows only.
void multiplyRows(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                  std::span<const RowTarget> targets, LinearPart::Write write, Arena& arena);

}  // namespace pal::cpu
