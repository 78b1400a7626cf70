// SPDX-License-Identifier: Apache-2.0
// Dot products of weight rows in their storage format with packed float32 activations, compiled once per instruction set.
//
// Everything vectorises along the columns: each output has one vector of partial sums that takes the columns in one fixed order, and whose
// lanes are added in one fixed order at the end. How many outputs a tile has therefore never changes a result, only the speed.
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
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/api/tensor_view.h"

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
//   kTileRows[t]  the kRows that is fastest with t tokens: what the 16 registers of AVX2 hold.

template <int kTokens, int kRows>
using DotSums = DotVec[kRows][kTokens];

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

// Short rows side by side are more streams than the processor's prefetcher follows, so each step prefetches what one step of the next tile
// reads, in the order of the memory.
template <int kRows, int64_t kStepBytes>
HWY_INLINE void prefetchStep(const uint8_t* ahead, int64_t step) {
    constexpr int64_t kLine = 64;
    for (int64_t at = 0; at < kRows * kStepBytes; at += kLine)
        __builtin_prefetch(ahead + step * kRows * kStepBytes + at);
}

struct F32Format {
    static constexpr int64_t kStepCols = kDotLanes;
    static constexpr int64_t kStepBytes = kDotLanes * 4;
    static constexpr int64_t kStepScales = 0;
    static constexpr int kMostTokens = 4;
    static constexpr int kTileRows[kMostTokens + 1] = {0, 2, 4, 3, 2};

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
    static constexpr int kTileRows[kMostTokens + 1] = {0, 2, 4, 3, 2};

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

// Each 128-bit block of a step holds one group of 32 columns. A group is summed on its own and then scaled once; since the block of every
// weight vector belongs to the same group, one multiplication by a vector of scales serves all groups of a step.
struct Mxfp4Format {
    static constexpr int64_t kStepCols = 8 * kDotLanes;
    static constexpr int64_t kStepBytes = kDotLanes * 4;
    static constexpr int64_t kStepScales = kDotLanes / 4;  // one per block
    static constexpr int kMostTokens = 4;
    static constexpr int kTileRows[kMostTokens + 1] = {0, 1, 2, 2, 2};

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

    // sums[m] += scale * (the dot products of one step of one row), in two chains of additions that run side by side.
    template <int kTokens>
    static HWY_INLINE void addStep(const uint8_t* from, DotVec scale, const float* const (&x)[kTokens], int64_t col,
                                   DotVec (&sums)[kTokens]) {
        const DotF32 d;
        Bf16Format::Words pairs[4];
        decode(from, pairs);
        DotVec chain[2][kTokens];
        for (int i = 0; i < 4; ++i) {
            const DotVec lower = Bf16Format::lower(pairs[i]);
            const DotVec upper = Bf16Format::upper(pairs[i]);
            for (int m = 0; m < kTokens; ++m) {
                const float* at = x[m] + col + 2 * i * kDotLanes;
                DotVec& a = chain[0][m];
                DotVec& b = chain[1][m];
                a = i == 0 ? hn::Mul(lower, hn::Load(d, at)) : hn::MulAdd(lower, hn::Load(d, at), a);
                b = i == 0 ? hn::Mul(upper, hn::Load(d, at + kDotLanes))
                           : hn::MulAdd(upper, hn::Load(d, at + kDotLanes), b);
            }
        }
        for (int m = 0; m < kTokens; ++m) sums[m] = hn::MulAdd(hn::Add(chain[0][m], chain[1][m]), scale, sums[m]);
    }

