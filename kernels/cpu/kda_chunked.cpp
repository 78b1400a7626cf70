// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/cpu/flush_denormals.h"
#include "kernels/cpu/kda_forms.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/kda_chunked.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/math-inl.h"
#include "kernels/cpu/row-inl.h"
#include "kernels/cpu/tile-inl.h"

// Chunks of 16 tokens. With a_t = exp(g_t), products of a over a range of tokens inside the chunk, and row vectors:
//   D_i = a_1 .. a_i,  E_i = a_{i+1} .. a_C,  r_ij = a_{j+1} .. a_i
//   N_ij = beta_i sum_c k_i k_j r_ij (j < i),   P_ij = sum_c q_i k_j r_ij (j <= i)
//   u = (I + N)^-1 beta (v - (D k) S),   o = (D q) S + P u,   S <- D_C S + (E k)^T u
// Decays enter as products of numbers in [0, 1], never as e^-G, so no gate overflows or makes a NaN; the system is solved by forward
// substitution. 16 is where the triangular work (growing with C) is small beside the three products with the state (independent of C).

HWY_BEFORE_NAMESPACE();
namespace pal::cpu::HWY_NAMESPACE {
namespace {

constexpr int64_t kChunk = 16;

// Scratch of one task. Rows of keys are `stride` floats apart, zero beyond K; the state is transposed into panels of value columns.
struct ChunkScratch {
    int64_t stride;  // K rounded up to whole vectors
    float* decay;    // a            [C, stride]
    float* key;      // k            [C, stride]
    float* query;    // q            [C, stride]
    float* left;     // D k, then D q [2 C, stride]; before that the left factors of a pair block
    float* right;    // E k          [C, stride]; before that its right factors
    float* total;    // D_C          [stride]
    float* writes;   // N            [C, C]
    float* reads;    // P            [C, C]
    float* state;    // [panels, K, panel]
    float* product;  // [2 C, panel]: (D k) S, then u | (D q) S, then o
};

void loadChunk(const KdaArgs& args, int64_t head, int64_t first, int64_t n, const ChunkScratch& s) {
    const int64_t width = args.k.dim(2);
    const auto load = [&](const float* from, float* to) {
        std::copy(from, from + width, to);
        std::fill(to + width, to + s.stride, 0.0F);
    };
    for (int64_t i = 0; i < n; ++i) {
        load(args.k.row<const float>(first + i, head), s.key + i * s.stride);
        load(args.q.row<const float>(first + i, head), s.query + i * s.stride);
        load(args.logDecay.row<const float>(first + i, head), s.decay + i * s.stride);
        mapFloats(
            s.stride, s.decay + i * s.stride, [](auto d, auto g) HWY_ATTR { return Exp(d, g); },
            s.decay + i * s.stride);
    }
}

// key . right_j and query . right_j for kColumns rows of `right`.
template <int kColumns>
HWY_INLINE void pairDots(const float* HWY_RESTRICT key, const float* HWY_RESTRICT query,
                         const float* HWY_RESTRICT right, int64_t stride, float* HWY_RESTRICT keyOut,
                         float* HWY_RESTRICT queryOut) {
    const F32 d;
    VecF32 keySum[kColumns];
    VecF32 querySum[kColumns];
    PAL_UNROLL
    for (int j = 0; j < kColumns; ++j) keySum[j] = querySum[j] = hn::Zero(d);
    for (int64_t c = 0; c < stride; c += lanesF32()) {
        const VecF32 k = hn::LoadU(d, key + c);
        const VecF32 q = hn::LoadU(d, query + c);
        PAL_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            const VecF32 r = hn::LoadU(d, right + j * stride + c);
            keySum[j] = hn::MulAdd(k, r, keySum[j]);
            querySum[j] = hn::MulAdd(q, r, querySum[j]);
        }
    }
    PAL_UNROLL
    for (int j = 0; j < kColumns; ++j) {
        keyOut[j] = sumLanes(keySum[j]);
        queryOut[j] = sumLanes(querySum[j]);
    }
}

// N and P for rows [middle, end) against columns [begin, middle): r_ij = (a_{middle+1} .. a_i)(a_{j+1} .. a_middle).
void pairBlock(const float* beta, int64_t betaStride, int64_t begin, int64_t middle, int64_t end,
               const ChunkScratch& s) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t stride = s.stride;
    const int64_t rows = end - middle;
    for (int64_t c = 0; c < stride; c += lanes) {
        VecF32 factor = hn::Set(d, 1.0F);
        for (int64_t i = middle; i < end; ++i) {
            if (i > middle) factor = hn::Mul(factor, hn::LoadU(d, s.decay + i * stride + c));
            hn::StoreU(hn::Mul(factor, hn::LoadU(d, s.key + i * stride + c)), d, s.left + (i - middle) * stride + c);
            hn::StoreU(hn::Mul(factor, hn::LoadU(d, s.query + i * stride + c)), d,
                       s.left + (rows + i - middle) * stride + c);
        }
        factor = hn::Set(d, 1.0F);
        for (int64_t j = middle; j-- > begin;) {
            factor = hn::Mul(factor, hn::LoadU(d, s.decay + (j + 1) * stride + c));
            hn::StoreU(hn::Mul(factor, hn::LoadU(d, s.key + j * stride + c)), d, s.right + (j - begin) * stride + c);
        }
    }
    const int64_t columns = middle - begin;  // 1, 2, 4 or 8
    for (int64_t i = 0; i < rows; ++i) {
        const float* key = s.left + i * stride;
        const float* query = s.left + (rows + i) * stride;
        float* writes = s.writes + (middle + i) * kChunk + begin;
        float* reads = s.reads + (middle + i) * kChunk + begin;
        if (columns == 1) pairDots<1>(key, query, s.right, stride, writes, reads);
        if (columns == 2) pairDots<2>(key, query, s.right, stride, writes, reads);
        for (int64_t j = 0; j + 4 <= columns; j += 4) {
            pairDots<4>(key, query, s.right + j * stride, stride, writes + j, reads + j);
        }
        for (int64_t j = 0; j < columns; ++j) writes[j] *= beta[(middle + i) * betaStride];
    }
}

