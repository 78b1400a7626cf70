// SPDX-License-Identifier: Apache-2.0
// What a chunk's scan needs and its tokens alone decide. A block takes some chunks of one head, one after the other, the next one's rows on their way while
// one is worked on. A thread takes two channels of all tokens, so that the decays are summed over the tokens in registers; the scaled rows pass through
// shared memory once, as operands of the chunk's two Gram matrices. All decays are powers of two here.
#include "kernels/cuda/kda_chunk.cuh"
#include "kernels/cuda/kda_chunk_stages.h"
#include "kernels/cuda/kda_gate.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr unsigned kAll = 0xFFFFFFFFU;
constexpr int kChunksOfBlock = 8;
constexpr float kDeep = kSplitLimit * kLog2E;
using Pair = __nv_bfloat162;

// Rows of a chunk in shared memory are padded by 16 bytes, so that ldmatrix meets no bank twice.
template <int K>
constexpr int kPitch = K + 8;

// A chunk's rows as they come: queries, keys, and what makes the decays.
template <int K, typename Decay>
struct Rows16 {
    alignas(16) Bf16 q[kChunk][K];
    alignas(16) Bf16 k[kChunk][K];
    alignas(16) Decay decay[kChunk][K];
};

template <int K, typename Decay>
struct PrepareMemory {
    Rows16<K, Decay> rows;
    alignas(16) Bf16 keysIn[kChunk][kPitch<K>];
    alignas(16) Bf16 queries[kChunk][kPitch<K>];
    union {
        alignas(16) Bf16 keysBack[kChunk][kPitch<K>];  // k 2^-G
        float g[kChunk][K + 1];                        // G, of chunks that decay too far
    };
    alignas(16) float a[kChunk][kChunk];
    float squares[K / 2 / kWarp][2 * kChunk];  // sums of a warp's channels, of queries, then of keys
    float beta[kChunk];
};

// A thread's two channels of a chunk: normed rows and G.
struct Chunk {
    Pair q[kChunk], k[kChunk];
    float2 g[kChunk];
};

// Asynchronous copy of rows [t0, t0 + 16) of a head; rows from `count` on become zero.
template <int K, typename T>
__device__ void copyRows(T (&to)[kChunk][K], const HeadRows<const T>& from, int64_t t0, int count, int64_t head) {
    constexpr int kEach = 16 / sizeof(T);
    constexpr int kPieces = K / kEach;
#pragma unroll
    for (int i = 0; i < kChunk * kPieces / (K / 2); ++i) {
        const int p = static_cast<int>(threadIdx.x) + i * (K / 2);
        const int row = p / kPieces;
        const int c = p % kPieces * kEach;
        copyPiece(sharedAddress(&to[row][c]), row < count ? from.at(t0 + row, head) + c : nullptr, from.data);
    }
}

template <int K>
__device__ void copyChunk(const ReadyRows& in, int64_t t0, int count, int64_t head, Rows16<K, float>& to) {
    copyRows<K>(to.q, in.q, t0, count, head);
    copyRows<K>(to.k, in.k, t0, count, head);
    copyRows<K>(to.decay, in.logDecay, t0, count, head);
}
template <int K>
__device__ void copyChunk(const RawRows& in, int64_t t0, int count, int64_t head, Rows16<K, Bf16>& to) {
    copyRows<K>(to.q, in.q, t0, count, head);
    copyRows<K>(to.k, in.k, t0, count, head);
    copyRows<K>(to.decay, in.z, t0, count, head);
}

__device__ inline float betaOf(const ReadyRows& in, int64_t t, int64_t head) {
    return in.beta[t][head];
}
__device__ inline float betaOf(const RawRows& in, int64_t t, int64_t head) {
    const float open = sigmoid(toFloat(in.betaLogits[t][head]));
    if (in.betaTap.data != nullptr) in.betaTap[t][head] = open;
    return open;
}

