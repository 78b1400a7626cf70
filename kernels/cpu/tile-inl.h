// SPDX-License-Identifier: Apache-2.0
// Small matrix products on data that lies in the caches, compiled once per instruction set: what chunked KDA and attention are made of.
//
// The result is a panel, [rows][panelWidth()] floats, two vectors wide; a wider matrix is a row of panels, one after the other. The right operand
// is a panel too, or that many columns of a wider row-major matrix. The left operand is read one float at a time, so it needs no packing.

#if defined(PAL_KERNELS_CPU_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_TILE_INL_H_
#undef PAL_KERNELS_CPU_TILE_INL_H_
#else
#define PAL_KERNELS_CPU_TILE_INL_H_
#endif

#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// Rows of a register tile: AVX2 has 16 vector registers (12 sums, 2 of b, 1 of a), AVX-512 has 32.
#if HWY_TARGET <= HWY_AVX3
inline constexpr int kTileRows = 8;
#else
inline constexpr int kTileRows = 6;
#endif

HWY_INLINE int64_t panelWidth() {
    return 2 * lanesF32();
}
HWY_INLINE int64_t panelsFor(int64_t columns) {
    return (columns + panelWidth() - 1) / panelWidth();
}

// Where element (row, k) of the left operand lies: a[row * lda + k] or a[k * lda + row].
enum class Left { kRowMajor, kDepthMajor };
// What the product is added to: nothing, c, or c with row i scaled by rowScale[i].
enum class Base { kZero, kResult, kScaledResult };

template <int kRows, Left kLeft, Base kBase>
HWY_INLINE void multiplyTile(const float* HWY_RESTRICT a, int64_t lda, const float* HWY_RESTRICT b, int64_t ldb,
                             int64_t depth, float* HWY_RESTRICT c, const float* HWY_RESTRICT rowScale) {
    const F32 d;
    const int64_t lanes = lanesF32();
    VecF32 sum[kRows][2];
    PAL_UNROLL
    for (int i = 0; i < kRows; ++i) {
        PAL_UNROLL
        for (int half = 0; half < 2; ++half) {
            sum[i][half] = kBase == Base::kZero ? hn::Zero(d) : hn::LoadU(d, c + (2 * i + half) * lanes);
            if (kBase == Base::kScaledResult) sum[i][half] = hn::Mul(hn::Set(d, rowScale[i]), sum[i][half]);
        }
    }
    for (int64_t k = 0; k < depth; ++k) {
        const VecF32 b0 = hn::LoadU(d, b + k * ldb);
        const VecF32 b1 = hn::LoadU(d, b + k * ldb + lanes);
        PAL_UNROLL
        for (int i = 0; i < kRows; ++i) {
            const VecF32 left = hn::Set(d, kLeft == Left::kRowMajor ? a[i * lda + k] : a[k * lda + i]);
            sum[i][0] = hn::MulAdd(left, b0, sum[i][0]);
            sum[i][1] = hn::MulAdd(left, b1, sum[i][1]);
        }
    }
    PAL_UNROLL
    for (int i = 0; i < kRows; ++i) {
        hn::StoreU(sum[i][0], d, c + 2 * i * lanes);
        hn::StoreU(sum[i][1], d, c + (2 * i + 1) * lanes);
    }
}

// The last rows of a product, fewer than a tile.
template <int kRows, Left kLeft, Base kBase>
HWY_INLINE void multiplyLastRows(int64_t rows, const float* a, int64_t lda, const float* b, int64_t ldb, int64_t depth,
                                 float* c, const float* rowScale) {
    if constexpr (kRows > 0) {
        if (rows == kRows) {
            multiplyTile<kRows, kLeft, kBase>(a, lda, b, ldb, depth, c, rowScale);
        } else {
            multiplyLastRows<kRows - 1, kLeft, kBase>(rows, a, lda, b, ldb, depth, c, rowScale);
        }
    }
}

// c[rows][panel] = base + a[rows][depth] b[depth][panel], rows of b ldb floats apart. Each result depends on its row of a and column of b only.
template <Left kLeft, Base kBase>
HWY_INLINE void multiplyPanel(int64_t rows, const float* a, int64_t lda, const float* b, int64_t ldb, int64_t depth,
                              float* c, const float* rowScale = nullptr) {
    const int64_t width = panelWidth();
    const int64_t step = kLeft == Left::kRowMajor ? lda : 1;
    int64_t i = 0;
    for (; i + kTileRows <= rows; i += kTileRows) {
        multiplyTile<kTileRows, kLeft, kBase>(a + i * step, lda, b, ldb, depth, c + i * width,
                                              kBase == Base::kScaledResult ? rowScale + i : nullptr);
    }
    multiplyLastRows<kTileRows - 1, kLeft, kBase>(rows - i, a + i * step, lda, b, ldb, depth, c + i * width,
                                                  kBase == Base::kScaledResult ? rowScale + i : nullptr);
}

// out[j * outStride + i] = in[i * inStride + j] for i < rows, j < columns.
HWY_INLINE void transpose(const float* HWY_RESTRICT in, int64_t inStride, int64_t rows, int64_t columns,
                          float* HWY_RESTRICT out, int64_t outStride) {
    int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    // Four rows at a time: one vector of each, interleaved into runs of four neighbours of an output row.
    const F32 d;
    const hn::FixedTag<float, 4> d4;
    const int64_t lanes = lanesF32();
    HWY_ALIGN float runs[4 * hn::MaxLanes(F32())];
    for (; i + 4 <= rows; i += 4) {
        const float* row = in + i * inStride;
        int64_t j = 0;
        for (; j + lanes <= columns; j += lanes) {
            hn::StoreInterleaved4(hn::LoadU(d, row + j), hn::LoadU(d, row + inStride + j),
                                  hn::LoadU(d, row + 2 * inStride + j), hn::LoadU(d, row + 3 * inStride + j), d, runs);
            for (int64_t l = 0; l < lanes; ++l) {
                hn::StoreU(hn::Load(d4, runs + 4 * l), d4, out + (j + l) * outStride + i);
            }
        }
        for (; j < columns; ++j) {
            for (int64_t r = 0; r < 4; ++r) out[j * outStride + i + r] = row[r * inStride + j];
        }
    }
#endif
    for (; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) out[j * outStride + i] = in[i * inStride + j];
    }
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