void pairwise(const float* beta, int64_t betaStride, int64_t n, const ChunkScratch& s) {
    std::fill(s.reads, s.reads + kChunk * kChunk, 0.0F);
    for (int64_t i = 0; i < n; ++i) {
        s.reads[i * kChunk + i] = dot(s.query + i * s.stride, s.key + i * s.stride, s.stride);
    }
    for (int64_t half = 1; half < n; half *= 2) {
        for (int64_t begin = 0; begin + half < n; begin += 2 * half) {
            pairBlock(beta, betaStride, begin, begin + half, std::min(begin + 2 * half, n), s);
        }
    }
}

// left <- D k | D q, right <- E k, total <- D_C.
void decayFromAndToBorders(int64_t n, const ChunkScratch& s) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t stride = s.stride;
    for (int64_t c = 0; c < stride; c += lanes) {
        VecF32 factor = hn::Set(d, 1.0F);
        for (int64_t i = 0; i < n; ++i) {
            factor = hn::Mul(factor, hn::LoadU(d, s.decay + i * stride + c));
            hn::StoreU(hn::Mul(factor, hn::LoadU(d, s.key + i * stride + c)), d, s.left + i * stride + c);
            hn::StoreU(hn::Mul(factor, hn::LoadU(d, s.query + i * stride + c)), d, s.left + (n + i) * stride + c);
        }
        hn::StoreU(factor, d, s.total + c);
        factor = hn::Set(d, 1.0F);
        for (int64_t i = n; i-- > 0;) {
            hn::StoreU(hn::Mul(factor, hn::LoadU(d, s.key + i * stride + c)), d, s.right + i * stride + c);
            factor = hn::Mul(factor, hn::LoadU(d, s.decay + i * stride + c));
        }
    }
}

