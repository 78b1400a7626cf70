// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/mxfp4_vnni.h"

#include <hwy/base.h>

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/mxfp4_step.h"

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of its own headers, in which "undefined" is a variable set to itself (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Only called where usesVnni() says so.
HWY_PUSH_ATTRIBUTES("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace pal::cpu {
namespace {

// Two rows at a time: together the sums of the eight groups of a step fill a vector.
constexpr int64_t kRows = 2;
constexpr int64_t kLine = 64;
// Rows are too short for the processor's prefetcher, but lie behind each other.
constexpr int64_t kAhead = 4096;

// For each lane of the block of a group the sum over its eight columns of (2 w + 12) q.
HWY_INLINE __m512i laneSums(__m512i codes, const int8_t (&digit)[3][2][Mxfp4Step::kHalfBytes]) {
    const __m512i nibble = _mm512_set1_epi8(0x0F);
    const __m512i table = _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kMxfp4Codes)));
    const __m512i even = _mm512_shuffle_epi8(table, _mm512_and_si512(codes, nibble));
    const __m512i odd = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(codes, 4), nibble));
    __m512i sum[3];
    for (int i = 0; i < 3; ++i) {
        const __m512i of = _mm512_dpbusd_epi32(_mm512_setzero_si512(), even, _mm512_load_si512(digit[i][0]));
        sum[i] = _mm512_dpbusd_epi32(of, odd, _mm512_load_si512(digit[i][1]));
    }
    // The sums of a digit are at most 8 * 24 * 128, in the lower half of a lane; the upper half of a factor is zero.
    const __m512i lower = _mm512_dpwssd_epi32(sum[0], sum[1], _mm512_set1_epi32(Mxfp4Step::kBase));
    return _mm512_dpwssd_epi32(lower, sum[2], _mm512_set1_epi32(Mxfp4Step::kBase * Mxfp4Step::kBase));
}

// Lanes 0 + 2 and 1 + 3 of a, then those of b, in turns.
HWY_INLINE __m512i addHalves(__m512i a, __m512i b) {
    return _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
}

// E8M0 is the exponent field of a float32: the code goes to the highest byte, and one bit down. Block i of the result has groups i and 4 + i of the one
// row, then of the other. Code 0 is the denormal 2^-127, code 255 NaN.
HWY_INLINE __m512 scalesOf(uint64_t first, uint64_t second) {
    alignas(64) static constexpr int8_t kHighest[64] = {
        -1, -1, -1, 0, -1, -1, -1, 4, -1, -1, -1, 8,  -1, -1, -1, 12,  //
        -1, -1, -1, 1, -1, -1, -1, 5, -1, -1, -1, 9,  -1, -1, -1, 13,  //
        -1, -1, -1, 2, -1, -1, -1, 6, -1, -1, -1, 10, -1, -1, -1, 14,  //
        -1, -1, -1, 3, -1, -1, -1, 7, -1, -1, -1, 11, -1, -1, -1, 15};
    const __m512i codes =
        _mm512_broadcast_i32x4(_mm_set_epi64x(static_cast<int64_t>(second), static_cast<int64_t>(first)));
    const __m512i bits = _mm512_srli_epi32(_mm512_shuffle_epi8(codes, _mm512_load_si512(kHighest)), 1);
    const __m512 lowest = _mm512_castsi512_ps(_mm512_set1_epi32(0x00400000));
    // By kind of number, four bits each: what is zero becomes `lowest` (0), infinity NaN (3), all else stays (1).
    constexpr int32_t kKinds = 0x11311011;
    return _mm512_fixupimm_ps(lowest, _mm512_castsi512_ps(bits), _mm512_set1_epi32(kKinds), 0);
}

// The arrays of a step, by group, for both rows.
HWY_INLINE __m512i ofBothRows(const void* byGroup) {
    const __m512i places = _mm512_setr_epi32(0, 2, 0, 2, 4, 6, 4, 6, 1, 3, 1, 3, 5, 7, 5, 7);
    return _mm512_permutexvar_epi32(places,
                                    _mm512_castsi256_si512(_mm256_load_si256(static_cast<const __m256i*>(byGroup))));
}

class VnniProduct {
  public:
    VnniProduct(const WeightView& weight, const float* packed)
        : weight_(weight),
          packed_(packed),
          steps_(weight.cols / Mxfp4Step::kCols),
          tailGroups_(weight.cols % Mxfp4Step::kCols / kMxfp4Group) {}