template <int K>
__device__ void load(const ReadyRows&, PrepareMemory<K, float>& m, const Rows16<K, float>& rows, int64_t, int, int64_t,
                     Chunk& chunk) {
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        const int lane = static_cast<int>(threadIdx.x);
        chunk.q[t] = reinterpret_cast<const Pair*>(rows.q[t])[lane];
        chunk.k[t] = reinterpret_cast<const Pair*>(rows.k[t])[lane];
        const float2 g = reinterpret_cast<const float2*>(rows.decay[t])[lane];
        chunk.g[t] = make_float2(g.x * kLog2E, g.y * kLog2E);
    }
}

// Sums Count values over the lanes that differ in the bits below Count; lane l gets value l % Count. Halves of the values change places with halves of
// the lanes.
template <int Count>
__device__ float sumEach(const float (&x)[Count]) {
    if constexpr (Count == 1) {
        return x[0];
    } else {
        constexpr int kHalf = Count / 2;
        const bool upper = (threadIdx.x & kHalf) != 0;
        float half[kHalf];
#pragma unroll
        for (int i = 0; i < kHalf; ++i) {
            const float send = upper ? x[i] : x[i + kHalf];
            half[i] = (upper ? x[i + kHalf] : x[i]) + __shfl_xor_sync(kAll, send, kHalf);
        }
        return sumEach(half);
    }
}

// Queries and keys by their norms, rounded as l2Norm rounds.
template <int K>
__device__ void normRows(const RawRows& in, PrepareMemory<K, Bf16>& m, Chunk& chunk) {
    const int lane = threadIdx.x % kWarp;
    float squares[2 * kChunk];
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        const float2 q = __bfloat1622float2(chunk.q[t]);
        const float2 k = __bfloat1622float2(chunk.k[t]);
        squares[t] = q.x * q.x + q.y * q.y;
        squares[kChunk + t] = k.x * k.x + k.y * k.y;
    }
    m.squares[threadIdx.x / kWarp][lane] = sumEach(squares);
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (const auto& part : m.squares) sum += part[lane];
    const float factor = rsqrtf(sum + in.normEps) * (lane < kChunk ? in.queryScale : 1.0F);
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        const float forQuery = __shfl_sync(kAll, factor, t);
        const float forKey = __shfl_sync(kAll, factor, kChunk + t);
        const float2 q = __bfloat1622float2(chunk.q[t]);
        const float2 k = __bfloat1622float2(chunk.k[t]);
        chunk.q[t] = __floats2bfloat162_rn(q.x * forQuery, q.y * forQuery);
        chunk.k[t] = __floats2bfloat162_rn(k.x * forKey, k.y * forKey);
    }
}

// The decay of kda_gate.cuh in powers of two: bounded, lowerBound / (1 + 2^(-a x)), or with a softplus.
template <int K>
__device__ void openGates(const RawRows& in, const Rows16<K, Bf16>& rows, int count, int64_t head, Chunk& chunk) {
    const int lane = static_cast<int>(threadIdx.x);
    const float a = expf(in.aLog[head]);
    const float2 bias = reinterpret_cast<const float2*>(in.dtBias + head * K)[lane];
    if (in.bounded) {
        const float slope = -a * kLog2E;
        const float bound = in.lowerBound * kLog2E;
#pragma unroll
        for (int t = 0; t < kChunk; ++t) {
            const float2 x = __bfloat1622float2(reinterpret_cast<const Pair*>(rows.decay[t])[lane]);
            chunk.g[t] = make_float2(bound * inverseFast(1.0F + exp2Fast(slope * (x.x + bias.x))),
                                     bound * inverseFast(1.0F + exp2Fast(slope * (x.y + bias.y))));
        }
    } else {
#pragma unroll
        for (int t = 0; t < kChunk; ++t) {
            const float2 x = __bfloat1622float2(reinterpret_cast<const Pair*>(rows.decay[t])[lane]);
            chunk.g[t] = make_float2(-a * kLog2E * softplus(x.x + bias.x), -a * kLog2E * softplus(x.y + bias.y));
        }
    }
    if (count == kChunk) return;
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        if (t >= count) chunk.g[t] = {};
    }
}

