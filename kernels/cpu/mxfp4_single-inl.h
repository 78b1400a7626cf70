// SPDX-License-Identifier: Apache-2.0
// MXFP4 weights times a single token, where unpacking to float32 would take longer than reading the weights. Compiled once per instruction set.

#if defined(PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_
#undef PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_
#else
#define PAL_KERNELS_CPU_MXFP4_SINGLE_INL_H_
#endif

#include <hwy/highway.h>

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/api/dense_args.h"
#include "kernels/api/tensor_view.h"
#include "kernels/cpu/mxfp4_step.h"
#include "kernels/cpu/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The products of Mxfp4Step on AVX2. With AVX-512 the same instructions run, so both give the same bits, and so does vnniMultiply().
//
// The execution units are the limit, not the memory: what is here once per row or task was moved out of the loop over steps for that reason.
class Mxfp4Single {
    using Step = Mxfp4Step;
    static constexpr int64_t kGroups = Step::kGroups;
    static constexpr int64_t kStepBytes = Step::kCodeBytes;  // four vectors of 64 columns each

  public:
    static constexpr int64_t kStepCols = Step::kCols;

    // `packed` holds kStepCols floats for each step begun.
    static void pack(const float* x, float* packed) {
        Step step;
        packStep(x, step);
        std::memcpy(packed, &step, sizeof(step));
    }

    // out[n] (+)= sum_k weight[n, k] x[k] for n in [begin, end), where `packed` is x.
    static void multiply(const WeightView& weight, int64_t begin, int64_t end, const float* packed, float* out,
                         LinearPart::Write write) {
        Mxfp4Single(weight, packed).addRows(begin, end, out, write);
    }

  private:
    // kNormal: no scale is 2^-127, a denormal number, or NaN.
    enum class Scales : uint8_t { kNormal, kAny };

    static constexpr uint64_t kOnes = 0x0101010101010101;  // 1 in each byte
    Mxfp4Single(const WeightView& weight, const float* packed)
        : weight_(weight),
          packed_(packed),
          steps_(weight.cols / kStepCols),
          tailGroups_(weight.cols % kStepCols / kMxfp4Group) {}

    void addRows(int64_t begin, int64_t end, float* out, LinearPart::Write write) const {
        constexpr int64_t kRows = 4;
        for (int64_t n = begin; n < end; n += kRows) {
            const int64_t count = std::min(kRows, end - n);
            __m256 sums[kRows];
            for (int64_t r = 0; r < kRows; ++r) sums[r] = r < count ? sumsOf(n + r) : _mm256_setzero_ps();
            alignas(16) float each[kRows];
            _mm_store_ps(each, sumLanes(sums));
            for (int64_t r = 0; r < count; ++r)
                out[n + r] = write == LinearPart::Write::kSet ? each[r] : out[n + r] + each[r];
        }
    }

    // What is left of the lanes of a step when those of two vectors have been added twice over: vectors 0 and 2, vectors 1 and 3.
    struct Halves {
        __m256i even;
        __m256i odd;
    };

    // The sums of one row, to be added. Rows with a scale that is not normal are rare, and known once they were read.
    [[nodiscard]] HWY_INLINE __m256 sumsOf(int64_t row) const {
        uint64_t unusual = 0;
        const __m256 sums = rowSums<Scales::kNormal>(row, unusual);
        return unusual == 0 ? sums : anyRowSums(row);
    }

    [[nodiscard]] HWY_NOINLINE __m256 anyRowSums(int64_t row) const {
        uint64_t unusual = 0;
        return rowSums<Scales::kAny>(row, unusual);
    }

