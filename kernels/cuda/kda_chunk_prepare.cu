// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kda_chunk.cuh"
#include "kernels/cuda/kda_chunk_stages.h"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

// Rows of a chunk in shared memory are padded by 16 bytes, so that ldmatrix meets no bank twice.
template <int K>
constexpr int kPitch = K + 8;

template <int K>
struct PrepareMemory {
    float g[kChunk][K];  // log decays, then their sums
    alignas(16) Bf16 keysIn[kChunk][kPitch<K>];
    alignas(16) Bf16 queries[kChunk][kPitch<K>];
    alignas(16) Bf16 keysBack[kChunk][kPitch<K>];  // k exp(-G)
    float a[kChunk][kChunk];
    float p[kChunk][kChunk];
    float beta[kChunk];
    int deep;  // some G is below kSplitLimit
};

// out[t][j] = rows_t . keysBack_j; one warp.
template <int K>
__device__ void gram(const Bf16 (&rows)[kChunk][kPitch<K>], const Bf16 (&back)[kChunk][kPitch<K>],
                     float (&out)[kChunk][kChunk]) {
    const int lane = threadIdx.x % kWarp;
    float sums[2][4] = {};
#pragma unroll
    for (int k = 0; k < K; k += 16) {
        uint32_t a[4];
        uint32_t b[4];
        loadMatrices(a, sharedAddress(&rows[lane % 16][k + lane / 16 * 8]));
        loadMatrices(b, sharedAddress(&back[lane % 8 + lane / 16 * 8][k + lane / 8 % 2 * 8]));
        multiply(sums[0], a, b[0], b[1]);
        multiply(sums[1], a, b[2], b[3]);
    }
#pragma unroll
    for (int n = 0; n < 2; ++n) {
#pragma unroll
        for (int r = 0; r < 4; ++r) out[lane / 4 + r / 2 * 8][n * 8 + lane % 4 * 2 + r % 2] = sums[n][r];
    }
}

// Both products with exp(G_t - G_j) inside the sum, for chunks that decay too far to split it; all threads of the block. Only j <= t.
template <int K>
__device__ void gramsOfDifferences(const ChunkInputs& in, int64_t t0, int64_t head, PrepareMemory<K>& m) {
    for (int i = threadIdx.x; i < kChunk * kChunk; i += K) {
        const int t = i / kChunk;
        const int j = i % kChunk;
        float a = 0;
        float p = 0;
        if (j <= t && t0 + t < in.tokens) {
            for (int c = 0; c < K; ++c) {
                const float back = toFloat(in.k.at(t0 + j, head)[c]) * expf(m.g[t][c] - m.g[j][c]);
                a += toFloat(in.k.at(t0 + t, head)[c]) * back;
                p += toFloat(in.q.at(t0 + t, head)[c]) * back;
            }
        }
        m.a[t][j] = a;
        m.p[t][j] = p;
    }
}

// M by forward substitution, lane j its column j.
__device__ void solve(const float (&a)[kChunk][kChunk], const float (&beta)[kChunk], Bf16* out) {
    const int j = threadIdx.x % kWarp;
    if (j >= kChunk) return;
    float x[kChunk];
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        float sum = t == j ? 1.0F : 0.0F;
#pragma unroll
        for (int i = 0; i < t; ++i) sum -= a[t][i] * x[i];
        x[t] = beta[t] * sum;
        out[t * kChunk + j] = fromFloat<Bf16>(t >= j ? x[t] : 0.0F);
    }
}

// Sums the log decays over the chunk, and makes the three products of a channel with its decays. Thread c takes channel c.
template <int K>
__device__ void scaleRows(const ChunkInputs& in, int64_t t0, int64_t head, PrepareMemory<K>& m, char* chunk) {
    using Layout = ChunkLayout<K>;
    const int c = static_cast<int>(threadIdx.x);
    float sum = 0;
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        if (t0 + t < in.tokens) sum += in.logDecay.at(t0 + t, head)[c];
        m.g[t][c] = sum;
    }
    if (sum < kSplitLimit) m.deep = 1;
    reinterpret_cast<float*>(chunk + Layout::kDecay)[c] = expf(sum);
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        const bool inside = t0 + t < in.tokens;
        const float g = m.g[t][c];
        const float grown = expf(g);
        const float k = inside ? toFloat(in.k.at(t0 + t, head)[c]) : 0.0F;
        const float q = inside ? toFloat(in.q.at(t0 + t, head)[c]) : 0.0F;
        m.keysIn[t][c] = fromFloat<Bf16>(k * grown);
        m.queries[t][c] = fromFloat<Bf16>(q * grown);
        m.keysBack[t][c] = fromFloat<Bf16>(k * expf(-fmaxf(g, kSplitLimit)));
        reinterpret_cast<Bf16*>(chunk + Layout::kKeysIn)[t * K + c] = m.keysIn[t][c];
        reinterpret_cast<Bf16*>(chunk + Layout::kQueries)[t * K + c] = m.queries[t][c];
        reinterpret_cast<Bf16*>(chunk + Layout::kKeysOut)[t * K + c] = fromFloat<Bf16>(k * expf(sum - g));
    }
}

template <int K>
__global__ void __launch_bounds__(K) prepareKernel(ChunkInputs in, char* chunks) {
    using Layout = ChunkLayout<K>;
    __shared__ PrepareMemory<K> m;
    const int64_t head = blockIdx.y;
    const int64_t t0 = static_cast<int64_t>(blockIdx.x) * kChunk;
    char* chunk = chunks + (head * gridDim.x + blockIdx.x) * Layout::kBytes;
    const int warp = threadIdx.x / kWarp;
    if (threadIdx.x == 0) m.deep = 0;
    __syncthreads();
    if (threadIdx.x < kChunk)
        m.beta[threadIdx.x] = t0 + threadIdx.x < in.tokens ? in.beta[t0 + threadIdx.x][head] : 0.0F;
    scaleRows<K>(in, t0, head, m, chunk);
    __syncthreads();
    if (m.deep != 0) {
        gramsOfDifferences<K>(in, t0, head, m);
    } else {
        if (warp == 0) gram<K>(m.keysIn, m.keysBack, m.a);
        if (warp == 1) gram<K>(m.queries, m.keysBack, m.p);
    }
    __syncthreads();
    if (warp == 0) solve(m.a, m.beta, reinterpret_cast<Bf16*>(chunk + Layout::kSolve));
    if (warp == 1) {
        auto* scores = reinterpret_cast<Bf16*>(chunk + Layout::kScores);
        for (int i = threadIdx.x % kWarp; i < kChunk * kChunk; i += kWarp) {
            scores[i] = fromFloat<Bf16>(i % kChunk <= i / kChunk ? m.p[i / kChunk][i % kChunk] : 0.0F);
        }
    }
}

}  // namespace

size_t chunkBytes(int64_t keyDim) {
    return static_cast<size_t>(keyDim == 64 ? ChunkLayout<64>::kBytes : ChunkLayout<128>::kBytes);
}

void prepareChunks(const Launch& launch, const ChunkInputs& in, int64_t heads, int64_t keyDim, char* chunks) {
    const dim3 grid{static_cast<unsigned>(ceilDiv(in.tokens, kChunk)), static_cast<unsigned>(heads)};
    if (keyDim == 64) {
        prepareKernel<64><<<grid, 64, 0, launch.stream>>>(in, chunks);
    } else {
        prepareKernel<128><<<grid, 128, 0, launch.stream>>>(in, chunks);
    }
}

}  // namespace pal::cuda
