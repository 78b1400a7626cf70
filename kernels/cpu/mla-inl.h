// SPDX-License-Identifier: Apache-2.0
// Reading latent pages and kv_b rows as float32, compiled once per instruction set.

#if defined(PAL_KERNELS_CPU_MLA_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_MLA_INL_H_
#undef PAL_KERNELS_CPU_MLA_INL_H_
#else
#define PAL_KERNELS_CPU_MLA_INL_H_
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>

#include "kernels/api/mla_args.h"
#include "kernels/cpu/bf16-inl.h"
#include "kernels/cpu/mla_absorbed.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

// The first `count` rows of page `page`, [count, rank + rope]: the page itself, or widened into `scratch`.
HWY_INLINE const float* pageRows(const LatentPages& cache, int64_t page, int64_t count, float* scratch) {
    const void* data = cache.pages[static_cast<size_t>(page)];
    if (cache.dtype == DType::kF32) return static_cast<const float*>(data);
    widenBf16(static_cast<const uint16_t*>(data), scratch, count * (cache.rank + cache.rope));
    return scratch;
}

// Rows [begin, begin + count) of an f32 or bf16 weight, [count, cols]. Weights may lie at any address, so they are always copied.
HWY_INLINE void weightRows(const WeightView& weight, int64_t begin, int64_t count, float* out) {
    const int64_t at = begin * weight.cols;
    const int64_t elements = count * weight.cols;
    if (weight.format == WeightFormat::kBF16) {
        widenBf16(static_cast<const uint16_t*>(weight.data) + at, out, elements);
    } else {
        std::memcpy(out, static_cast<const float*>(weight.data) + at, static_cast<size_t>(elements) * sizeof(float));
    }
}

// Where a row of a page lies among those that are kept for a probe (KeptScores): so that sums over the lanes of neighbouring rows come out of vectors in
// the order of the rows, see sumKeptLanes().
HWY_INLINE int64_t keptSlot(int64_t row) {
    constexpr uint64_t kLanes = kKeptLanes;
    const auto s = static_cast<uint64_t>(row);  // of unsigned numbers these are shifts
    const uint64_t blocks = hn::Lanes(F32()) / kLanes;
    const uint64_t rows = kLanes * blocks;
    return static_cast<int64_t>(s / rows * rows + s % kLanes * blocks + s / kLanes % blocks);
}

// Of lanesF32() rows in their slots, kKeptLanes lanes each: factor . lanes, in the order of the rows. The factors repeat through a vector.
HWY_INLINE VecF32 sumKeptLanes(const float* HWY_RESTRICT kept, VecF32 factor) {
    const F32 d;
#if HWY_TARGET == HWY_SCALAR
    return hn::Mul(hn::LoadU(d, kept), factor);
#else
    const hn::RepartitionToWide<F32> wide;
    const auto scaled = [&](int64_t i) HWY_ATTR { return hn::Mul(hn::LoadU(d, kept + i * lanesF32()), factor); };
    const auto halves = [&](VecF32 a, VecF32 b)
                            HWY_ATTR { return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)); };
    const VecF32 first = halves(scaled(0), scaled(1));
    const VecF32 second = halves(scaled(2), scaled(3));
    const auto low = hn::InterleaveLower(wide, hn::BitCast(wide, first), hn::BitCast(wide, second));
    const auto high = hn::InterleaveUpper(wide, hn::BitCast(wide, first), hn::BitCast(wide, second));
    return hn::Add(hn::BitCast(d, low), hn::BitCast(d, high));
#endif
}

// The sum of rows [begin, end) of a page as they lie in their slots: it remains to add up the vector's groups of kKeptLanes lanes.
HWY_INLINE VecF32 sumKeptRows(const float* HWY_RESTRICT kept, int64_t begin, int64_t end) {
    const F32 d;
    const hn::RebindToUnsigned<F32> du;
    const int64_t lanes =
        lanesF32();  // as many rows fill kKeptLanes vectors; the i-th of these has every kKeptLanes-th row from i on
    const auto firstRows = hn::And(hn::Iota(du, 0U), hn::Set(du, ~static_cast<uint32_t>(kKeptLanes - 1)));
    const auto some = hn::Set(du, static_cast<uint32_t>(end - begin));
    VecF32 even = hn::Zero(d);
    VecF32 odd = even;
    for (int64_t row = begin / lanes * lanes; row < end; row += lanes) {
        const bool whole = row >= begin && row + lanes <= end;
        PAL_UNROLL
        for (int64_t i = 0; i < kKeptLanes; ++i) {
            VecF32 values = hn::LoadU(d, kept + row * kKeptLanes + i * lanes);
            if (!whole) {  // unsigned: rows before `begin` are far behind the end
                const auto fromBegin = hn::Add(firstRows, hn::Set(du, static_cast<uint32_t>(row + i - begin)));
                values = hn::IfThenElseZero(hn::RebindMask(d, hn::Lt(fromBegin, some)), values);
            }
            VecF32& sum = i % 2 == 0 ? even : odd;
            sum = hn::Add(sum, values);
        }
    }
    return hn::Add(even, odd);
}