// u <- (I + N)^-1 beta (v - u), u [n, panel] holding (D k) S at first; v is n rows of `columns` floats, vStride apart.
void solvePanel(const float* v, int64_t vStride, int64_t columns, const float* beta, int64_t betaStride, int64_t n,
                const ChunkScratch& s) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t width = panelWidth();
    HWY_ALIGN float padded[2 * hn::MaxLanes(F32())] = {};
    for (int64_t i = 0; i < n; ++i) {
        const float* value = v + i * vStride;
        if (columns < width) {
            std::copy(value, value + columns, padded);
            value = padded;
        }
        const VecF32 b = hn::Set(d, beta[i * betaStride]);
        float* u = s.product + i * width;
        VecF32 u0 = hn::Mul(b, hn::Sub(hn::LoadU(d, value), hn::LoadU(d, u)));
        VecF32 u1 = hn::Mul(b, hn::Sub(hn::LoadU(d, value + lanes), hn::LoadU(d, u + lanes)));
        for (int64_t j = 0; j < i; ++j) {
            const VecF32 weight = hn::Set(d, s.writes[i * kChunk + j]);
            u0 = hn::NegMulAdd(weight, hn::LoadU(d, s.product + j * width), u0);
            u1 = hn::NegMulAdd(weight, hn::LoadU(d, s.product + j * width + lanes), u1);
        }
        hn::StoreU(u0, d, u);
        hn::StoreU(u1, d, u + lanes);
    }
}

// o <- o + P u, stored as n rows of `columns` floats, outStride apart.
void readPanel(int64_t columns, int64_t n, float* out, int64_t outStride, const ChunkScratch& s) {
    const F32 d;
    const int64_t lanes = lanesF32();
    const int64_t width = panelWidth();
    float* o = s.product + n * width;
    multiplyPanel<Left::kRowMajor, Base::kResult>(n, s.reads, kChunk, s.product, width, n, o);
    for (int64_t i = 0; i < n; ++i) {
        if (columns == width) {
            hn::StoreU(hn::LoadU(d, o + i * width), d, out + i * outStride);
            hn::StoreU(hn::LoadU(d, o + i * width + lanes), d, out + i * outStride + lanes);
        } else {
            std::copy(o + i * width, o + i * width + columns, out + i * outStride);
        }
    }
}

// Returns the sum of squares of the last token's u.
float runChunk(const KdaArgs& args, int64_t head, int64_t first, int64_t n, int64_t beginPanel, int64_t endPanel,
               const ChunkScratch& s) {
    const int64_t keys = args.k.dim(2);
    const int64_t width = panelWidth();
    const float* beta = args.beta.row<const float>(first) + head;
    const int64_t betaStride = args.beta.stride[0];
    loadChunk(args, head, first, n, s);
    pairwise(beta, betaStride, n, s);
    decayFromAndToBorders(n, s);
    float written = 0;
    for (int64_t panel = beginPanel; panel < endPanel; ++panel) {
        const int64_t columns = std::min(width, args.v.dim(2) - panel * width);
        float* state = s.state + (panel - beginPanel) * keys * width;
        multiplyPanel<Left::kRowMajor, Base::kZero>(2 * n, s.left, s.stride, state, width, keys, s.product);
        solvePanel(args.v.row<const float>(first, head) + panel * width, args.v.stride[0], columns, beta, betaStride, n,
                   s);
        written += sumOfSquares(s.product + (n - 1) * width, columns);
        readPanel(columns, n, args.out.row<float>(first, head) + panel * width, args.out.stride[0], s);
        multiplyPanel<Left::kDepthMajor, Base::kScaledResult>(keys, s.right, s.stride, s.product, width, n, state,
                                                              s.total);
    }
    return written;
}

