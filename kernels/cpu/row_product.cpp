// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/row_product.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/row_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// Tokens whose partial sums are kept at a time: with the weight block they fill the second-level cache.
constexpr size_t kTokenBlock = 64;

template <class Format>
void packBlock(const float* x, int64_t cols, float* packed) {
    int64_t col = 0;
    for (; col + Format::kStepCols <= cols; col += Format::kStepCols) Format::pack(x + col, packed + col);
    if (col == cols) return;
    float tail[Format::kStepCols] = {};
    std::copy_n(x + col, cols - col, tail);
    Format::pack(tail, packed + col);
}

void packColumns(WeightFormat format, bool single, const float* x, int64_t cols, float* packed) {
    switch (format) {
        case WeightFormat::kF32:
            return packBlock<F32Format>(x, cols, packed);
        case WeightFormat::kBF16:
            return packBlock<Bf16Format>(x, cols, packed);
        case WeightFormat::kMxfp4:
            return single ? packBlock<Mxfp4SingleFormat>(x, cols, packed) : packBlock<Mxfp4Format>(x, cols, packed);
    }
}

// The products of rows [begin, end) with up to kTokenBlock targets. partial[n][m][lane] are the sums that all tiles add to.
template <class Format>
class BlockProduct {
  public:
    BlockProduct(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                 std::span<const RowTarget> targets)
        : weight_(weight), begin_(begin), rows_(end - begin), x_(x), targets_(targets) {}

    [[nodiscard]] size_t partialFloats() const { return static_cast<size_t>(rows_ * kDotLanes) * targets_.size(); }
    [[nodiscard]] size_t panelFloats() const {
        return few() ? 0 : static_cast<size_t>(rows_ * PackedRows::kColumnBlock);
    }

    void run(LinearPart::Write write, float* partial, float* panel) {
        partial_ = partial;
        panel_ = panel;
        if (few()) {
            addFewTokens();
        } else if constexpr (!kSingle) {
            for (int64_t b = 0; b < x_.blocks(); ++b) addBlock(b);
        }
        for (size_t m = 0; m < targets_.size(); ++m) store(m, write);
    }

  private:
    static constexpr bool kSingle = Format::kMostTokens == 1;

    [[nodiscard]] bool few() const { return static_cast<int64_t>(targets_.size()) <= PackedRows::kFewTokens; }
    [[nodiscard]] int64_t colsOf(int64_t block) const {
        return std::min(x_.blockCols(), weight_.cols - block * x_.blockCols());
    }

    [[nodiscard]] WeightRow rowAt(int64_t row, int64_t col) const {
        const int64_t element = (begin_ + row) * weight_.cols + col;
        WeightRow at{static_cast<const uint8_t*>(weight_.data) + element * Format::kStepBytes / Format::kStepCols,
                     nullptr};
        if constexpr (Format::kStepScales > 0)
            at.scale = weight_.scale + element * Format::kStepScales / Format::kStepCols;
        return at;
    }

    [[nodiscard]] float* partial(int64_t n, size_t m) const {
        return partial_ + (n * static_cast<int64_t>(targets_.size()) + static_cast<int64_t>(m)) * kDotLanes;
    }

    template <int kTokens, int kRows>
    void storeSums(const DotSums<kTokens, kRows>& sums, int64_t n, size_t first) const {
        for (int r = 0; r < kRows; ++r) {
            for (int m = 0; m < kTokens; ++m)
                hn::Store(sums[r][m], DotF32(), partial(n + r, first + static_cast<size_t>(m)));
        }
    }

    void addFewTokens() {
        if constexpr (kSingle) return addRows<1>();
        if (targets_.size() == 1) return addRows<1>();
        if constexpr (!kSingle) {
            if (targets_.size() == 2) return addRows<2>();
            if (targets_.size() == 3) return addRows<3>();
            addRows<4>();
        }
    }

    template <int kTokens>
    HWY_NOINLINE void addRows() {
        constexpr int kRows = Format::kTileRows[kTokens];
        int64_t n = 0;
        for (; n + kRows <= rows_; n += kRows) addWholeRows<kTokens, kRows>(n);
        for (; n < rows_; ++n) addWholeRows<kTokens, 1>(n);
    }