    // The products of rows n and n + 1; beyond the last row that one again.
    void addRows(int64_t n, bool both, float (&result)[kRows]) const {
        const int64_t groups = weight_.cols / kMxfp4Group;
        const auto* codes = static_cast<const uint8_t*>(weight_.data) + n * groups * kMxfp4Group / 2;
        const uint8_t* scales = weight_.scale + n * groups;
        const Rows rows{codes, scales, both ? groups : 0};
        const uint8_t* ahead = codes + kAhead;
        for (int64_t line = 0; line < kRows * groups; line += kLine)
            __builtin_prefetch(scales + kAhead / (kMxfp4Group / 2) + line);
        __m512 sums = _mm512_setzero_ps();
        for (int64_t s = 0; s < steps_; ++s, ahead += kRows * Mxfp4Step::kCodeBytes) {
            for (int64_t line = 0; line < kRows * Mxfp4Step::kCodeBytes; line += kLine)
                __builtin_prefetch(ahead + line);
            sums = addStep<false>(rows, s, sums);
        }
        if (tailGroups_ > 0) sums = addStep<true>(rows, steps_, sums);
        store(sums, result);
    }

  private:
    struct Rows {
        const uint8_t* codes;
        const uint8_t* scales;
        int64_t groups;  // from the one row to the other
    };

    template <bool kTail>
    HWY_INLINE __m512i loadCodes(const uint8_t* from, int half) const {
        from += half * Mxfp4Step::kHalfBytes;
        if (!kTail) return _mm512_loadu_si512(from);
        const int64_t bytes =
            std::clamp<int64_t>(tailGroups_ * kMxfp4Group / 2 - half * Mxfp4Step::kHalfBytes, 0, Mxfp4Step::kHalfBytes);
        const __mmask64 there = bytes == 0 ? 0 : ~uint64_t{0} >> (64 - bytes);
        return _mm512_maskz_loadu_epi8(there, from);
    }

    template <bool kTail>
    HWY_INLINE uint64_t loadScales(const uint8_t* from) const {
        uint64_t codes = 0;
        std::memcpy(&codes, from, kTail ? static_cast<size_t>(tailGroups_) : sizeof(codes));
        return codes;
    }

    // Columns behind the tail count nothing: their q are zero.
    template <bool kTail>
    HWY_INLINE __m512 addStep(const Rows& rows, int64_t s, __m512 sums) const {
        const Mxfp4Step& x = Mxfp4Step::at(packed_, s);
        const uint8_t* first = rows.codes + s * Mxfp4Step::kCodeBytes;
        const uint8_t* second = first + rows.groups * kMxfp4Group / 2;
        const __m512i halves[kRows] = {addHalves(laneSums(loadCodes<kTail>(first, 0), x.digit[0]),
                                                 laneSums(loadCodes<kTail>(first, 1), x.digit[1])),
                                       addHalves(laneSums(loadCodes<kTail>(second, 0), x.digit[0]),
                                                 laneSums(loadCodes<kTail>(second, 1), x.digit[1]))};
        const __m512i whole =
            _mm512_add_epi32(_mm512_unpacklo_epi64(halves[0], halves[1]), _mm512_unpackhi_epi64(halves[0], halves[1]));
        const __m512i integers = _mm512_add_epi32(whole, ofBothRows(x.correction));
        const __m512 products = _mm512_mul_ps(_mm512_cvtepi32_ps(integers), _mm512_castsi512_ps(ofBothRows(x.unit)));
        const uint8_t* scales = rows.scales + s * Mxfp4Step::kGroups;
        return _mm512_fmadd_ps(products, scalesOf(loadScales<kTail>(scales), loadScales<kTail>(scales + rows.groups)),
                               sums);
    }

    // The groups of a row, in the order in which AVX2 adds them: 4 apart, then 2, then 1.
    static HWY_INLINE void store(__m512 sums, float (&result)[kRows]) {
        const __m512 four = _mm512_add_ps(sums, _mm512_permute_ps(sums, 0xB1));
        const __m256 two = _mm256_add_ps(_mm512_castps512_ps256(four), _mm512_extractf32x8_ps(four, 1));
        const __m128 one = _mm_add_ps(_mm256_castps256_ps128(two), _mm256_extractf128_ps(two, 1));
        result[0] = _mm_cvtss_f32(one);
        result[1] = _mm_cvtss_f32(_mm_movehl_ps(one, one));
    }

    const WeightView& weight_;
    const float* packed_;
    int64_t steps_;       // whole ones
    int64_t tailGroups_;  // behind them
};

}  // namespace

void vnniMultiply(const WeightView& weight, int64_t begin, int64_t end, const float* packed, float* out,
                  LinearPart::Write write) {
    const VnniProduct product(weight, packed);
    for (int64_t n = begin; n < end; n += kRows) {
        float result[kRows];
        product.addRows(n, n + 1 < end, result);
        for (int64_t r = 0; r < std::min(kRows, end - n); ++r)
            out[n + r] = write == LinearPart::Write::kSet ? result[r] : out[n + r] + result[r];
    }
}

}  // namespace pal::cpu

HWY_POP_ATTRIBUTES
