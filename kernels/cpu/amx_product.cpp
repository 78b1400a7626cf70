// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/amx_product.h"

#include <hwy/base.h>

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns of its own headers, in which "undefined" is a variable set to itself (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

// Only called where usesAmx() says so.
HWY_PUSH_ATTRIBUTES("avx512f,avx512bw,avx512dq,avx512vl,amx-tile,amx-bf16")

namespace pal::cpu {
namespace {

constexpr int64_t kTileRows = AmxRows::kTileRows;
constexpr int64_t kTileCols = 32;
constexpr int64_t kTile = kTileRows * kTileCols;  // bf16 numbers
constexpr int64_t kTileBytes = 64;                // per row of any tile: 32 bf16, 16 pairs of bf16, 16 float32
constexpr int64_t kParts = 3;
// A block of the weight rows of one pass stays in the first-level cache, those of the activations in the second.
constexpr int64_t kBlockSteps = 8;
constexpr int64_t kBlockCols = kBlockSteps * kTileCols;
constexpr int64_t kPassTiles = 4;
// Tokens that share one unpacking of the weights.
constexpr int64_t kMostTokenTiles = 16;

int64_t ceilDiv(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

// Eight tiles of 16 rows of 64 bytes. A constant, since GCC takes the instruction that loads it to read its first bytes only.
struct alignas(64) TileConfig {
    uint8_t palette = 1;
    uint8_t startRow = 0;
    uint8_t reserved[14] = {};
    uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileConfig kTileConfig;

// The tile registers of a thread while it multiplies.
class TileRegisters {
  public:
    TileRegisters() { _tile_loadconfig(&kTileConfig); }
    ~TileRegisters() { _tile_release(); }
    TileRegisters(const TileRegisters&) = delete;
    TileRegisters& operator=(const TileRegisters&) = delete;
};

// Lane j of row i becomes lane i of row j.
void transpose16(__m512i (&row)[16]) {
    __m512i pair[16];
    for (int i = 0; i < 16; i += 2) {
        pair[i] = _mm512_unpacklo_epi32(row[i], row[i + 1]);
        pair[i + 1] = _mm512_unpackhi_epi32(row[i], row[i + 1]);
    }
    __m512i four[16];  // four[4 g + j]: in each 128-bit block b, lane 4 b + j of rows 4 g to 4 g + 3
    for (int i = 0; i < 16; i += 4) {
        four[i] = _mm512_unpacklo_epi64(pair[i], pair[i + 2]);
        four[i + 1] = _mm512_unpackhi_epi64(pair[i], pair[i + 2]);
        four[i + 2] = _mm512_unpacklo_epi64(pair[i + 1], pair[i + 3]);
        four[i + 3] = _mm512_unpackhi_epi64(pair[i + 1], pair[i + 3]);
    }
    for (int j = 0; j < 4; ++j) {
        const __m512i even01 = _mm512_shuffle_i32x4(four[j], four[4 + j], 0x88);
        const __m512i odd01 = _mm512_shuffle_i32x4(four[j], four[4 + j], 0xDD);
        const __m512i even23 = _mm512_shuffle_i32x4(four[8 + j], four[12 + j], 0x88);
        const __m512i odd23 = _mm512_shuffle_i32x4(four[8 + j], four[12 + j], 0xDD);
        row[j] = _mm512_shuffle_i32x4(even01, even23, 0x88);
        row[4 + j] = _mm512_shuffle_i32x4(odd01, odd23, 0x88);
        row[8 + j] = _mm512_shuffle_i32x4(even01, even23, 0xDD);
        row[12 + j] = _mm512_shuffle_i32x4(odd01, odd23, 0xDD);
    }
}

// ---- activations ----

// The upper halves of 32 float32 numbers, in their order.
__m512i upperHalves(__m512 a, __m512 b) {
    alignas(64) static constexpr uint16_t kOdd[32] = {1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
                                                      33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
    return _mm512_permutex2var_epi16(_mm512_castps_si512(a), _mm512_load_si512(kOdd), _mm512_castps_si512(b));
}

// x without the part that its upper half holds. Infinity and NaN are their own upper halves.
__m512 belowUpperHalf(__m512 x) {
    constexpr int kNotFinite = 0x99;  // quiet NaN, both infinities, signalling NaN
    const __m512 upper = _mm512_castsi512_ps(
        _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(static_cast<int32_t>(0xFFFF0000U))));
    const __mmask16 finite = _knot_mask16(_mm512_fpclass_ps_mask(x, kNotFinite));
    return _mm512_maskz_sub_ps(finite, x, upper);
}

// 32 columns, of which the first `cols` exist, of up to 16 rows.
void packStep(std::span<const float* const> rows, int64_t column, int64_t cols, uint16_t* out) {
    const auto exists = static_cast<__mmask32>((uint64_t{1} << std::min(cols, kTileCols)) - 1);
    const auto lower = static_cast<__mmask16>(exists);
    const auto upper = static_cast<__mmask16>(exists >> 16);
    __m512i part[kParts][16];
    for (size_t r = 0; r < 16; ++r) {
        const float* from = r < rows.size() ? rows[r] + column : nullptr;
        __m512 a = from != nullptr ? _mm512_maskz_loadu_ps(lower, from) : _mm512_setzero_ps();
        __m512 b = from != nullptr ? _mm512_maskz_loadu_ps(upper, from + 16) : _mm512_setzero_ps();
        for (auto& p : part) {
            p[r] = upperHalves(a, b);
            a = belowUpperHalf(a);
            b = belowUpperHalf(b);
        }
    }
    for (auto& p : part) {
        transpose16(p);
        for (const __m512i pair : p) {
            _mm512_store_si512(out, pair);
            out += kTileCols;
        }
    }
}

// ---- weights ----

// 32 MXFP4 numbers as bf16. The scale must be one of kLowestScale to kHighestScale.
__m512i decodeGroup(const uint8_t* codes, uint8_t scale) {
    alignas(64) static constexpr uint16_t kE2m1[32] = {0x0000, 0x3F00, 0x3F80, 0x3FC0, 0x4000, 0x4040, 0x4080, 0x40C0,
                                                       0x8000, 0xBF00, 0xBF80, 0xBFC0, 0xC000, 0xC040, 0xC080, 0xC0C0};
    const __m512i bytes = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes)));
    const __m512i nibbles =
        _mm512_and_si512(_mm512_or_si512(bytes, _mm512_slli_epi32(bytes, 12)), _mm512_set1_epi16(0x0F));
    const __m512i values = _mm512_permutexvar_epi16(nibbles, _mm512_load_si512(kE2m1));
    const auto exponent = static_cast<int16_t>((scale - 127) * 128);  // bf16 has 7 bits of fraction
    const __mmask32 notZero = _mm512_test_epi16_mask(nibbles, _mm512_set1_epi16(7));
    return _mm512_mask_add_epi16(values, notZero, values, _mm512_set1_epi16(exponent));
}

// With scales beyond these, weights or their products with small numbers may be no normal numbers of the unit.
constexpr uint8_t kLowestScale = 64;
constexpr uint8_t kHighestScale = 250;

float e8m0(uint8_t code) {
    return code == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0F, code - 127);
}

float e2m1(uint8_t code) {
    constexpr float kMagnitude[8] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
    return code < 8 ? kMagnitude[code] : -kMagnitude[code - 8];
}

// ---- products ----

// sums[i] (+)= w[i] x for kCount weight tiles and all parts of one activation tile. A weight tile is `stride` numbers from the next one.
template <int kCount>
void addTiles(const uint16_t* w, int64_t stride, const uint16_t* x, int64_t steps, bool fresh, float* sums) {
    constexpr int64_t kSums = kTileRows * kTileRows;
    asm volatile("" ::: "memory");  // GCC does not know that loading a tile reads memory
    if (fresh) {
        _tile_zero(0);
        if constexpr (kCount > 1) _tile_zero(1);
        if constexpr (kCount > 2) _tile_zero(2);
        if constexpr (kCount > 3) _tile_zero(3);
    } else {
        _tile_loadd(0, sums, kTileBytes);
        if constexpr (kCount > 1) _tile_loadd(1, sums + kSums, kTileBytes);
        if constexpr (kCount > 2) _tile_loadd(2, sums + 2 * kSums, kTileBytes);
        if constexpr (kCount > 3) _tile_loadd(3, sums + 3 * kSums, kTileBytes);
    }
    for (int64_t s = 0; s < steps; ++s, w += kTile, x += kParts * kTile) {
        _tile_loadd(5, x, kTileBytes);
        _tile_loadd(6, x + kTile, kTileBytes);
        _tile_loadd(7, x + 2 * kTile, kTileBytes);
        _tile_loadd(4, w, kTileBytes);
        _tile_dpbf16ps(0, 4, 5);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(0, 4, 7);
        if constexpr (kCount > 1) {
            _tile_loadd(4, w + stride, kTileBytes);
            _tile_dpbf16ps(1, 4, 5);
            _tile_dpbf16ps(1, 4, 6);
            _tile_dpbf16ps(1, 4, 7);
        }
        if constexpr (kCount > 2) {
            _tile_loadd(4, w + 2 * stride, kTileBytes);
            _tile_dpbf16ps(2, 4, 5);
            _tile_dpbf16ps(2, 4, 6);
            _tile_dpbf16ps(2, 4, 7);
        }
        if constexpr (kCount > 3) {
            _tile_loadd(4, w + 3 * stride, kTileBytes);
            _tile_dpbf16ps(3, 4, 5);
            _tile_dpbf16ps(3, 4, 6);
            _tile_dpbf16ps(3, 4, 7);
        }
    }
    _tile_stored(0, sums, kTileBytes);
    if constexpr (kCount > 1) _tile_stored(1, sums + kSums, kTileBytes);
    if constexpr (kCount > 2) _tile_stored(2, sums + 2 * kSums, kTileBytes);
    if constexpr (kCount > 3) _tile_stored(3, sums + 3 * kSums, kTileBytes);
}

// The products of rows [begin, end) with up to kMostTokenTiles tiles of tokens. For many tokens a block of all rows is unpacked at a time, for few
// the rows of one pass from end to end, since then their way from memory takes longest and the processor reads ahead of what is in order.
class AmxProduct {
  public:
    AmxProduct(const WeightView& weight, int64_t begin, int64_t end, const AmxRows& x, ArenaScope& scope)
        : weight_(weight), begin_(begin), rows_(end - begin), rowTiles_(ceilDiv(rows_, kTileRows)), x_(x) {
        const int64_t manyPanel = rowTiles_ * kBlockSteps;
        const int64_t fewPanel = std::min(rowTiles_, kPassTiles) * ceilDiv(weight.cols, kTileCols);
        panel_ = scope.array<uint16_t>(static_cast<size_t>(std::max(manyPanel, fewPanel) * kTile));
        sums_ = scope.array<float>(static_cast<size_t>(rowTiles_ * kMostTokenTiles * kTileRows * kTileRows));
        plain_ = scope.array<bool>(static_cast<size_t>(rows_));
    }

    void run(int64_t firstTile, std::span<float* const> out, LinearPart::Write write) {
        const Tokens tokens{firstTile, ceilDiv(static_cast<int64_t>(out.size()), kTileRows)};
        std::fill_n(plain_, rows_, true);
        if (tokens.few()) {
            for (int64_t tile = 0; tile < rowTiles_; tile += kPassTiles)
                addPart(tile, std::min(tile + kPassTiles, rowTiles_), 0, weight_.cols, tokens);
        } else {
            for (int64_t col = 0; col < weight_.cols; col += kBlockCols)
                addPart(0, rowTiles_, col, std::min(col + kBlockCols, weight_.cols), tokens);
        }
        for (int64_t n = 0; n < rows_; ++n) {
            if (!plain_[n]) recompute(n, tokens);
        }
        for (int64_t t = 0; t < tokens.tiles; ++t) {
            const auto first = static_cast<size_t>(t * kTileRows);
            const auto rows = out.subspan(first, std::min<size_t>(out.size() - first, kTileRows));
            for (int64_t tile = 0; tile < rowTiles_; ++tile) store(tile, t, rows, write);
        }
    }

  private:
    struct Tokens {
        int64_t firstTile;
        int64_t tiles;
        [[nodiscard]] bool few() const { return tiles <= 2; }
    };

    [[nodiscard]] int64_t colsOf(int64_t block) const {
        return std::min(kBlockCols, weight_.cols - block * kBlockCols);
    }

    [[nodiscard]] const uint8_t* dataAt(int64_t row, int64_t col) const {
        const int64_t element = (begin_ + row) * weight_.cols + col;
        const bool isBf16 = weight_.format == WeightFormat::kBF16;
        return static_cast<const uint8_t*>(weight_.data) + (isBf16 ? element * 2 : element / 2);
    }

    // Row tiles [beginTile, endTile) of the columns [begin, end), whole blocks but for the last of all.
    void addPart(int64_t beginTile, int64_t endTile, int64_t begin, int64_t end, Tokens tokens) {
        const int64_t steps = ceilDiv(end - begin, kTileCols);
        unpack(beginTile, endTile, begin, end, steps);
        for (int64_t col = begin; col < end; col += kBlockCols) {
            for (int64_t tile = beginTile; tile < endTile; tile += kPassTiles) {
                const uint16_t* w = panel_ + ((tile - beginTile) * steps + (col - begin) / kTileCols) * kTile;
                addPass(tile, std::min(kPassTiles, endTile - tile), col / kBlockCols, w, steps * kTile, tokens);
            }
        }
    }

    // The panel: [tile][step][row][column]. Rows beyond the last stay as they are, and so do the results that nobody stores.
    void unpack(int64_t beginTile, int64_t endTile, int64_t begin, int64_t end, int64_t steps) {
        const int64_t first = beginTile * kTileRows;
        for (int64_t n = first; n < std::min(endTile * kTileRows, rows_); ++n) {
            uint16_t* to = panel_ + (n - first) / kTileRows * steps * kTile + n % kTileRows * kTileCols;
            if (weight_.format == WeightFormat::kBF16) {
                copyRow(dataAt(n, begin), end - begin, to);
            } else {
                decodeRow(n, begin, steps, to);
            }
        }
    }

    static void copyRow(const uint8_t* from, int64_t cols, uint16_t* to) {
        for (; cols > 0; cols -= kTileCols, from += kTileBytes, to += kTile) {
            const auto exists = static_cast<__mmask32>((uint64_t{1} << std::min(cols, kTileCols)) - 1);
            _mm512_store_si512(to, _mm512_maskz_loadu_epi16(exists, from));
        }
    }

    void decodeRow(int64_t row, int64_t begin, int64_t steps, uint16_t* to) {
        const uint8_t* codes = dataAt(row, begin);
        const uint8_t* scales = weight_.scale + ((begin_ + row) * weight_.cols + begin) / kMxfp4Group;
        bool plain = plain_[row];
        for (int64_t s = 0; s < steps; ++s, to += kTile) {
            plain &= scales[s] >= kLowestScale && scales[s] <= kHighestScale;
            _mm512_store_si512(to, decodeGroup(codes + s * kMxfp4Group / 2, scales[s]));
        }
        plain_[row] = plain;
    }

    // One block of `count` row tiles times all tokens. The tiles of a row tile lie at `w`, those of the next row tile `stride` numbers further on.
    void addPass(int64_t tile, int64_t count, int64_t block, const uint16_t* w, int64_t stride, Tokens tokens) {
        const int64_t steps = ceilDiv(colsOf(block), kTileCols);
        for (int64_t t = 0; t < tokens.tiles; ++t) {
            prefetchNext(tile, block, t, tokens);
            const uint16_t* x = x_.at(block, tokens.firstTile + t);
            float* sums = sumsOf(tile, t);
            const bool fresh = block == 0;
            if (count == 4) addTiles<4>(w, stride, x, steps, fresh, sums);
            if (count == 3) addTiles<3>(w, stride, x, steps, fresh, sums);
            if (count == 2) addTiles<2>(w, stride, x, steps, fresh, sums);
            if (count == 1) addTiles<1>(w, stride, x, steps, fresh, sums);
        }
    }

    // With many tokens each of their tiles fetches its share of the next block of the weight rows of its pass, whose pieces are too short for the
    // processor to read ahead.
    void prefetchNext(int64_t tile, int64_t block, int64_t t, Tokens tokens) const {
        if (tokens.few() || (block + 1) * kBlockCols >= weight_.cols) return;
        const int64_t first = tile * kTileRows;
        const int64_t count = std::min(kPassTiles * kTileRows, rows_ - first);
        const int64_t bytes = weight_.format == WeightFormat::kBF16 ? colsOf(block + 1) * 2 : colsOf(block + 1) / 2;
        for (int64_t n = count * t / tokens.tiles; n < count * (t + 1) / tokens.tiles; ++n) {
            const uint8_t* from = dataAt(first + n, (block + 1) * kBlockCols);
            for (int64_t at = 0; at < bytes; at += kTileBytes) _mm_prefetch(from + at, _MM_HINT_T1);
        }
    }

    // The sums of the row tiles of a pass lie behind each other for each token tile: [pass][token tile][row tile][row][token].
    [[nodiscard]] float* sumsOf(int64_t rowTile, int64_t tokenTile) const {
        const int64_t pass = rowTile / kPassTiles * kPassTiles;
        const int64_t inPass = std::min(kPassTiles, rowTiles_ - pass);
        const int64_t tile = pass * kMostTokenTiles + tokenTile * inPass + rowTile % kPassTiles;
        return sums_ + tile * kTileRows * kTileRows;
    }

    // The sums of an MXFP4 row with unusual scales, in order of the columns.
    void recompute(int64_t row, Tokens tokens) const {
        for (int64_t t = 0; t < tokens.tiles; ++t) {
            __m512 sum = _mm512_setzero_ps();
            for (int64_t pair = 0; pair < weight_.cols / 2; ++pair) {
                const int64_t col = 2 * pair;
                const int64_t group = ((begin_ + row) * weight_.cols + col) / kMxfp4Group;
                const uint8_t codes = *(dataAt(row, 0) + pair);
                const float scale = e8m0(weight_.scale[group]);
                const uint16_t* step = x_.at(col / kBlockCols, tokens.firstTile + t) +
                                       col % kBlockCols / kTileCols * kParts * kTile + pair % kTileRows * kTileCols;
                __m512 even = _mm512_setzero_ps();
                __m512 odd = even;
                for (int64_t part = kParts; part-- > 0;) {
                    const __m512i words = _mm512_load_si512(step + part * kTile);
                    even = _mm512_add_ps(even, _mm512_castsi512_ps(_mm512_slli_epi32(words, 16)));
                    const __m512i upper = _mm512_set1_epi32(static_cast<int32_t>(0xFFFF0000U));
                    odd = _mm512_add_ps(odd, _mm512_castsi512_ps(_mm512_and_si512(words, upper)));
                }
                sum = _mm512_fmadd_ps(_mm512_set1_ps(e2m1(codes & 0x0F) * scale), even, sum);
                sum = _mm512_fmadd_ps(_mm512_set1_ps(e2m1(codes >> 4) * scale), odd, sum);
            }
            _mm512_store_ps(sumsOf(row / kTileRows, t) + row % kTileRows * kTileRows, sum);
        }
    }

    void store(int64_t rowTile, int64_t tokenTile, std::span<float* const> tokens, LinearPart::Write write) const {
        const float* sums = sumsOf(rowTile, tokenTile);
        __m512i row[kTileRows];
        for (int64_t i = 0; i < kTileRows; ++i) row[i] = _mm512_load_si512(sums + i * kTileRows);
        transpose16(row);
        const int64_t first = rowTile * kTileRows;
        const auto exists = static_cast<__mmask16>((1U << std::min(kTileRows, rows_ - first)) - 1);
        for (size_t t = 0; t < tokens.size(); ++t) {
            float* to = tokens[t] + begin_ + first;
            __m512 result = _mm512_castsi512_ps(row[t]);
            if (write == LinearPart::Write::kAdd) result = _mm512_add_ps(_mm512_maskz_loadu_ps(exists, to), result);
            _mm512_mask_storeu_ps(to, exists, result);
        }
    }

    const WeightView& weight_;
    int64_t begin_;
    int64_t rows_;
    int64_t rowTiles_;
    const AmxRows& x_;
    uint16_t* panel_ = nullptr;
    float* sums_ = nullptr;
    bool* plain_ = nullptr;  // [rows] whether the unit's sums are right: no scale of the row is unusual
};

}  // namespace

