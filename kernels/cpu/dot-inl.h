// SPDX-License-Identifier: Apache-2.0
// Dot products of weight rows in their storage format with packed float32 activations, compiled once per instruction set.
//
// Everything vectorises along the columns: each output has one vector of partial sums that takes the columns of a block in one fixed order, and
// whose lanes are added in one fixed order at its end. How many outputs a tile has therefore never changes a result, only the speed.
//
// For few tokens weights are unpacked in registers on their way through (Format::add). For many they are unpacked once into a panel of
// float32 rows (Format::unpack), which panelAdd multiplies.

#if defined(PAL_KERNELS_CPU_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_DOT_INL_H_
#undef PAL_KERNELS_CPU_DOT_INL_H_
#else
#define PAL_KERNELS_CPU_DOT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/api/tensor_view.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DotF32 = hn::ScalableTag<float>;
using DotU32 = hn::ScalableTag<uint32_t>;
using DotU8 = hn::ScalableTag<uint8_t>;
using DotVec = hn::Vec<DotF32>;

inline constexpr int64_t kDotLanes = HWY_LANES(float);

// A weight row from some column on.
struct WeightRow {
    const uint8_t* data;
    const uint8_t* scale;  // MXFP4 only
};

// Every format below names the columns, bytes and scales of one step (one vector load of weights), and gives
//   pack    brings the activations of one step into the order in which the weights of a step unpack;
//   unpack  writes `steps` steps of a weight row as float32 in that order;
//   add     adds `steps` steps of kRows weight rows times kTokens packed rows to the partial sums, and prefetches what it would take in as
//           many steps from `ahead` on;
//   kMostTokens   the largest kTokens of `add`;
//   kTileRows[t]  the kRows that is fastest with t tokens: what the 16 registers of AVX2 hold, but see kSingleRows.

template <int kTokens, int kRows>
using DotSums = DotVec[kRows][kTokens];

template <int kTokens, int kRows>
HWY_INLINE void clearSums(DotSums<kTokens, kRows>& sums) {
    PAL_UNROLL
    for (int r = 0; r < kRows; ++r) {
        PAL_UNROLL
        for (int m = 0; m < kTokens; ++m) sums[r][m] = hn::Zero(DotF32());
    }
}

// The tile of panelAdd: AVX2 has 16 vector registers (12 sums, 3 of x, 1 of a row), AVX-512 has 32.
inline constexpr int kPanelRows = 4;
#if HWY_TARGET <= HWY_AVX3
inline constexpr int kPanelTokens = 6;
#else
inline constexpr int kPanelTokens = 3;
#endif

// Keeps a loaded vector in its register. Without this GCC loads it again for each of its uses, and the loads become the limit.
HWY_INLINE DotVec keep(DotVec v) {
    asm("" : "+v"(v.raw));
    return v;
}

// sums[n][m] += w(n) x[m][at ...]: one vector of each weight row and each packed row. The shorter side stays in registers.
template <int kTokens, int kRows, class LoadWeights>
HWY_INLINE void addProducts(const LoadWeights& w, const float* const (&x)[kTokens], int64_t at,
                            DotSums<kTokens, kRows>& sums) {
    const DotF32 d;
    if constexpr (kTokens < kRows) {
        DotVec xs[kTokens];
        for (int m = 0; m < kTokens; ++m) xs[m] = keep(hn::Load(d, x[m] + at));
        for (int n = 0; n < kRows; ++n) {
            const DotVec ws = keep(w(n));
            for (int m = 0; m < kTokens; ++m) sums[n][m] = hn::MulAdd(ws, xs[m], sums[n][m]);
        }
    } else {
        DotVec ws[kRows];
        for (int n = 0; n < kRows; ++n) ws[n] = keep(w(n));
        for (int m = 0; m < kTokens; ++m) {
            const DotVec xs = keep(hn::Load(d, x[m] + at));
            for (int n = 0; n < kRows; ++n) sums[n][m] = hn::MulAdd(ws[n], xs, sums[n][m]);
        }
    }
}

// Adds `vectors` vectors of kRows panel rows times kTokens packed rows to the partial sums.
template <int kTokens, int kRows>
HWY_INLINE void panelAdd(const float* const (&rows)[kRows], const float* const (&x)[kTokens], int64_t vectors,
                         DotSums<kTokens, kRows>& sums) {
    for (int64_t at = 0; at < vectors * kDotLanes; at += kDotLanes) {
        addProducts<kTokens, kRows>([&](int n) HWY_ATTR { return hn::Load(DotF32(), rows[n] + at); }, x, at, sums);
    }
}

