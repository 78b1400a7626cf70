// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/row_product.h"

#include <algorithm>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/mxfp4_vnni.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/row_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/dot-inl.h"
#include "kernels/cpu/mxfp4_single-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// Tokens that share one unpacking of the weights: their results, which are added to block by block, stay in the caches.
constexpr size_t kTokenBlock = 192;
// Up to this many tokens unpack the weights again for each few of them, which is quicker than by way of memory.
constexpr size_t kFewTokens = 12;
// How far rows that are read one after the other are asked for ahead, in bytes.
constexpr int64_t kStreamAhead = 8192;
// Weight rows on which the chunks of few tokens take turns, a multiple of all tile heights.
constexpr int64_t kTurnRows = 12;

template <class Format>
void packBlock(const float* x, int64_t cols, float* packed) {
    int64_t col = 0;
    for (; col + Format::kStepCols <= cols; col += Format::kStepCols) Format::pack(x + col, packed + col);
    if (col == cols) return;
    float tail[Format::kStepCols] = {};
    std::copy_n(x + col, cols - col, tail);
    Format::pack(tail, packed + col);
}

void packColumns(WeightFormat format, TokenForm form, const float* x, int64_t cols, float* packed) {
    switch (format) {
        case WeightFormat::kF32:
            return packBlock<F32Format>(x, cols, packed);
        case WeightFormat::kBF16:
            return packBlock<Bf16Format>(x, cols, packed);
        case WeightFormat::kMxfp4:
            return form == TokenForm::kSingle ? packBlock<Mxfp4Single>(x, cols, packed)
                                              : packBlock<Mxfp4Format>(x, cols, packed);
    }
}

// Calls body(first, count) for chunks of nearly equal size, at most `largest`.
template <class Body>
void forChunks(size_t count, size_t largest, const Body& body) {
    const size_t chunks = (count + largest - 1) / largest;
    for (size_t c = 0; c < chunks; ++c) {
        const size_t first = c * count / chunks;
        body(first, (c + 1) * count / chunks - first);
    }
}

// The products of rows [begin, end) with up to kTokenBlock targets, written or added block of columns by block of columns.
template <class Format>
class BlockProduct {
  public:
    BlockProduct(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                 std::span<const RowTarget> targets, LinearPart::Write write)
        : weight_(weight), begin_(begin), rows_(end - begin), x_(x), targets_(targets), write_(write) {}

    // `panel` holds panelFloats(rows, x) floats, or nothing for few tokens.
    void run(float* panel) {
        if (targets_.size() <= kFewTokens) return addFewTokens();
        for (int64_t b = 0; b < x_.blocks(); ++b) addBlock(b, panel);
    }

  private:
    [[nodiscard]] int64_t colsOf(int64_t block) const {
        return std::min(x_.blockCols(), weight_.cols - block * x_.blockCols());
    }

    // Beyond the last row is the last one again: tiles are always whole, and what is too much is not stored.
    [[nodiscard]] WeightRow rowAt(int64_t row, int64_t col) const {
        const int64_t element = (begin_ + std::min(row, rows_ - 1)) * weight_.cols + col;
        WeightRow at{static_cast<const uint8_t*>(weight_.data) + element * Format::kStepBytes / Format::kStepCols,
                     nullptr};
        if constexpr (Format::kStepScales > 0)
            at.scale = weight_.scale + element * Format::kStepScales / Format::kStepCols;
        return at;
    }

    template <int kTokens>
    void tokensAt(size_t first, int64_t block, const float* (&x)[kTokens]) const {
        for (int m = 0; m < kTokens; ++m) x[m] = x_.block(targets_[first + static_cast<size_t>(m)].row, block);
    }

    // Chunks of tokens take turns on a few rows, which come from memory for the first of them only.
    void addFewTokens() {
        for (int64_t n = 0; n < rows_; n += kTurnRows) {
            forChunks(targets_.size(), Format::kMostTokens, [&](size_t first, size_t count) {
                addChunk<Format::kMostTokens>(first, count, n, std::min(n + kTurnRows, rows_));
            });
        }
    }