int64_t kdaPanels(int64_t values) {
    return panelsFor(values);
}

// All tokens of one head, for the value columns of panels [beginPanel, endPanel). Returns the sum of squares of the last token's u.
float kdaChunkedPanels(const KdaArgs& args, int64_t head, int64_t beginPanel, int64_t endPanel, Arena& arena) {
    const int64_t keys = args.k.dim(2);
    const int64_t width = panelWidth();
    const int64_t stride = (keys + lanesF32() - 1) / lanesF32() * lanesF32();
    ArenaScope scope(arena);
    const auto floats = [&](int64_t count) { return scope.array<float>(static_cast<size_t>(count)); };
    const ChunkScratch s{stride,
                         floats(kChunk * stride),
                         floats(kChunk * stride),
                         floats(kChunk * stride),
                         floats(2 * kChunk * stride),
                         floats(kChunk * stride),
                         floats(stride),
                         floats(kChunk * kChunk),
                         floats(kChunk * kChunk),
                         floats((endPanel - beginPanel) * keys * width),
                         floats(2 * kChunk * width)};
    const auto panelState = [&](int64_t panel) { return s.state + (panel - beginPanel) * keys * width; };
    const auto columnsOf = [&](int64_t panel) { return std::min(width, args.v.dim(2) - panel * width); };
    const int64_t rowStride = args.state.stride[1];
    for (int64_t panel = beginPanel; panel < endPanel; ++panel) {
        if (columnsOf(panel) < width) std::fill(panelState(panel), panelState(panel) + keys * width, 0.0F);
        transpose(args.state.row<float>(head, panel * width), rowStride, columnsOf(panel), keys, panelState(panel),
                  width);
    }
    const int64_t tokens = args.q.dim(0);
    float written = 0;
    for (int64_t first = 0; first < tokens; first += kChunk) {
        written = runChunk(args, head, first, std::min(kChunk, tokens - first), beginPanel, endPanel, s);
    }
    for (int64_t panel = beginPanel; panel < endPanel; ++panel) {
        transpose(panelState(panel), width, keys, columnsOf(panel), args.state.row<float>(head, panel * width),
                  rowStride);
    }
    return written;
}

}  // namespace
}  // namespace pal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pal::cpu {

HWY_EXPORT(kdaPanels);
HWY_EXPORT(kdaChunkedPanels);

// One task per head, or per part of a head's value columns where there are fewer heads than threads; the parts repeat the small
// state-independent work.
void kdaChunked(const KdaArgs& args, ThreadPool& pool) {
    const int64_t heads = args.q.dim(1);
    const int64_t panels = HWY_DYNAMIC_DISPATCH(kdaPanels)(args.v.dim(2));
    const int64_t parts = std::min(panels, (pool.threads() + heads - 1) / heads);
    ArenaScope scope(pool.arena(0));
    auto* written = scope.array<float>(static_cast<size_t>(heads * parts));
    pool.parallelFor(heads * parts, [&](int64_t task, int thread) {
        const FlushDenormals flush;
        const int64_t part = task % parts;
        written[task] = HWY_DYNAMIC_DISPATCH(kdaChunkedPanels)(args, task / parts, part * panels / parts,
                                                               (part + 1) * panels / parts, pool.arena(thread));
    });
    if (!args.probe.present()) return;
    for (int64_t head = 0; head < heads; ++head) {
        const float* part = written + head * parts;
        float state = 0;
        for (int64_t row = 0; row < args.v.dim(2); ++row) {
            const auto* values = args.state.row<const float>(head, row);
            state += std::inner_product(values, values + args.state.dim(2), values, 0.0F);
        }
        args.probe.write.row<float>(0)[head] = std::sqrt(std::accumulate(part, part + parts, 0.0F));
        args.probe.stateNorm.row<float>(0)[head] = std::sqrt(state);
    }
}

}  // namespace pal::cpu
#endif  // HWY_ONCE