// Rows of a tile for a single token in float32 and bf16, where memory is the limit. One after the other they are one stream, which comes faster than
// rows side by side; but each row's sums wait for each other, which only the longer steps of AVX-512 leave time for.
#if HWY_TARGET <= HWY_AVX3
inline constexpr int kSingleRows = 1;
#else
inline constexpr int kSingleRows = 2;
#endif

// Short rows side by side are more streams than the processor's prefetcher follows, so each step prefetches what one step of the next tile
// reads, in the order of the memory. A single stream is more lines on their way than the first-level cache waits for.
template <int kRows, int64_t kStepBytes>
HWY_INLINE void prefetchStep(const uint8_t* ahead, int64_t step) {
    constexpr int64_t kLine = 64;
    constexpr int kLocality = kRows == 1 ? 2 : 3;  // second-level or first-level cache
    for (int64_t at = 0; at < kRows * kStepBytes; at += kLine)
        __builtin_prefetch(ahead + step * kRows * kStepBytes + at, 0, kLocality);
}

struct F32Format {
    static constexpr int64_t kStepCols = kDotLanes;
    static constexpr int64_t kStepBytes = kDotLanes * 4;
    static constexpr int64_t kStepScales = 0;
    static constexpr int kMostTokens = 4;
    static constexpr int kTileRows[kMostTokens + 1] = {0, kSingleRows, 4, 4, 3};

    static void pack(const float* x, float* packed) { hn::Store(hn::LoadU(DotF32(), x), DotF32(), packed); }

    template <int kTokens, int kRows>
    static HWY_INLINE void add(const WeightRow (&rows)[kRows], const float* const (&x)[kTokens], int64_t steps,
                               const uint8_t* ahead, DotSums<kTokens, kRows>& sums) {
        for (int64_t s = 0; s < steps; ++s) {
            prefetchStep<kRows, kStepBytes>(ahead, s);
            addProducts<kTokens, kRows>([&](int n) HWY_ATTR { return load(rows[n].data + s * kStepBytes); }, x,
                                        s * kStepCols, sums);
        }
    }

    static void unpack(const WeightRow& row, int64_t steps, float* out) {
        for (int64_t s = 0; s < steps; ++s) hn::Store(load(row.data + s * kStepBytes), DotF32(), out + s * kStepCols);
    }

  private:
    static HWY_INLINE DotVec load(const uint8_t* from) { return hn::BitCast(DotF32(), hn::LoadU(DotU8(), from)); }
};

// Pairs of bf16 are 32-bit words: even columns in the lower halves, odd columns in the upper halves.
struct Bf16Format {
    static constexpr int64_t kStepCols = 2 * kDotLanes;
    static constexpr int64_t kStepBytes = kDotLanes * 4;
    static constexpr int64_t kStepScales = 0;
    static constexpr int kMostTokens = 4;
    static constexpr int kTileRows[kMostTokens + 1] = {0, kSingleRows, 4, 4, 3};

    static void pack(const float* x, float* packed) {
        const DotF32 d;
        DotVec even = hn::Zero(d);
        DotVec odd = even;
        hn::LoadInterleaved2(d, x, even, odd);
        hn::Store(even, d, packed);
        hn::Store(odd, d, packed + kDotLanes);
    }

    template <int kTokens, int kRows>
    static HWY_INLINE void add(const WeightRow (&rows)[kRows], const float* const (&x)[kTokens], int64_t steps,
                               const uint8_t* ahead, DotSums<kTokens, kRows>& sums) {
        for (int64_t s = 0; s < steps; ++s) {
            prefetchStep<kRows, kStepBytes>(ahead, s);
            const auto words = [&](int n) HWY_ATTR { return load(rows[n].data + s * kStepBytes); };
            addProducts<kTokens, kRows>([&](int n) HWY_ATTR { return lower(words(n)); }, x, s * kStepCols, sums);
            addProducts<kTokens, kRows>([&](int n) HWY_ATTR { return upper(words(n)); }, x, s * kStepCols + kDotLanes,
                                        sums);
        }
    }

    static void unpack(const WeightRow& row, int64_t steps, float* out) {
        for (int64_t s = 0; s < steps; ++s) {
            const auto words = load(row.data + s * kStepBytes);
            hn::Store(lower(words), DotF32(), out + s * kStepCols);
            hn::Store(upper(words), DotF32(), out + s * kStepCols + kDotLanes);
        }
    }