template <int K>
__device__ void load(const RawRows& in, PrepareMemory<K, Bf16>& m, const Rows16<K, Bf16>& rows, int64_t t0, int count,
                     int64_t head, Chunk& chunk) {
    const int lane = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        chunk.q[t] = reinterpret_cast<const Pair*>(rows.q[t])[lane];
        chunk.k[t] = reinterpret_cast<const Pair*>(rows.k[t])[lane];
    }
    normRows<K>(in, m, chunk);
    openGates<K>(in, rows, count, head, chunk);
    if (in.decayTap.data == nullptr) return;
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        if (t >= count) continue;
        reinterpret_cast<float2*>(in.decayTap.at(t0 + t, head))[lane] =
            make_float2(chunk.g[t].x / kLog2E, chunk.g[t].y / kLog2E);
    }
}

// A row's pair of this thread in a matrix that the scan reads with its pieces of 16 bytes exchanged (pieceAddress()).
template <int K>
__device__ void store(char* matrix, int row, Pair pair) {
    const int lane = static_cast<int>(threadIdx.x);
    *reinterpret_cast<Pair*>(matrix + row * (K * 2) + (((lane / 4) ^ (row & 7)) * 16 + lane % 4 * 4)) = pair;
}

// Sums the log decays over the chunk. True when some channel decays too far to split exp(G_t - G_j).
__device__ bool sumDecays(Chunk& chunk) {
#pragma unroll
    for (int t = 1; t < kChunk; ++t) {
        chunk.g[t].x += chunk.g[t - 1].x;
        chunk.g[t].y += chunk.g[t - 1].y;
    }
    const float2 last = chunk.g[kChunk - 1];
    return __syncthreads_or(last.x < kDeep || last.y < kDeep) != 0;
}

// The products of rows with their decays, for the scan and, unless the chunk is deep, for the Gram matrices.
template <int K, bool Deep, typename Memory>
__device__ void scaleRows(const Chunk& chunk, Memory& m, char* out) {
    using Layout = ChunkLayout<K>;
    const int lane = static_cast<int>(threadIdx.x);
    const float2 last = chunk.g[kChunk - 1];
    const float2 left = make_float2(exp2Fast(last.x), exp2Fast(last.y));
    reinterpret_cast<float2*>(out + Layout::kDecay)[lane] = left;
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        const float2 g = chunk.g[t];
        const float2 q = __bfloat1622float2(chunk.q[t]);
        const float2 k = __bfloat1622float2(chunk.k[t]);
        const float2 grown = make_float2(exp2Fast(g.x), exp2Fast(g.y));
        const Pair in = __floats2bfloat162_rn(k.x * grown.x, k.y * grown.y);
        const Pair query = __floats2bfloat162_rn(q.x * grown.x, q.y * grown.y);
        store<K>(out + Layout::kKeysIn, t, in);
        store<K>(out + Layout::kQueries, t, query);
        if constexpr (Deep) {
            store<K>(out + Layout::kKeysOut, t,
                     __floats2bfloat162_rn(k.x * exp2Fast(last.x - g.x), k.y * exp2Fast(last.y - g.y)));
        } else {
            const float2 back = make_float2(k.x * exp2Fast(-g.x), k.y * exp2Fast(-g.y));
            reinterpret_cast<Pair*>(m.keysIn[t])[lane] = in;
            reinterpret_cast<Pair*>(m.queries[t])[lane] = query;
            reinterpret_cast<Pair*>(m.keysBack[t])[lane] = __floats2bfloat162_rn(back.x, back.y);
            store<K>(out + Layout::kKeysOut, t, __floats2bfloat162_rn(back.x * left.x, back.y * left.y));
        }
    }
}