AmxRows::AmxRows(int64_t rows, int64_t cols, ArenaScope& scope)
    : tiles_(ceilDiv(rows, kTileRows)),
      cols_(cols),
      data_(scope.array<uint16_t>(static_cast<size_t>(tiles_ * ceilDiv(cols, kTileCols) * kParts * kTile))) {}

uint16_t* AmxRows::at(int64_t block, int64_t tile) const {
    const int64_t steps = ceilDiv(std::min(kBlockCols, cols_ - block * kBlockCols), kTileCols);
    return data_ + (block * kBlockSteps * tiles_ + tile * steps) * kParts * kTile;
}

void AmxRows::pack(int64_t tile, std::span<const float* const> rows) const {
    for (int64_t column = 0; column < cols_; column += kTileCols) {
        uint16_t* to = at(column / kBlockCols, tile) + column % kBlockCols / kTileCols * kParts * kTile;
        packStep(rows, column, cols_ - column, to);
    }
}

void amxMultiply(const WeightView& weight, int64_t begin, int64_t end, const AmxRows& x, int64_t firstTile,
                 std::span<float* const> out, LinearPart::Write write, Arena& arena) {
    constexpr int64_t kMostTokens = kMostTokenTiles * kTileRows;
    ArenaScope scope(arena);
    const TileRegisters registers;
    AmxProduct product(weight, begin, end, x, scope);
    for (size_t first = 0; first < out.size(); first += kMostTokens) {
        product.run(firstTile + static_cast<int64_t>(first) / kTileRows,
                    out.subspan(first, std::min<size_t>(out.size() - first, kMostTokens)), write);
    }
}

}  // namespace pal::cpu

HWY_POP_ATTRIBUTES