    using Words = hn::Vec<DotU32>;
    static HWY_INLINE Words load(const uint8_t* from) { return hn::BitCast(DotU32(), hn::LoadU(DotU8(), from)); }
    static HWY_INLINE DotVec lower(Words words) { return hn::BitCast(DotF32(), hn::ShiftLeft<16>(words)); }
    static HWY_INLINE DotVec upper(Words words) {
        return hn::BitCast(DotF32(), hn::And(words, hn::Set(DotU32(), 0xFFFF0000U)));
    }
};

// E2M1 codes as bf16: the two bytes of each, by code.
alignas(16) inline constexpr uint8_t kE2m1Low[16] = {0x00, 0x00, 0x80, 0xC0, 0x00, 0x40, 0x80, 0xC0,
                                                     0x00, 0x00, 0x80, 0xC0, 0x00, 0x40, 0x80, 0xC0};
alignas(16) inline constexpr uint8_t kE2m1High[16] = {0x00, 0x3F, 0x3F, 0x3F, 0x40, 0x40, 0x40, 0x40,
                                                      0x80, 0xBF, 0xBF, 0xBF, 0xC0, 0xC0, 0xC0, 0xC0};

// E8M0 scales as float32, by code: 2^(code - 127), where code 0 is a denormal and code 255 is NaN.
struct E8m0Table {
    float value[256];
    constexpr E8m0Table() : value{} {
        value[0] = 0x1p-127F;
        for (int code = 1; code < 255; ++code) value[code] = code == 1 ? 0x1p-126F : 2 * value[code - 1];
        value[255] = std::numeric_limits<float>::quiet_NaN();
    }
};
inline constexpr E8m0Table kE8m0;

// Each 128-bit block of a step holds one group of 32 columns, in every weight vector of the step, so that one vector of scales serves them all.
struct Mxfp4Format {
    static constexpr int64_t kStepCols = 8 * kDotLanes;
    static constexpr int64_t kStepBytes = kDotLanes * 4;
    static constexpr int64_t kStepScales = kDotLanes / 4;  // one per block
    static constexpr int kMostTokens = 4;
    static constexpr int kTileRows[kMostTokens + 1] = {0, 4, 4, 2, 2};

    // The column of lane 0 of each weight vector within its group; lane i holds the column 4 i further on.
    static constexpr int kFirstColumn[8] = {0, 2, 16, 18, 1, 3, 17, 19};

    static void pack(const float* x, float* packed) {
        for (const int first : kFirstColumn) {
            for (int64_t group = 0; group < kStepScales; ++group) {
                for (int64_t lane = 0; lane < 4; ++lane) *packed++ = x[group * 32 + first + 4 * lane];
            }
        }
    }

    using Bytes = hn::Vec<DotU8>;

    // The scales of a step, each in the lanes of its block.
    static HWY_INLINE DotVec loadScales(const uint8_t* from) {
        const DotF32 d;
        const hn::Half<DotF32> dh;
        if constexpr (kStepScales == 2) {
            return hn::ConcatUpperLower(d, hn::Set(d, kE8m0.value[from[1]]), hn::Set(d, kE8m0.value[from[0]]));
        } else {
            const auto lower =
                hn::ConcatUpperLower(dh, hn::Set(dh, kE8m0.value[from[1]]), hn::Set(dh, kE8m0.value[from[0]]));
            const auto upper =
                hn::ConcatUpperLower(dh, hn::Set(dh, kE8m0.value[from[3]]), hn::Set(dh, kE8m0.value[from[2]]));
            return hn::Combine(d, upper, lower);
        }
    }

    // The bf16 values of a step, as pairs: vector 2i of the step is lower(pairs[i]), vector 2i + 1 is upper(pairs[i]).
    static HWY_INLINE void decode(const uint8_t* from, Bf16Format::Words (&pairs)[4]) {
        const DotU8 d8;
        const hn::ScalableTag<uint16_t> d16;
        const DotU32 d32;
        const Bytes nibble = hn::Set(d8, 0x0F);
        const Bytes codes = hn::LoadU(d8, from);
        const Bytes even = hn::And(codes, nibble);
        // A shift by multiplication: the shift unit is busy enough.
        const auto upperNibbles = hn::BitCast(d16, hn::AndNot(nibble, codes));
        const Bytes odd = hn::BitCast(d8, hn::MulHigh(upperNibbles, hn::Set(d16, uint16_t{1} << 12)));
        const Bytes lowTable = hn::LoadDup128(d8, kE2m1Low);
        const Bytes highTable = hn::LoadDup128(d8, kE2m1High);
        const Bytes evenLow = hn::TableLookupBytes(lowTable, even);
        const Bytes evenHigh = hn::TableLookupBytes(highTable, even);
        const Bytes oddLow = hn::TableLookupBytes(lowTable, odd);
        const Bytes oddHigh = hn::TableLookupBytes(highTable, odd);
        pairs[0] = hn::BitCast(d32, hn::InterleaveLower(d8, evenLow, evenHigh));
        pairs[1] = hn::BitCast(d32, hn::InterleaveUpper(d8, evenLow, evenHigh));
        pairs[2] = hn::BitCast(d32, hn::InterleaveLower(d8, oddLow, oddHigh));
        pairs[3] = hn::BitCast(d32, hn::InterleaveUpper(d8, oddLow, oddHigh));
    }