// out[t][j] = rows_t . keysBack_j; one warp.
template <int K>
__device__ void gram(const Bf16 (&rows)[kChunk][kPitch<K>], const Bf16 (&back)[kChunk][kPitch<K>], float (&out)[2][4]) {
    const int lane = threadIdx.x % kWarp;
#pragma unroll
    for (int k = 0; k < K; k += 16) {
        uint32_t a[4];
        uint32_t b[4];
        loadMatrices(a, sharedAddress(&rows[lane % 16][k + lane / 16 * 8]));
        loadMatrices(b, sharedAddress(&back[lane % 8 + lane / 16 * 8][k + lane / 8 % 2 * 8]));
        multiply(out[0], a, b[0], b[1]);
        multiply(out[1], a, b[2], b[3]);
    }
}

// A into shared memory by the first warp, the scores P, j <= t, into the chunk by the last.
template <int K, typename Memory>
__device__ void grams(Memory& m, char* chunk) {
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    if (warp == 0) {
        float a[2][4] = {};
        gram<K>(m.keysIn, m.keysBack, a);
#pragma unroll
        for (int i = 0; i < 4; ++i) {  // n = i / 2, half = i % 2
            *reinterpret_cast<float2*>(&m.a[lane / 4 + i % 2 * 8][i / 2 * 8 + lane % 4 * 2]) =
                make_float2(a[i / 2][i % 2 * 2], a[i / 2][i % 2 * 2 + 1]);
        }
    }
    if (warp == K / 2 / kWarp - 1) {
        float p[2][4] = {};
        gram<K>(m.queries, m.keysBack, p);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int t = lane / 4 + i % 2 * 8;
            const int j = i / 2 * 8 + lane % 4 * 2;
            *reinterpret_cast<uint32_t*>(chunk + ChunkLayout<K>::kScores + (t * kChunk + j) * 2) =
                packBf16(j <= t ? p[i / 2][i % 2 * 2] : 0.0F, j + 1 <= t ? p[i / 2][i % 2 * 2 + 1] : 0.0F);
        }
    }
}

// The same with exp(G_t - G_j) inside the sums, from the rows themselves.
template <int K, typename Memory>
__device__ void gramsOfDifferences(const Chunk& chunk, Memory& m, char* out) {
    const int lane = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int t = 0; t < kChunk; ++t) {
        reinterpret_cast<Pair*>(m.keysIn[t])[lane] = chunk.k[t];
        reinterpret_cast<Pair*>(m.queries[t])[lane] = chunk.q[t];
        m.g[t][2 * lane] = chunk.g[t].x;
        m.g[t][2 * lane + 1] = chunk.g[t].y;
    }
    __syncthreads();
    for (int i = lane; i < kChunk * kChunk; i += K / 2) {
        const int t = i / kChunk;
        const int j = i % kChunk;
        float a = 0;
        float p = 0;
        for (int c = 0; j <= t && c < K; ++c) {
            const float back = toFloat(m.keysIn[j][c]) * exp2Fast(m.g[t][c] - m.g[j][c]);
            a += toFloat(m.keysIn[t][c]) * back;
            p += toFloat(m.queries[t][c]) * back;
        }
        m.a[t][j] = a;
        reinterpret_cast<Bf16*>(out + ChunkLayout<K>::kScores)[i] = fromFloat<Bf16>(p);
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
        for (int i = 0; i < t; i += 4) {
            const float4 row = *reinterpret_cast<const float4*>(&a[t][i]);
            sum -= row.x * x[i];
            if (i + 1 < t) sum -= row.y * x[i + 1];
            if (i + 2 < t) sum -= row.z * x[i + 2];
            if (i + 3 < t) sum -= row.w * x[i + 3];
        }
        x[t] = beta[t] * sum;
        out[t * kChunk + j] = fromFloat<Bf16>(t >= j ? x[t] : 0.0F);
    }
}

