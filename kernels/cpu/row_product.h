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

// How the activations of a call are packed: MXFP4 weights take a single token in a form of its own.
enum class TokenForm : uint8_t { kSingle, kMany };

// Activation rows in the order in which the weights of one format unpack, zero-padded, in blocks of columns so that the blocks of a few tokens
// stay in the first-level cache. Results are summed block by block, so where the blocks begin depends on the columns, format and form alone.
class PackedRows {
  public:
    static constexpr int64_t kMostBlockCols = 1024;

    PackedRows() = default;
    // Uninitialised rows in memory that lives as long as `scope`. With kSingle every call of multiplyRows must have just one target.
    PackedRows(WeightFormat format, int64_t rows, int64_t cols, TokenForm form, ArenaScope& scope);

    [[nodiscard]] bool present() const { return data_ != nullptr; }
    // Fills a row; rows may be packed by different threads.
    void pack(int64_t row, const float* x) const;

    [[nodiscard]] TokenForm form() const { return form_; }
    [[nodiscard]] int64_t blocks() const { return blocks_; }
    [[nodiscard]] int64_t blockCols() const { return blockCols_; }
    // The columns of a row from b * blockCols() on, up to blockCols() of them.
    [[nodiscard]] float* block(int64_t row, int64_t b) const {
        return data_ + (b * rows_ + row) * strideOf(blockCols_);
    }
    // Floats from one packed row to the next: one cache line more than a block, or rows would fall into the same few sets of a cache.
    static constexpr int64_t strideOf(int64_t blockCols) { return blockCols + 16; }

  private:
    WeightFormat format_ = WeightFormat::kF32;
    TokenForm form_ = TokenForm::kMany;
    int64_t rows_ = 0;
    int64_t cols_ = 0;
    int64_t blocks_ = 0;
    int64_t blockCols_ = 0;
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

// How many of `rows` weight rows make a task: whole tiles that stay in the second-level cache when unpacked, and enough tasks that no thread
// waits long for the last one.
inline int64_t rowsPerTask(int64_t rows, int threads) {
    constexpr int64_t kTiles = 12;
    constexpr int64_t kLargest = 4 * kTiles;
    constexpr int64_t kTasksPerThread = 6;
    return std::clamp(rows / (kTasksPerThread * threads) / kTiles * kTiles, kTiles, kLargest);
}

}  // namespace pal::cpu