    // `unusual` becomes other than 0 when a scale is not normal. The sums of a step are finished while the products of the next one are made:
    // each instruction at the end of a step waits for the one before.
    template <Scales kScales>
    [[nodiscard]] HWY_INLINE __m256 rowSums(int64_t row, uint64_t& unusual) const {
        constexpr int64_t kAhead =
            4096;  // bytes: rows are too short for the processor's prefetcher, but lie behind each other
        const int64_t group = row * (weight_.cols / kMxfp4Group);
        const auto* codes = static_cast<const uint8_t*>(weight_.data) + group * (kMxfp4Group / 2);
        const uint8_t* scales = weight_.scale + group;
        __m256 sums = _mm256_setzero_ps();
        if (steps_ == 0) return addTail<kScales>(row, codes, scales, sums, unusual);
        __builtin_prefetch(scales + kAhead / kStepBytes * kGroups);
        Halves halves = halvesOf(codes, stepAt(0));
        codes += kStepBytes;
        for (int64_t s = 1; s < steps_; ++s, codes += kStepBytes, scales += kGroups) {
            __builtin_prefetch(codes + kAhead);
            __builtin_prefetch(codes + kAhead + kStepBytes / 2);
            const Step& step = stepAt(s);
            const __m256i first = laneProducts(codes, step, 0);
            const __m256i integers = groupIntegers(halves, stepAt(s - 1));
            const __m256i third = laneProducts(codes, step, 2);
            const __m256 products = groupProducts(integers, stepAt(s - 1));
            halves.even = addInterleaved(first, third);
            const __m256i second = laneProducts(codes, step, 1);
            const uint64_t scaleCodes = loadCodes(scales);
            unusual |= notNormal(scaleCodes);
            sums = _mm256_fmadd_ps(products, scalesOf<kScales>(scaleCodes), sums);
            halves.odd = addInterleaved(second, laneProducts(codes, step, 3));
        }
        const uint64_t scaleCodes = loadCodes(scales);
        unusual |= notNormal(scaleCodes);
        sums = addGroups<kScales>(halves, stepAt(steps_ - 1), scaleCodes, sums);
        return tailGroups_ == 0 ? sums : addTail<kScales>(row, codes, scales + kGroups, sums, unusual);
    }

    // Behind the tail of a row lies the next row, whose columns count zero times. Only behind the last rows may lie nothing.
    template <Scales kScales>
    [[nodiscard]] HWY_INLINE __m256 addTail(int64_t row, const uint8_t* codes, const uint8_t* scales, __m256 sums,
                                            uint64_t& unusual) const {
        uint8_t codesCopy[kStepBytes] = {};
        uint8_t scalesCopy[kGroups] = {};
        const int64_t groupsLeft = (weight_.rows - 1 - row) * (weight_.cols / kMxfp4Group) + tailGroups_;
        if (groupsLeft < kGroups) {
            codes = static_cast<uint8_t*>(
                std::memcpy(codesCopy, codes, static_cast<size_t>(tailGroups_ * kMxfp4Group / 2)));
            scales = static_cast<uint8_t*>(std::memcpy(scalesCopy, scales, static_cast<size_t>(tailGroups_)));
        }
        const uint64_t ofThisRow = (uint64_t{1} << (8 * tailGroups_)) - 1;
        const Step& step = stepAt(steps_);
        const uint64_t scaleCodes = loadCodes(scales) & ofThisRow;
        unusual |= notNormal(scaleCodes | (~ofThisRow & kOnes));
        return addGroups<kScales>(halvesOf(codes, step), step, scaleCodes, sums);
    }

    static HWY_INLINE uint64_t loadCodes(const uint8_t* scales) {
        uint64_t codes = 0;
        std::memcpy(&codes, scales, sizeof(codes));
        return codes;
    }

    [[nodiscard]] const Step& stepAt(int64_t s) const { return Step::at(packed_, s); }

    static HWY_INLINE __m256i load(const void* from) { return _mm256_load_si256(static_cast<const __m256i*>(from)); }

    // sum over the columns of each lane of digit * weight, in 16 bits: at most 4 * 128 * 24.
    static HWY_INLINE __m256i digitProducts(__m256i even, __m256i odd, const int8_t (&digit)[2][Step::kHalfBytes],
                                            int part) {
        return _mm256_add_epi16(_mm256_maddubs_epi16(even, load(digit[0] + part * 32)),
                                _mm256_maddubs_epi16(odd, load(digit[1] + part * 32)));
    }