// Matrices of a chunk whose decays are summed.
template <int K, typename Memory>
__device__ void writeChunk(const Chunk& chunk, bool deep, Memory& m, char* out) {
    if (deep) {
        scaleRows<K, true>(chunk, m, out);
        gramsOfDifferences<K>(chunk, m, out);
        __syncthreads();
    } else {
        scaleRows<K, false>(chunk, m, out);
        __syncthreads();
        grams<K>(m, out);
        __syncwarp();
    }
    if (threadIdx.x < kWarp) solve(m.a, m.beta, reinterpret_cast<Bf16*>(out + ChunkLayout<K>::kSolve));
    __syncwarp();
}

template <int K, typename Decay, typename Input>
__global__ void __launch_bounds__(K / 2, 6)
    prepareKernel(const __grid_constant__ Input in, int64_t tokens, int64_t chunkCount, char* chunks) {
    extern __shared__ __align__(16) char buffer[];
    auto& m = *reinterpret_cast<PrepareMemory<K, Decay>*>(buffer);
    const int64_t head = blockIdx.y;
    const int64_t first = static_cast<int64_t>(blockIdx.x) * kChunksOfBlock;
    const int64_t end = min(first + kChunksOfBlock, chunkCount);
    const auto countOf = [&](int64_t c) {
        return static_cast<int>(min(tokens - c * kChunk, static_cast<int64_t>(kChunk)));
    };
    copyChunk<K>(in, first * kChunk, countOf(first), head, m.rows);
    commitCopies();
    for (int64_t c = first; c < end; ++c) {
        const int count = countOf(c);
        const int t = static_cast<int>(threadIdx.x);
        if (t < kChunk) m.beta[t] = t < count ? betaOf(in, c * kChunk + t, head) : 0.0F;
        waitForCopies<0>();
        __syncthreads();
        Chunk chunk;
        load<K>(in, m, m.rows, c * kChunk, count, head, chunk);
        const bool deep = sumDecays(chunk);  // all threads have read their rows: the next ones may come
        if (c + 1 < end) copyChunk<K>(in, (c + 1) * kChunk, countOf(c + 1), head, m.rows);
        commitCopies();
        writeChunk<K>(chunk, deep, m, chunks + (head * chunkCount + c) * ChunkLayout<K>::kBytes);
    }
}

template <int K, typename Decay, typename Input>
void launchPrepare(const Launch& launch, const Input& in, int64_t tokens, int64_t heads, char* chunks) {
    constexpr int kShared = sizeof(PrepareMemory<K, Decay>);
    cudaFuncSetAttribute(prepareKernel<K, Decay, Input>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    const int64_t count = ceilDiv(tokens, kChunk);
    const dim3 grid{static_cast<unsigned>(ceilDiv(count, kChunksOfBlock)), static_cast<unsigned>(heads)};
    prepareKernel<K, Decay><<<grid, K / 2, kShared, launch.stream>>>(in, tokens, count, chunks);
}

template <typename Decay, typename Input>
void prepare(const Launch& launch, const Input& in, int64_t tokens, int64_t heads, int64_t keyDim, char* chunks) {
    if (keyDim == 64) {
        launchPrepare<64, Decay>(launch, in, tokens, heads, chunks);
    } else {
        launchPrepare<128, Decay>(launch, in, tokens, heads, chunks);
    }
}

}  // namespace

size_t chunkBytes(int64_t keyDim) {
    return static_cast<size_t>(keyDim == 64 ? ChunkLayout<64>::kBytes : ChunkLayout<128>::kBytes);
}

void prepareChunks(const Launch& launch, const ReadyRows& in, int64_t tokens, int64_t heads, int64_t keyDim,
                   char* chunks) {
    prepare<float>(launch, in, tokens, heads, keyDim, chunks);
}

void prepareChunks(const Launch& launch, const RawRows& in, int64_t tokens, int64_t heads, int64_t keyDim,
                   char* chunks) {
    prepare<Bf16>(launch, in, tokens, heads, keyDim, chunks);
}

}  // namespace pal::cuda