    template <int kTokens, int kRows>
    static HWY_INLINE void add(const WeightRow (&rows)[kRows], const float* const (&x)[kTokens], int64_t steps,
                               const uint8_t* ahead, DotSums<kTokens, kRows>& sums) {
        const DotF32 d;
        for (int64_t s = 0; s < steps; ++s) {
            prefetchStep<kRows, kStepBytes>(ahead, s);
            PAL_UNROLL
            for (int n = 0; n < kRows; ++n) {
                const DotVec scale = loadScales(rows[n].scale + s * kStepScales);
                Bf16Format::Words pairs[4];
                decode(rows[n].data + s * kStepBytes, pairs);
                PAL_UNROLL
                for (int i = 0; i < 4; ++i) {
                    const DotVec lower = keep(hn::Mul(Bf16Format::lower(pairs[i]), scale));
                    const DotVec upper = keep(hn::Mul(Bf16Format::upper(pairs[i]), scale));
                    PAL_UNROLL
                    for (int m = 0; m < kTokens; ++m) {
                        const float* at = x[m] + s * kStepCols + 2 * i * kDotLanes;
                        sums[n][m] = hn::MulAdd(lower, hn::Load(d, at), sums[n][m]);
                        sums[n][m] = hn::MulAdd(upper, hn::Load(d, at + kDotLanes), sums[n][m]);
                    }
                }
            }
        }
    }

    static void unpack(const WeightRow& row, int64_t steps, float* out) {
        for (int64_t s = 0; s < steps; ++s) {
            const DotVec scale = loadScales(row.scale + s * kStepScales);
            Bf16Format::Words pairs[4];
            decode(row.data + s * kStepBytes, pairs);
            for (int i = 0; i < 4; ++i) {
                float* to = out + s * kStepCols + 2 * i * kDotLanes;
                hn::Store(hn::Mul(Bf16Format::lower(pairs[i]), scale), DotF32(), to);
                hn::Store(hn::Mul(Bf16Format::upper(pairs[i]), scale), DotF32(), to + kDotLanes);
            }
        }
    }
};

// The last `cols` columns of a row, less than a step, copied and filled up with zeros, so that nothing behind the row is read.
template <class Format>
class RowTail {
  public:
    RowTail(const WeightRow& row, int64_t cols) {
        std::memcpy(data_, row.data, static_cast<size_t>(cols * Format::kStepBytes / Format::kStepCols));
        if constexpr (Format::kStepScales > 0) {
            std::memcpy(scale_, row.scale, static_cast<size_t>(cols * Format::kStepScales / Format::kStepCols));
        }
    }
    [[nodiscard]] WeightRow row() const { return {data_, scale_}; }

  private:
    alignas(64) uint8_t data_[Format::kStepBytes] = {};
    uint8_t scale_[16] = {};
};

// The sums of the lanes of four vectors.
HWY_INLINE hn::Vec<hn::Full128<float>> sumLanesOf4(DotVec a, DotVec b, DotVec c, DotVec e) {
    const DotF32 d;
    const DotVec ac = hn::Add(hn::InterleaveLower(d, a, c), hn::InterleaveUpper(d, a, c));
    const DotVec be = hn::Add(hn::InterleaveLower(d, b, e), hn::InterleaveUpper(d, b, e));
    const DotVec blocks = hn::Add(hn::InterleaveLower(d, ac, be), hn::InterleaveUpper(d, ac, be));
    const hn::Half<DotF32> dh;
    const auto half = hn::Add(hn::LowerHalf(dh, blocks), hn::UpperHalf(dh, blocks));
#if HWY_MAX_BYTES == 64
    const hn::Half<decltype(dh)> dq;
    return hn::Add(hn::LowerHalf(dq, half), hn::UpperHalf(dq, half));
#else
    return half;
#endif
}

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
