// SPDX-License-Identifier: Apache-2.0
// MXFP4 weights times a single token, where unpacking to float32 would take longer than reading the weights. Compiled once per instruction set.

#if defined(PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_
#undef PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_
#else
#define PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/cpu/dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2

// Activations are fixed-point numbers q of 23 bits with one exponent per group of 32 (the largest magnitude of the group uses nearly all bits), cut
// into three signed digits of 8 bits to the base 181, and
//   sum_k w_k x_k = 2^e ( sum_k (2 w_k + 12) q_k - 12 sum_k q_k ) / 2
// is exact in integers: 2 w + 12 is a whole number from 0 to 24, which is what the byte products of AVX2 take. The result of a group is below
// 12 * 32 * 2^22 < 2^31, so that it is right even where the sums on the way to it wrap around. The base is the largest whose square fits into the
// 16 bits of a factor.
struct Mxfp4SingleFormat {
    static constexpr int64_t kVectors = 4;  // of codes in a step, 64 columns each
    static constexpr int64_t kGroups = 2 * kVectors;
    static constexpr int64_t kStepCols = kGroups * kMxfp4Group;
    static constexpr int64_t kStepBytes = kStepCols / 2;
    static constexpr int64_t kStepScales = kGroups;
    static constexpr int kMostTokens = 1;
    static constexpr int kTileRows[kMostTokens + 1] = {0, 4};

    // The activations of a step. Groups are in the order 0 2 4 6 1 3 5 7, in which four vectors are summed block by block.
    struct Step {
        int8_t digit[kVectors][3][2][32];  // the lowest digit first; even columns, odd columns
        int32_t correction[kGroups];       // -12 sum q
        float unit[kGroups];               // 2^e / 2
    };
    static_assert(sizeof(Step) <= kStepCols * sizeof(float));

    static void pack(const float* x, float* packed) {
        Step step;
        for (int64_t group = 0; group < kGroups; ++group) packGroup(x + group * kMxfp4Group, group, step);
        std::memcpy(packed, &step, sizeof(step));
    }

    template <int kTokens, int kRows>
    static HWY_INLINE void add(const WeightRow (&rows)[kRows], const float* const (&x)[kTokens], int64_t steps,
                               const uint8_t* ahead, DotSums<kTokens, kRows>& sums) {
        static_assert(kTokens == 1);
        for (int64_t s = 0; s < steps; ++s) {
            const auto* step = reinterpret_cast<const Step*>(x[0] + s * kStepCols);
            prefetchStep<kRows, kStepBytes>(ahead, s);
            PAL_UNROLL
            for (int n = 0; n < kRows; ++n) {
                const DotVec products = groupProducts(rows[n].data + s * kStepBytes, *step);
                sums[n][0] = hn::MulAdd(products, loadScales(rows[n].scale + s * kStepScales), sums[n][0]);
            }
        }
    }

  private:
    static constexpr int32_t kBase = 181;
    static constexpr int32_t kLargest = 127 * kBase * kBase;
    // 2 w + 12 by code.
    alignas(16) static constexpr uint8_t kCodes[16] = {12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0};
    // Where a group stands in a Step.
    static constexpr int64_t place(int64_t group) { return group / 2 + group % 2 * kVectors; }

    static __m256i load(const void* from) { return _mm256_load_si256(static_cast<const __m256i*>(from)); }

    // sum over the columns of each lane of digit * weight, in 16 bits: at most 4 * 128 * 24.
    static HWY_INLINE __m256i digitProducts(__m256i even, __m256i odd, const int8_t (&digit)[2][32]) {
        return _mm256_add_epi16(_mm256_maddubs_epi16(even, load(digit[0])), _mm256_maddubs_epi16(odd, load(digit[1])));
    }