    // sum over the columns of each lane of (2 w + 12) q for one vector of the codes of a step.
    static HWY_INLINE __m256i laneProducts(const uint8_t* codes, const Step& step, int vector) {
        const __m256i nibble = _mm256_set1_epi8(0x0F);
        const __m256i table =
            _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(kMxfp4Codes)));
        __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + vector * 32));
        asm("" : "+v"(both));  // or GCC loads it twice
        const __m256i even = _mm256_shuffle_epi8(table, _mm256_and_si256(both, nibble));
        const __m256i odd = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(both, 4), nibble));
        const auto& digit = step.digit[vector / 2];
        const int part = vector % 2;
        const __m256i low = _mm256_madd_epi16(digitProducts(even, odd, digit[0], part), _mm256_set1_epi16(1));
        const __m256i middle =
            _mm256_madd_epi16(digitProducts(even, odd, digit[1], part), _mm256_set1_epi16(Step::kBase));
        const __m256i high =
            _mm256_madd_epi16(digitProducts(even, odd, digit[2], part), _mm256_set1_epi16(Step::kBase * Step::kBase));
        return _mm256_add_epi32(_mm256_add_epi32(low, middle), high);
    }

    static HWY_INLINE Halves halvesOf(const uint8_t* codes, const Step& step) {
        return {addInterleaved(laneProducts(codes, step, 0), laneProducts(codes, step, 2)),
                addInterleaved(laneProducts(codes, step, 1), laneProducts(codes, step, 3))};
    }

    // For each group of a step 2 sum w q.
    static HWY_INLINE __m256i groupIntegers(const Halves& halves, const Step& step) {
        return _mm256_add_epi32(addInterleaved(halves.even, halves.odd), load(step.correction));
    }

    // For each group of a step sum w x, not yet scaled.
    static HWY_INLINE __m256 groupProducts(__m256i integers, const Step& step) {
        return _mm256_mul_ps(_mm256_cvtepi32_ps(integers), _mm256_load_ps(step.unit));
    }

    template <Scales kScales>
    static HWY_INLINE __m256 addGroups(const Halves& halves, const Step& step, uint64_t scaleCodes, __m256 sums) {
        const __m256 products = groupProducts(groupIntegers(halves, step), step);
        return _mm256_fmadd_ps(products, scalesOf<kScales>(scaleCodes), sums);
    }

    static HWY_INLINE __m256i addInterleaved(__m256i a, __m256i b) {
        return _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
    }

    // The sums of the lanes of four vectors.
    static HWY_INLINE __m128 sumLanes(const __m256 (&v)[4]) {
        const __m256 ac = _mm256_add_ps(_mm256_unpacklo_ps(v[0], v[2]), _mm256_unpackhi_ps(v[0], v[2]));
        const __m256 be = _mm256_add_ps(_mm256_unpacklo_ps(v[1], v[3]), _mm256_unpackhi_ps(v[1], v[3]));
        const __m256 halves = _mm256_add_ps(_mm256_unpacklo_ps(ac, be), _mm256_unpackhi_ps(ac, be));
        return _mm_add_ps(_mm256_castps256_ps128(halves), _mm256_extractf128_ps(halves, 1));
    }

    template <Scales kScales>
    static HWY_INLINE __m256 scalesOf(uint64_t codes) {
        return kScales == Scales::kNormal ? normalScales(codes) : anyScales(codes);
    }

    // E8M0 is the exponent field of a float32: the code goes to the highest byte, and one bit down.
    static HWY_INLINE __m256 normalScales(uint64_t codes) {
        const __m256i highest = _mm256_setr_epi8(-1, -1, -1, 0, -1, -1, -1, 2, -1, -1, -1, 4, -1, -1, -1, 6,  //
                                                 -1, -1, -1, 1, -1, -1, -1, 3, -1, -1, -1, 5, -1, -1, -1, 7);
        const __m256i all = _mm256_set1_epi64x(static_cast<int64_t>(codes));
        return _mm256_castsi256_ps(_mm256_srli_epi32(_mm256_shuffle_epi8(all, highest), 1));
    }

    // Also for code 0, which is the denormal 2^-127, and 255, which is NaN.
    static HWY_INLINE __m256 anyScales(uint64_t codes) {
        const __m256i bits = _mm256_castps_si256(normalScales(codes));
        const __m256i isNan = _mm256_cmpeq_epi32(bits, _mm256_set1_epi32(255 << 23));
        return _mm256_castsi256_ps(_mm256_or_si256(_mm256_max_epu32(bits, _mm256_set1_epi32(0x00400000)), isNan));
    }

    // Other than 0 when one of the eight codes is 0 or 255: a byte borrows into its highest bit only from 0 (Warren, Hacker's Delight, 6-1).
    // Ordinary registers do it, since the vector units have no time to spare.
    static HWY_INLINE uint64_t notNormal(uint64_t codes) {
        constexpr uint64_t kHighest = kOnes << 7;
        return (((codes - kOnes) & ~codes) | ((~codes - kOnes) & codes)) & kHighest;
    }

    // For each group, in the order of a Step, all lanes of its vector combined.
    template <class Combine>
    static HWY_INLINE __m256i ofGroups(const __m256i (&group)[kGroups], const Combine& combine) {
        const auto pairs = [&](__m256i a, __m256i b)
                               HWY_ATTR { return combine(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b)); };
        const __m256i even = pairs(pairs(group[0], group[4]), pairs(group[2], group[6]));
        const __m256i odd = pairs(pairs(group[1], group[5]), pairs(group[3], group[7]));
        return combine(_mm256_permute2x128_si256(even, odd, 0x20), _mm256_permute2x128_si256(even, odd, 0x31));
    }

    // The bits of the largest magnitude of 32 columns; those of infinity and NaN are above all others.
    static HWY_INLINE __m256i largestMagnitude(const float* x) {
        __m256i most = _mm256_setzero_si256();
        for (int64_t i = 0; i < kMxfp4Group; i += 8) {
            const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i));
            most = _mm256_max_epi32(most, _mm256_and_si256(bits, _mm256_set1_epi32(0x7FFFFFFF)));
        }
        return most;
    }

    static HWY_INLINE __m256 powersOfTwo(__m256i exponents) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(exponents, _mm256_set1_epi32(127)), 23));
    }

    // The exponents e of the groups. Groups below 2^-78 keep fewer bits.
    static HWY_INLINE __m256i groupExponents(__m256i most) {
        const __m256i exponents = _mm256_sub_epi32(_mm256_srli_epi32(most, 23), _mm256_set1_epi32(127 + 21));
        const __m256 inverse = powersOfTwo(_mm256_sub_epi32(_mm256_setzero_si256(), exponents));
        const __m256 scaled = _mm256_mul_ps(_mm256_castsi256_ps(most), inverse);
        const __m256 tooLarge = _mm256_cmp_ps(scaled, _mm256_set1_ps(static_cast<float>(Step::kLargest)), _CMP_GT_OQ);
        const __m256i fitting = _mm256_sub_epi32(exponents, _mm256_castps_si256(tooLarge));
        return _mm256_max_epi32(fitting, _mm256_set1_epi32(-100));
    }

    static void packStep(const float* x, Step& step) {
        __m256i group[kGroups];
        for (int64_t g = 0; g < kGroups; ++g) group[g] = largestMagnitude(x + g * kMxfp4Group);
        const __m256i most = ofGroups(group, [&](__m256i a, __m256i b) HWY_ATTR { return _mm256_max_epi32(a, b); });
        const __m256i notFinite = _mm256_cmpgt_epi32(most, _mm256_set1_epi32(0x7F7FFFFF));
        const __m256i exponents = groupExponents(_mm256_andnot_si256(notFinite, most));
        const __m256 units = powersOfTwo(_mm256_sub_epi32(exponents, _mm256_set1_epi32(1)));
        _mm256_store_ps(step.unit, _mm256_or_ps(units, _mm256_castsi256_ps(notFinite)));  // all ones is a NaN
        alignas(32) float inverse[kGroups];
        _mm256_store_ps(inverse, powersOfTwo(_mm256_sub_epi32(_mm256_setzero_si256(), exponents)));
        for (int64_t g = 0; g < kGroups; ++g)
            group[g] = packGroup(x + g * kMxfp4Group, inverse[Step::place(g)], g % 4 * 16, step.digit[g / 4]);
        const __m256i sums = ofGroups(group, [&](__m256i a, __m256i b) HWY_ATTR { return _mm256_add_epi32(a, b); });
        _mm256_store_si256(reinterpret_cast<__m256i*>(step.correction),
                           _mm256_mullo_epi32(sums, _mm256_set1_epi32(-12)));
    }

    static HWY_INLINE __m256 nearest(__m256 x) {
        return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }

    // The digits of a group, from `byte` on in the digit vectors; returns the lanes of sum q. Eight numbers each are the even columns of either half
    // and the odd columns of either half, in the order 0 1 4 5 2 3 6 7, which storeDigits undoes.
    static HWY_INLINE __m256i packGroup(const float* x, float inverse, int64_t byte,
                                        int8_t (&digit)[3][2][Step::kHalfBytes]) {
        __m256i digits[3][4];
        __m256i total = _mm256_setzero_si256();
        PAL_UNROLL
        for (int i = 0; i < 4; ++i) {
            const __m256 a = _mm256_loadu_ps(x + i % 2 * 16);
            const __m256 b = _mm256_loadu_ps(x + i % 2 * 16 + 8);
            const __m256 columns = i < 2 ? _mm256_shuffle_ps(a, b, 0x88) : _mm256_shuffle_ps(a, b, 0xDD);
            const __m256 q = nearest(_mm256_mul_ps(columns, _mm256_set1_ps(inverse)));
            const __m256 high = nearest(_mm256_mul_ps(q, _mm256_set1_ps(1.0F / (Step::kBase * Step::kBase))));
            const __m256 rest = _mm256_fnmadd_ps(high, _mm256_set1_ps(Step::kBase * Step::kBase), q);
            const __m256 middle = nearest(_mm256_mul_ps(rest, _mm256_set1_ps(1.0F / Step::kBase)));
            const __m256 low = _mm256_fnmadd_ps(middle, _mm256_set1_ps(Step::kBase), rest);
            digits[0][i] = _mm256_cvtps_epi32(low);
            digits[1][i] = _mm256_cvtps_epi32(middle);
            digits[2][i] = _mm256_cvtps_epi32(high);
            total = _mm256_add_epi32(total, _mm256_cvtps_epi32(q));
        }
        PAL_UNROLL
        for (int d = 0; d < 3; ++d) storeDigits(digits[d], digit[d][0] + byte, digit[d][1] + byte);
        return total;
    }

    static HWY_INLINE void storeDigits(const __m256i (&columns)[4], int8_t* even, int8_t* odd) {
        const __m256i bytes =
            _mm256_packs_epi16(_mm256_packs_epi32(columns[0], columns[1]), _mm256_packs_epi32(columns[2], columns[3]));
        const __m128i lower = _mm256_castsi256_si128(bytes);
        const __m128i upper = _mm256_extracti128_si256(bytes, 1);
        _mm_store_si128(reinterpret_cast<__m128i*>(even), _mm_unpacklo_epi16(lower, upper));
        _mm_store_si128(reinterpret_cast<__m128i*>(odd), _mm_unpackhi_epi16(lower, upper));
    }

    const WeightView& weight_;
    const float* packed_;
    int64_t steps_;       // whole ones
    int64_t tailGroups_;  // behind them
};

}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard, toggled per target