    template <int kTokens>
    void addChunk(size_t first, size_t count, int64_t begin, int64_t end) {
        if constexpr (kTokens > 1) {
            if (count < kTokens) return addChunk<kTokens - 1>(first, count, begin, end);
        }
        constexpr int kRows = Format::kTileRows[kTokens];
        for (int64_t n = begin; n < end; n += kRows) addWholeRows<kTokens, kRows>(first, n);
    }

    template <int kTokens, int kRows>
    HWY_NOINLINE void addWholeRows(size_t first, int64_t n) {
        const int64_t tileBytes = kRows * weight_.cols * Format::kStepBytes / Format::kStepCols;
        const uint8_t* ahead = rowAt(n, 0).data + (kRows == 1 ? kStreamAhead : tileBytes);
        for (int64_t b = 0; b < x_.blocks(); ++b) {
            const int64_t steps = colsOf(b) / Format::kStepCols;
            const int64_t done = steps * Format::kStepCols;
            const float* x[kTokens];
            tokensAt(first, b, x);
            WeightRow rows[kRows];
            for (int r = 0; r < kRows; ++r) rows[r] = rowAt(n + r, b * x_.blockCols());
            DotSums<kTokens, kRows> sums;
            clearSums<kTokens, kRows>(sums);
            Format::template add<kTokens, kRows>(rows, x, steps, ahead + b * steps * kRows * Format::kStepBytes, sums);
            if (done < colsOf(b)) {
                for (const float*& at : x) at += done;
                for (int r = 0; r < kRows; ++r) {
                    const RowTail<Format> tail(rowAt(n + r, b * x_.blockCols() + done), colsOf(b) - done);
                    addTail<kTokens>(tail.row(), x, sums[r]);
                }
            }
            store<kTokens, kRows>(sums, n, first, b);
        }
    }

    template <int kTokens>
    static void addTail(const WeightRow& row, const float* const (&x)[kTokens], DotVec (&sums)[kTokens]) {
        DotSums<kTokens, 1> one;
        for (int m = 0; m < kTokens; ++m) one[0][m] = sums[m];
        Format::template add<kTokens, 1>({row}, x, 1, row.data, one);
        for (int m = 0; m < kTokens; ++m) sums[m] = one[0][m];
    }

    void addBlock(int64_t block, float* panel) {
        const int64_t stride = PackedRows::strideOf(x_.blockCols());
        const int64_t wholeTiles = (rows_ + kPanelRows - 1) / kPanelRows * kPanelRows;
        for (int64_t n = 0; n < wholeTiles; ++n) unpackRow(n, block, panel + n * stride);
        forChunks(targets_.size(), kPanelTokens,
                  [&](size_t first, size_t count) { addPanel<kPanelTokens>(first, count, block, panel); });
    }

    void unpackRow(int64_t n, int64_t block, float* out) const {
        const int64_t steps = colsOf(block) / Format::kStepCols;
        const int64_t done = steps * Format::kStepCols;
        prefetchRow(n + 2, block);
        Format::unpack(rowAt(n, block * x_.blockCols()), steps, out);
        if (done == colsOf(block)) return;
        const RowTail<Format> tail(rowAt(n, block * x_.blockCols() + done), colsOf(block) - done);
        Format::unpack(tail.row(), 1, out + done);
    }