    // sum over the columns of each lane of (2 w + 12) q for one vector of codes.
    static HWY_INLINE __m256i laneProducts(const uint8_t* codes, const int8_t (&digit)[3][2][32]) {
        const __m256i nibble = _mm256_set1_epi8(0x0F);
        const __m256i table = hn::LoadDup128(DotU8(), kCodes).raw;
        const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes));
        const __m256i even = _mm256_shuffle_epi8(table, _mm256_and_si256(both, nibble));
        const __m256i odd = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(both, 4), nibble));
        const __m256i low = _mm256_madd_epi16(digitProducts(even, odd, digit[0]), _mm256_set1_epi16(1));
        const __m256i middle = _mm256_madd_epi16(digitProducts(even, odd, digit[1]), _mm256_set1_epi16(kBase));
        const __m256i high = _mm256_madd_epi16(digitProducts(even, odd, digit[2]), _mm256_set1_epi16(kBase * kBase));
        return _mm256_add_epi32(_mm256_add_epi32(low, middle), high);
    }

    // For each group of a step the sum of w x, not yet scaled.
    static HWY_INLINE DotVec groupProducts(const uint8_t* codes, const Step& step) {
        __m256i lanes[kVectors];
        PAL_UNROLL
        for (int64_t v = 0; v < kVectors; ++v) lanes[v] = laneProducts(codes + v * 32, step.digit[v]);
        const __m256i ac = addInterleaved(lanes[0], lanes[2]);
        const __m256i be = addInterleaved(lanes[1], lanes[3]);
        const __m256i sum = _mm256_add_epi32(addInterleaved(ac, be), load(step.correction));
        return hn::Mul(DotVec{_mm256_cvtepi32_ps(sum)}, hn::Load(DotF32(), step.unit));
    }

    static HWY_INLINE __m256i addInterleaved(__m256i a, __m256i b) {
        return _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    }

    // E8M0 is the exponent field of a float32, but for 0, which is the denormal 2^-127, and 255, which is NaN.
    static HWY_INLINE DotVec loadScales(const uint8_t* from) {
        const __m128i order = _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, -1, -1, -1, -1, -1, -1, -1, -1);
        const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
        const __m256i codes = _mm256_cvtepu8_epi32(_mm_shuffle_epi8(bytes, order));
        const __m256i bits = _mm256_max_epu32(_mm256_slli_epi32(codes, 23), _mm256_set1_epi32(0x00400000));
        const __m256i isNan = _mm256_cmpeq_epi32(codes, _mm256_set1_epi32(255));
        return DotVec{_mm256_castsi256_ps(_mm256_or_si256(bits, isNan))};
    }

    // The exponent e of a group. Groups below 2^-78 keep fewer bits.
    static int groupExponent(float most) {
        if (most < 0x1p-78F) return -100;
        const int exponent = static_cast<int>(std::bit_cast<uint32_t>(most) >> 23) - 127 - 21;
        return most * powerOfTwo(-exponent) > static_cast<float>(kLargest) ? exponent + 1 : exponent;
    }

    static float powerOfTwo(int exponent) { return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23); }

    static HWY_INLINE void packGroup(const float* x, int64_t group, Step& step) {
        const DotF32 d;
        const hn::ScalableTag<int32_t> d32;
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
        auto total = hn::Zero(d32);
        for (int half = 0; half < 2; ++half) {
            for (int odd = 0; odd < 2; ++odd) {
                const auto q = hn::NearestInt(hn::Mul(columns[half][odd], hn::Set(d, powerOfTwo(-exponent))));
                total = hn::Add(total, q);
                packDigits(q, odd, group % 2 * 16 + half * 8, step.digit[group / 2]);
            }
        }
        step.correction[place(group)] = -12 * hn::GetLane(hn::SumOfLanes(d32, total));
        step.unit[place(group)] = unit;
    }

    // Eight columns; `byte` is where they go in a digit vector.
    static HWY_INLINE void packDigits(hn::Vec<hn::ScalableTag<int32_t>> q, int odd, int64_t byte,
                                      int8_t (&digit)[3][2][32]) {
        const DotF32 d;
        const hn::ScalableTag<int32_t> d32;
        const hn::Rebind<int8_t, decltype(d32)> d8;
        const auto part = [&](int32_t size) HWY_ATTR {
            const auto count =
                hn::NearestInt(hn::Mul(hn::ConvertTo(d, q), hn::Set(d, 1.0F / static_cast<float>(size))));
            q = hn::Sub(q, hn::Mul(count, hn::Set(d32, size)));
            return count;
        };
        hn::StoreU(hn::DemoteTo(d8, part(kBase * kBase)), d8, digit[2][odd] + byte);
        hn::StoreU(hn::DemoteTo(d8, part(kBase)), d8, digit[1][odd] + byte);
        hn::StoreU(hn::DemoteTo(d8, q), d8, digit[0][odd] + byte);
    }
};

#else

using Mxfp4SingleFormat = Mxfp4Format;

#endif

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