    template <int kTokens, int kRows>
    HWY_INLINE void addWholeRows(int64_t n) {
        DotSums<kTokens, kRows> sums;
        for (auto& row : sums) {
            for (DotVec& sum : row) sum = hn::Zero(DotF32());
        }
        for (int64_t b = 0; b < x_.blocks(); ++b) {
            const int64_t steps = colsOf(b) / Format::kStepCols;
            const int64_t done = steps * Format::kStepCols;
            const float* x[kTokens];
            WeightRow rows[kRows];
            for (int m = 0; m < kTokens; ++m) x[m] = x_.block(targets_[static_cast<size_t>(m)].row, b);
            for (int r = 0; r < kRows; ++r) rows[r] = rowAt(n + r, b * x_.blockCols());
            Format::template add<kTokens, kRows>(rows, x, steps, rowAt(n + kRows, b * x_.blockCols()).data, sums);
            if (done == colsOf(b)) continue;
            for (const float*& at : x) at += done;
            for (int r = 0; r < kRows; ++r) {
                const RowTail<Format> tail(rowAt(n + r, b * x_.blockCols() + done), colsOf(b) - done);
                addTail<kTokens>(tail.row(), x, sums[r]);
            }
        }
        storeSums<kTokens, kRows>(sums, n, 0);
    }

    template <int kTokens>
    static void addTail(const WeightRow& row, const float* const (&x)[kTokens], DotVec (&sums)[kTokens]) {
        DotSums<kTokens, 1> one;
        for (int m = 0; m < kTokens; ++m) one[0][m] = sums[m];
        Format::template add<kTokens, 1>({row}, x, 1, row.data, one);
        for (int m = 0; m < kTokens; ++m) sums[m] = one[0][m];
    }

    void addBlock(int64_t block) {
        const int64_t steps = colsOf(block) / Format::kStepCols;
        const int64_t done = steps * Format::kStepCols;
        for (int64_t n = 0; n < rows_; ++n) {
            float* row = panel_ + n * PackedRows::kColumnBlock;
            Format::unpack(rowAt(n, block * x_.blockCols()), steps, row);
            if (done == colsOf(block)) continue;
            const RowTail<Format> tail(rowAt(n, block * x_.blockCols() + done), colsOf(block) - done);
            Format::unpack(tail.row(), 1, row + done);
        }
        const int64_t vectors =
            (colsOf(block) + Format::kStepCols - 1) / Format::kStepCols * Format::kStepCols / kDotLanes;
        for (size_t m = 0; m < targets_.size();) {
            const size_t left = targets_.size() - m;
            // Five are taken as three and two: a tile of one token would not fill the units.
            const size_t count = left == 5 ? 3 : std::min<size_t>(4, left);
            if (count == 4) addPanel<4, 3>(m, block, vectors);
            if (count == 3) addPanel<3, 4>(m, block, vectors);
            if (count == 2) addPanel<2, 6>(m, block, vectors);
            m += count;
        }
    }

    template <int kTokens, int kRows>
    void addPanel(size_t first, int64_t block, int64_t vectors) {
        int64_t n = 0;
        for (; n + kRows <= rows_; n += kRows) {
            prefetchTokens(first + kTokens, block, n, n + kRows);
            addPanelTile<kTokens, kRows>(n, first, block, vectors);
        }
        for (; n < rows_; ++n) addPanelTile<kTokens, 1>(n, first, block, vectors);
    }

    // The activations of the next four tokens come from far away; each tile fetches its share, rows [begin, end) of all rows.
    void prefetchTokens(size_t first, int64_t block, int64_t begin, int64_t end) const {
        constexpr int64_t kLine = 16;  // floats
        for (size_t m = first; m < std::min(first + 4, targets_.size()); ++m) {
            const float* x = x_.block(targets_[m].row, block);
            const int64_t last = colsOf(block) * end / rows_;
            for (int64_t at = colsOf(block) * begin / rows_; at < last; at += kLine) __builtin_prefetch(x + at);
        }
    }

    template <int kTokens, int kRows>
    HWY_NOINLINE void addPanelTile(int64_t n, size_t first, int64_t block, int64_t vectors) {
        const float* x[kTokens];
        const float* rows[kRows];
        for (int m = 0; m < kTokens; ++m) x[m] = x_.block(targets_[first + static_cast<size_t>(m)].row, block);
        for (int r = 0; r < kRows; ++r) rows[r] = panel_ + (n + r) * PackedRows::kColumnBlock;
        DotSums<kTokens, kRows> sums;
        for (int r = 0; r < kRows; ++r) {
            for (int m = 0; m < kTokens; ++m) {
                sums[r][m] = block == 0 ? hn::Zero(DotF32())
                                        : hn::Load(DotF32(), partial(n + r, first + static_cast<size_t>(m)));
            }
        }
        panelAdd<kTokens, kRows>(rows, x, vectors, sums);
        storeSums<kTokens, kRows>(sums, n, first);
    }

