// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"
#include "kernels/cpu/arena.h"

// Products of weight rows with activation rows, in one thread: what linear and moe are made of.

namespace pal::cpu {

// Activation rows in the order in which the weights of one format unpack, zero-padded. With many tokens they lie column block by column block,
// so that a block of activations stays in the first-level cache; with few, whole rows, so that weights are read in one go.
class PackedRows {
  public:
    static constexpr int64_t kColumnBlock = 1024;
    static constexpr int64_t kFewTokens = 4;

    PackedRows() = default;
    // Uninitialised rows in memory that lives as long as `scope`. At most `together` of them will meet a weight row in one call of multiplyRows;
    // 1 selects the form for single tokens, then every call must have just one target.
    PackedRows(WeightFormat format, int64_t rows, int64_t cols, int64_t together, ArenaScope& scope);

    [[nodiscard]] bool present() const { return data_ != nullptr; }
    // Fills a row; rows may be packed by different threads.
    void pack(int64_t row, const float* x) const;

    [[nodiscard]] bool single() const { return single_; }
    [[nodiscard]] int64_t blocks() const { return (cols_ + blockCols_ - 1) / blockCols_; }
    [[nodiscard]] int64_t blockCols() const { return blockCols_; }
    // The columns of a row from b * blockCols() on, up to blockCols() of them.
    [[nodiscard]] float* block(int64_t row, int64_t b) const {
        return data_ + b * blockCols_ * rows_ + row * std::min(blockCols_, padded_ - b * blockCols_);
    }

  private:
    WeightFormat format_ = WeightFormat::kF32;
    bool single_ = false;
    int64_t rows_ = 0;
    int64_t cols_ = 0;
    int64_t padded_ = 0;
    int64_t blockCols_ = 1;
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