    // Rows are taken in pieces too short for the processor's prefetcher.
    void prefetchRow(int64_t n, int64_t block) const {
        constexpr int64_t kLine = 64;
        const uint8_t* from = rowAt(n, block * x_.blockCols()).data;
        const int64_t bytes = colsOf(block) * Format::kStepBytes / Format::kStepCols;
        for (int64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(from + at);
    }

    template <int kTokens>
    void addPanel(size_t first, size_t count, int64_t block, const float* panel) {
        if constexpr (kTokens > 1) {
            if (count < kTokens) return addPanel<kTokens - 1>(first, count, block, panel);
        }
        for (int64_t n = 0; n < rows_; n += kPanelRows) {
            prefetchTokens(first + kTokens, block, n);
            addPanelTile<kTokens>(n, first, block, panel);
        }
    }

    // Activations come from far away; each tile fetches its share of those that the next chunk of tokens needs.
    void prefetchTokens(size_t first, int64_t block, int64_t n) const {
        constexpr int64_t kLine = 16;  // floats
        constexpr int kSecondLevel = 2;
        const int64_t share = (colsOf(block) * kPanelRows / rows_ + kLine) / kLine * kLine;
        const int64_t begin = n / kPanelRows * share;
        const int64_t end = std::min(begin + share, colsOf(block));
        for (size_t m = first; m < std::min(first + kPanelTokens, targets_.size()); ++m) {
            const float* x = x_.block(targets_[m].row, block);
            for (int64_t at = begin; at < end; at += kLine) __builtin_prefetch(x + at, 0, kSecondLevel);
        }
    }

    template <int kTokens>
    HWY_NOINLINE void addPanelTile(int64_t n, size_t first, int64_t block, const float* panel) {
        const int64_t stride = PackedRows::strideOf(x_.blockCols());
        const float* x[kTokens];
        const float* rows[kPanelRows];
        tokensAt(first, block, x);
        for (int r = 0; r < kPanelRows; ++r) rows[r] = panel + (n + r) * stride;
        // The results are wanted at the end of the tile, and may have left the cache since the block before.
        for (int m = 0; m < kTokens; ++m)
            __builtin_prefetch(targets_[first + static_cast<size_t>(m)].out + begin_ + n, 1);
        DotSums<kTokens, kPanelRows> sums;
        clearSums<kTokens, kPanelRows>(sums);
        const int64_t steps = (colsOf(block) + Format::kStepCols - 1) / Format::kStepCols;
        panelAdd<kTokens, kPanelRows>(rows, x, steps * Format::kStepCols / kDotLanes, sums);
        store<kTokens, kPanelRows>(sums, n, first, block);
    }

    // Adds the lanes of the sums, and these to the results; the first block begins what is not added to.
    template <int kTokens, int kRows>
    HWY_INLINE void store(const DotSums<kTokens, kRows>& sums, int64_t n, size_t first, int64_t block) const {
        static_assert(kRows <= 4);
        const hn::Full128<float> d4;
        const bool fresh = block == 0 && write_ == LinearPart::Write::kSet;
        const int64_t count = std::min<int64_t>(kRows, rows_ - n);
        PAL_UNROLL
        for (int m = 0; m < kTokens; ++m) {
            float* out = targets_[first + static_cast<size_t>(m)].out + begin_ + n;
            const auto row = [&](int r)
                                 HWY_ATTR { return r < kRows ? sums[r < kRows ? r : 0][m] : hn::Zero(DotF32()); };
            const auto total = sumLanesOf4(row(0), row(1), row(2), row(3));
            if (count == 4) {
                hn::StoreU(fresh ? total : hn::Add(hn::LoadU(d4, out), total), d4, out);
                continue;
            }
            HWY_ALIGN float each[4];
            hn::Store(total, d4, each);
            for (int64_t r = 0; r < count; ++r) out[r] = fresh ? each[r] : out[r] + each[r];
        }
    }

    const WeightView& weight_;
    int64_t begin_;
    int64_t rows_;
    const PackedRows& x_;
    std::span<const RowTarget> targets_;
    LinearPart::Write write_;
};

template <class Format>
void multiplyFormat(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                    std::span<const RowTarget> targets, LinearPart::Write write, ArenaScope& scope) {
    const int64_t panelRows = (end - begin + kPanelRows - 1) / kPanelRows * kPanelRows;
    auto* panel = targets.size() <= kFewTokens
                      ? nullptr
                      : scope.array<float>(static_cast<size_t>(panelRows * PackedRows::strideOf(x.blockCols())));
    forChunks(targets.size(), kTokenBlock, [&](size_t first, size_t count) {
        BlockProduct<Format>(weight, begin, end, x, targets.subspan(first, count), write).run(panel);
    });
}

void multiplyAnyFormat(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                       std::span<const RowTarget> targets, LinearPart::Write write, ArenaScope& scope) {
    switch (weight.format) {
        case WeightFormat::kF32:
            return multiplyFormat<F32Format>(weight, begin, end, x, targets, write, scope);
        case WeightFormat::kBF16:
            return multiplyFormat<Bf16Format>(weight, begin, end, x, targets, write, scope);
        case WeightFormat::kMxfp4:
            if (x.form() == TokenForm::kSingle)
                return Mxfp4Single::multiply(weight, begin, end, x.block(targets[0].row, 0), targets[0].out, write);
            return multiplyFormat<Mxfp4Format>(weight, begin, end, x, targets, write, scope);
    }
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(packColumns);
HWY_EXPORT(multiplyAnyFormat);

namespace {

// A multiple of the columns of one step in every format and instruction set.
constexpr int64_t kPadding = 256;

// MXFP4 rows are short enough for a single token to be read in one go.
int64_t blocksOf(WeightFormat format, TokenForm form, int64_t cols) {
    if (format == WeightFormat::kMxfp4 && form == TokenForm::kSingle) return 1;
    return (cols + PackedRows::kMostBlockCols - 1) / PackedRows::kMostBlockCols;
}

}  // namespace

// A single token, which decoding is made of, goes its own way. All others go the same one, though two with MXFP4 weights would take half the time
// on the vectors: what a prompt leaves shall not depend on the steps that it is read in.
TokenForm formFor(WeightFormat format, int64_t tokens) {
    if (tokens == 1) return TokenForm::kSingle;
    return format != WeightFormat::kF32 && usesAmx() ? TokenForm::kAmx : TokenForm::kMany;
}

int64_t rowsPerTask(int64_t rows, int threads, TokenForm form) {
    const bool amx = form == TokenForm::kAmx;
    const int64_t tiles = amx ? 64 : 12;
    const int64_t mostTiles = amx ? 6 : 4;
    const int64_t tasksPerThread = amx ? 3 : 6;
    return std::clamp(rows / (tasksPerThread * threads) / tiles * tiles, tiles, mostTiles * tiles);
}

PackedRows::PackedRows(WeightFormat format, int64_t rows, int64_t cols, TokenForm form, ArenaScope& scope)
    : format_(format), form_(form), rows_(rows), cols_(cols) {
    if (form == TokenForm::kAmx) {
        amx_ = AmxRows(rows, cols, scope);
        return;
    }
    blocks_ = blocksOf(format, form, cols);
    blockCols_ = ((cols + blocks_ - 1) / blocks_ + kPadding - 1) / kPadding * kPadding;
    data_ = scope.array<float>(static_cast<size_t>(rows * blocks_ * strideOf(blockCols_)));
}

void PackedRows::pack(int64_t first, std::span<const float* const> rows) const {
    if (form_ == TokenForm::kAmx) return amx_.pack(first / kPackRows, rows);
    for (size_t i = 0; i < rows.size(); ++i) packRow(first + static_cast<int64_t>(i), rows[i]);
}

void PackedRows::packRow(int64_t row, const float* x) const {
    for (int64_t b = 0; b < blocks(); ++b) {
        const int64_t cols = std::min(blockCols_, cols_ - b * blockCols_);
        HWY_DYNAMIC_DISPATCH(packColumns)(format_, form_, x + b * blockCols_, cols, block(row, b));
    }
}

void multiplyRows(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                  std::span<const RowTarget> targets, LinearPart::Write write, Arena& arena) {
    ArenaScope scope(arena);
    if (weight.format == WeightFormat::kMxfp4 && x.form() == TokenForm::kSingle && usesVnni())
        return vnniMultiply(weight, begin, end, x.block(targets[0].row, 0), targets[0].out, write);
    if (x.form() != TokenForm::kAmx)
        return HWY_DYNAMIC_DISPATCH(multiplyAnyFormat)(weight, begin, end, x, targets, write, scope);
    auto* out = scope.array<float*>(targets.size());
    std::ranges::transform(targets, out, &RowTarget::out);
    amxMultiply(weight, begin, end, x.amxRows(), targets[0].row / PackedRows::kPackRows, {out, targets.size()}, write,
                arena);
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