    template <int kTokens, int kRows>
    static HWY_INLINE void add(const WeightRow (&rows)[kRows], const float* const (&x)[kTokens], int64_t steps,
                               const uint8_t* ahead, DotSums<kTokens, kRows>& sums) {
        for (int64_t s = 0; s < steps; ++s) {
            if constexpr (kRows > 1) prefetchStep<kRows, kStepBytes>(ahead, s);
            for (int n = 0; n < kRows; ++n) {
                const DotVec scale = loadScales(rows[n].scale + s * kStepScales);
                addStep<kTokens>(rows[n].data + s * kStepBytes, scale, x, s * kStepCols, sums[n]);
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

#if HWY_TARGET == HWY_AVX2

// MXFP4 for a single token, where unpacking to float32 would take longer than reading the weights. Activations are fixed-point numbers of 24
// bits with one exponent per group of 32 (the largest magnitude of the group uses all bits), cut into three signed digits of 8 bits, and
//   sum_k w_k x_k = 2^e ( sum_k (2 w_k + 12) q_k - 12 sum_k q_k ) / 2
// is exact in integers: 2 w + 12 is a whole number from 0 to 24, which is what the byte products of AVX2 take.
struct Mxfp4SingleFormat {
    static constexpr int64_t kStepCols = Mxfp4Format::kStepCols;
    static constexpr int64_t kStepBytes = Mxfp4Format::kStepBytes;
    static constexpr int64_t kStepScales = Mxfp4Format::kStepScales;
    static constexpr int kMostTokens = 1;
    static constexpr int kTileRows[kMostTokens + 1] = {0, 2};

    // The activations of a step, as large as the floats that they stand for. Digit vectors come in pairs: even columns, odd columns.
    struct Step {
        int8_t digit[3][2][32];  // the lowest digit first
        int32_t correction[8];   // -12 sum q over the columns that meet in a lane
        float unit[8];           // 2^e / 2
    };
    static_assert(sizeof(Step) == kStepCols * sizeof(float));

    static void pack(const float* x, float* packed) {
        Step step = {};
        for (int64_t group = 0; group < 2; ++group) packGroup(x + group * kMxfp4Group, group, step);
        std::memcpy(packed, &step, sizeof(step));
    }

    template <int kTokens, int kRows>
    static HWY_INLINE void add(const WeightRow (&rows)[kRows], const float* const (&x)[kTokens], int64_t steps,
                               const uint8_t* ahead, DotSums<kTokens, kRows>& sums) {
        static_assert(kTokens == 1);
        const DotU8 d8;
        const auto nibble = hn::Set(d8, 0x0F);
        const auto table = hn::LoadDup128(d8, kCodes);
        for (int64_t s = 0; s < steps; ++s) {
            const auto* step = reinterpret_cast<const Step*>(x[0] + s * kStepCols);
            prefetchStep<kRows, kStepBytes>(ahead, s);
            for (int n = 0; n < kRows; ++n) {
                const auto codes = hn::LoadU(d8, rows[n].data + s * kStepBytes);
                const auto upper = hn::BitCast(d8, hn::ShiftRight<4>(hn::BitCast(hn::ScalableTag<uint16_t>(), codes)));
                const __m256i even = hn::TableLookupBytes(table, hn::And(codes, nibble)).raw;
                const __m256i odd = hn::TableLookupBytes(table, hn::And(upper, nibble)).raw;
                const DotVec scale = Mxfp4Format::loadScales(rows[n].scale + s * kStepScales);
                sums[n][0] = hn::MulAdd(integerProducts(even, odd, *step), scale, sums[n][0]);
            }
        }
    }

  private:
    // 2 w + 12 by code.
    alignas(16) static constexpr uint8_t kCodes[16] = {12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0};

    static __m256i load(const void* from) { return _mm256_load_si256(static_cast<const __m256i*>(from)); }

    // sum over the columns of each lane of digit * weight, in 16 bits: at most 4 * 128 * 24.
    static HWY_INLINE __m256i digitProducts(__m256i even, __m256i odd, const int8_t (&digit)[2][32]) {
        return _mm256_add_epi16(_mm256_maddubs_epi16(even, load(digit[0])), _mm256_maddubs_epi16(odd, load(digit[1])));
    }

    static HWY_INLINE DotVec integerProducts(__m256i even, __m256i odd, const Step& step) {
        const __m256i one = _mm256_set1_epi16(1);
        const __m256i low = _mm256_madd_epi16(digitProducts(even, odd, step.digit[0]), one);
        const __m256i middle = _mm256_madd_epi16(digitProducts(even, odd, step.digit[1]), _mm256_set1_epi16(256));
        const __m256i high = _mm256_slli_epi32(_mm256_madd_epi16(digitProducts(even, odd, step.digit[2]), one), 16);
        const __m256i sum =
            _mm256_add_epi32(_mm256_add_epi32(low, middle), _mm256_add_epi32(high, load(step.correction)));
        return hn::Mul(DotVec{_mm256_cvtepi32_ps(sum)}, hn::Load(DotF32(), step.unit));
    }

    // The exponent e of a group: its largest magnitude uses the 24 bits of three digits. Groups below 2^-77 keep fewer.
    static int groupExponent(float most) {
        constexpr float kLargest = 127 * 65536 + 127 * 256 + 127;
        if (most < 0x1p-77F) return -100;
        const int exponent = static_cast<int>(std::bit_cast<uint32_t>(most) >> 23) - 127 - 22;
        return most * powerOfTwo(-exponent) > kLargest ? exponent + 1 : exponent;
    }

    static float powerOfTwo(int exponent) { return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23); }

    static HWY_INLINE void packGroup(const float* x, int64_t group, Step& step) {
        const DotF32 d;
        DotVec columns[2][2];  // [half of the group][even, odd]
        DotVec most = hn::Zero(d);
        DotVec zeros = hn::Zero(d);  // NaN if anything is not finite
        for (int half = 0; half < 2; ++half) {
            hn::LoadInterleaved2(d, x + half * 16, columns[half][0], columns[half][1]);
            for (const DotVec v : columns[half]) {
                most = hn::Max(most, hn::Abs(v));
                zeros = hn::MulAdd(v, hn::Zero(d), zeros);
            }
        }
        const bool finite = hn::GetLane(hn::SumOfLanes(d, zeros)) == 0;
        const int exponent = finite ? groupExponent(hn::GetLane(hn::MaxOfLanes(d, most))) : -100;
        const float unit = finite ? powerOfTwo(exponent) / 2 : std::numeric_limits<float>::quiet_NaN();
        std::fill_n(step.unit + 4 * group, 4, unit);
        for (int half = 0; half < 2; ++half)
            packHalf(columns[half], powerOfTwo(-exponent), 16 * group + 8 * half, step);
    }

    // The digits of 16 columns, and their share of the correction; `byte` is where they go in a digit vector.
    static HWY_INLINE void packHalf(const DotVec (&columns)[2], float toUnits, int64_t byte, Step& step) {
        const DotF32 d;
        const hn::ScalableTag<int32_t> d32;
        const hn::Rebind<int8_t, decltype(d32)> d8;
        auto total = hn::Zero(d32);
        for (int odd = 0; odd < 2; ++odd) {
            auto q = hn::NearestInt(hn::Mul(columns[odd], hn::Set(d, toUnits)));
            total = hn::Add(total, q);
            for (auto& digit : step.digit) {
                const auto low = hn::ShiftRight<24>(hn::ShiftLeft<24>(q));
                hn::StoreU(hn::DemoteTo(d8, low), d8, digit[odd] + byte);
                q = hn::ShiftRight<8>(hn::Sub(q, low));
            }
        }
        alignas(32) int32_t sums[8];
        hn::Store(total, d32, sums);
        for (int64_t i = 0; i < 8; ++i) step.correction[(byte + i) / 4] -= 12 * sums[i];
    }
};

#else

using Mxfp4SingleFormat = Mxfp4Format;

#endif

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