    void store(size_t m, LinearPart::Write write) const {
        const DotF32 d;
        const hn::Full128<float> d4;
        float* out = targets_[m].out + begin_;
        int64_t n = 0;
        for (; n + 4 <= rows_; n += 4) {
            auto sums = sumLanesOf4(hn::Load(d, partial(n, m)), hn::Load(d, partial(n + 1, m)),
                                    hn::Load(d, partial(n + 2, m)), hn::Load(d, partial(n + 3, m)));
            if (write == LinearPart::Write::kAdd) sums = hn::Add(hn::LoadU(d4, out + n), sums);
            hn::StoreU(sums, d4, out + n);
        }
        for (; n < rows_; ++n) {
            const auto zero = hn::Zero(d);
            const float sum = hn::GetLane(sumLanesOf4(hn::Load(d, partial(n, m)), zero, zero, zero));
            out[n] = write == LinearPart::Write::kAdd ? out[n] + sum : sum;
        }
    }

    const WeightView& weight_;
    int64_t begin_;
    int64_t rows_;
    const PackedRows& x_;
    std::span<const RowTarget> targets_;
    float* partial_ = nullptr;
    float* panel_ = nullptr;
};

template <class Format>
void multiplyFormat(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                    std::span<const RowTarget> targets, LinearPart::Write write, ArenaScope& scope) {
    // Blocks of nearly equal size, so that none is left with few tokens.
    const size_t blocks = (targets.size() + kTokenBlock - 1) / kTokenBlock;
    const size_t largest = (targets.size() + blocks - 1) / blocks;
    const BlockProduct<Format> sizes(weight, begin, end, x, targets.first(largest));
    auto* partial = scope.array<float>(sizes.partialFloats());
    auto* panel = scope.array<float>(sizes.panelFloats());
    for (size_t b = 0; b < blocks; ++b) {
        const size_t first = b * targets.size() / blocks;
        const size_t last = (b + 1) * targets.size() / blocks;
        BlockProduct<Format>(weight, begin, end, x, targets.subspan(first, last - first)).run(write, partial, panel);
    }
}

void multiplyAnyFormat(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                       std::span<const RowTarget> targets, LinearPart::Write write, ArenaScope& scope) {
    switch (weight.format) {
        case WeightFormat::kF32:
            return multiplyFormat<F32Format>(weight, begin, end, x, targets, write, scope);
        case WeightFormat::kBF16:
            return multiplyFormat<Bf16Format>(weight, begin, end, x, targets, write, scope);
        case WeightFormat::kMxfp4:
            if (x.single()) return multiplyFormat<Mxfp4SingleFormat>(weight, begin, end, x, targets, write, scope);
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
constexpr int64_t kPadding = 128;

}  // namespace

PackedRows::PackedRows(WeightFormat format, int64_t rows, int64_t cols, int64_t together, ArenaScope& scope)
    : format_(format),
      single_(together == 1),
      rows_(rows),
      cols_(cols),
      padded_((cols + kPadding - 1) / kPadding * kPadding),
      blockCols_(together <= kFewTokens ? padded_ : kColumnBlock),
      data_(scope.array<float>(static_cast<size_t>(rows * padded_))) {}

void PackedRows::pack(int64_t row, const float* x) const {
    for (int64_t b = 0; b < blocks(); ++b) {
        const int64_t cols = std::min(blockCols_, cols_ - b * blockCols_);
        HWY_DYNAMIC_DISPATCH(packColumns)(format_, single_, x + b * blockCols_, cols, block(row, b));
    }
}

void multiplyRows(const WeightView& weight, int64_t begin, int64_t end, const PackedRows& x,
                  std::span<const RowTarget> targets, LinearPart::Write write, Arena& arena) {
    ArenaScope scope(arena);
    HWY_DYNAMIC_DISPATCH(multiplyAnyFormat)(weight, begin, end, x, targets, write, scope);
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