// Weight rows that a product reads as they are stored, or widened before; both give the same bits.
struct Bf16Rows {
    const uint16_t* data;
    int64_t stride;
    [[nodiscard]] HWY_INLINE VecF32 load(int64_t row, int64_t column) const {
        return LoadBf16(F32(), data + row * stride + column);
    }
    [[nodiscard]] HWY_INLINE float at(int64_t row, int64_t column) const {
        return bf16ToFloat(data + row * stride + column);
    }
};
struct F32Rows {
    const float* data;
    int64_t stride;
    [[nodiscard]] HWY_INLINE VecF32 load(int64_t row, int64_t column) const {
        return hn::LoadU(F32(), data + row * stride + column);
    }
    [[nodiscard]] HWY_INLINE float at(int64_t row, int64_t column) const { return data[row * stride + column]; }
};

// Asks for rows that come next; a hardware prefetcher follows several short rows at a time badly.
HWY_INLINE void prefetchRows(const WeightView& weight, int64_t begin, int64_t count) {
    const int64_t rowBytes = weight.cols * (weight.format == WeightFormat::kBF16 ? 2 : 4);
    const auto* from = static_cast<const char*>(weight.data) + begin * rowBytes;
    for (int64_t at = 0; at < count * rowBytes; at += 64) hwy::Prefetch(from + at);
}

// Calls use(rows, begin, some) for rows [begin, end) of the weight, up to `step` at a time. One user of each row reads bf16 in place; many
// users get the rows widened into scratch [step, cols].
template <class Use>
HWY_INLINE void forWeightRows(const WeightView& weight, int64_t begin, int64_t end, int64_t step, int64_t users,
                              float* scratch, const Use& use) {
    for (int64_t row = begin; row < end; row += step) {
        const int64_t some = std::min(step, end - row);
        prefetchRows(weight, row + some, std::min(step, end - row - some));
        if (users == 1 && weight.format == WeightFormat::kBF16) {
            use(Bf16Rows{static_cast<const uint16_t*>(weight.data) + row * weight.cols, weight.cols}, row, some);
        } else {
            weightRows(weight, row, some, scratch);
            use(F32Rows{scratch, weight.cols}, row, some);
        }
    }
}

// sum[c] += sum_j factor[j] rows[j][c]
template <int kRows, class Rows>
HWY_INLINE void addWeightedRows(const float* factor, const Rows& rows, int64_t columns, float* sum) {
    const F32 d;
    const int64_t whole = columns / lanesF32() * lanesF32();
    VecF32 factors[kRows];
    PAL_UNROLL
    for (int j = 0; j < kRows; ++j) factors[j] = hn::Set(d, factor[j]);
    for (int64_t c = 0; c < whole; c += lanesF32()) {
        VecF32 total = hn::LoadU(d, sum + c);
        PAL_UNROLL
        for (int j = 0; j < kRows; ++j) total = hn::MulAdd(factors[j], rows.load(j, c), total);
        hn::StoreU(total, d, sum + c);
    }
    for (int64_t c = whole; c < columns; ++c) {
        for (int j = 0; j < kRows; ++j) sum[c] += factor[j] * rows.at(j, c);
    }
}

// out[j] = rows[j] . x
template <int kRows, class Rows>
HWY_INLINE void dotRows(const Rows& rows, const float* x, int64_t columns, float* out) {
    const F32 d;
    const int64_t whole = columns / lanesF32() * lanesF32();
    VecF32 total[kRows];
    PAL_UNROLL
    for (int j = 0; j < kRows; ++j) total[j] = hn::Zero(d);
    for (int64_t c = 0; c < whole; c += lanesF32()) {
        const VecF32 right = hn::LoadU(d, x + c);
        PAL_UNROLL
        for (int j = 0; j < kRows; ++j) total[j] = hn::MulAdd(rows.load(j, c), right, total[j]);
    }
    PAL_UNROLL
    for (int j = 0; j < kRows; ++j) out[j] = sumLanes(total[j]);
    for (int64_t c = whole; c < columns; ++c) {
        for (int j = 0; j < kRows; ++j) out[j] += rows.at(j, c) * x[c];
    }
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
