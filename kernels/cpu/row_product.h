// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"
#include "kernels/cpu/amx_product.h"
#include "kernels/cpu/arena.h"

// Products of weight rows with activation rows, in one thread: what linear and moe are made of.

namespace pal::cpu {

// How the activations of a call are packed: MXFP4 weights take a single token in a form of its own, the matrix unit bf16 and MXFP4 weights.
enum class TokenForm : uint8_t { kSingle, kMany, kAmx };

// The form for a call with that many tokens.
TokenForm formFor(WeightFormat format, int64_t tokens);

// Activation rows in the order in which the weights of one format unpack, zero-padded, in blocks of columns so that the blocks of a few tokens
// stay in the first-level cache. Results are summed block by block, so where the blocks begin depends on the columns, format and form alone.
class PackedRows {
  public:
    static constexpr int64_t kMostBlockCols = 1024;
    static constexpr int64_t kPackRows = AmxRows::kTileRows;

    PackedRows() = default;
    // Uninitialised rows in memory that lives as long as `scope`. With kSingle every call of multiplyRows must have just one target.
    PackedRows(WeightFormat format, int64_t rows, int64_t cols, TokenForm form, ArenaScope& scope);

    [[nodiscard]] bool present() const { return data_ != nullptr || amx_.present(); }
    // Fills rows `first` and on; different threads may pack different rows. With kAmx `first` is a multiple of kPackRows, and no more are given.
    void pack(int64_t first, std::span<const float* const> rows) const;

    [[nodiscard]] int64_t cols() const { return cols_; }
    [[nodiscard]] TokenForm form() const { return form_; }
    // With kAmx only the rows are there, with any other form only the blocks.
    [[nodiscard]] const AmxRows& amxRows() const { return amx_; }
    [[nodiscard]] int64_t blocks() const { return blocks_; }
    [[nodiscard]] int64_t blockCols() const { return blockCols_; }
    // The columns of a row from b * blockCols() on, up to blockCols() of them.
    [[nodiscard]] float* block(int64_t row, int64_t b) const {
        return data_ + (b * rows_ + row) * strideOf(blockCols_);
    }
    // Floats from one packed row to the next: one cache line more than a block, or rows would fall into the same few sets of a cache.
    static constexpr int64_t strideOf(int64_t blockCols) { return blockCols + 16; }

  private:
    void packRow(int64_t row, const float* x) const;

    WeightFormat format_ = WeightFormat::kF32;
    TokenForm form_ = TokenForm::kMany;
    int64_t rows_ = 0;
    int64_t cols_ = 0;
    int64_t blocks_ = 0;
    int64_t blockCols_ = 0;
    float* data_ = nullptr;
    AmxRows amx_;
};

// One product: an activation row and where its results go.
struct RowTarget {
    int64_t row;  // of the packed activations
    float* out;   // [weight.rows]
};

// target.out[n] (+)= sum_k weight[n, k] x[target.row][k] for n in [begin, end) and every target. Each result depends on its own two rows only.
// With TokenForm::kAmx the targets are neighbouring rows, the first of them a multiple of kPackRows.
void multiplyRows(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                  std::span<const RowTarget> targets, LinearPart::Write write, Arena& arena);

// How many of `rows` weight rows make a task: whole tiles that stay in the second-level cache when unpacked, and enough tasks that no thread
// waits long for the last one.
int64_t rowsPerTask(int64_t rows, int threads, TokenForm form);

}  // namespace pal::cpu
