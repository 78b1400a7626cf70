// SPDX-License-Identifier: Apache-2.0
// Carries S through the chunks of a head. A warp keeps 16 value rows of S as mma accumulators, whose layout is that of an A operand once rounded to
// bfloat16, and everything is computed transposed ([value rows] x [tokens]), so that S, the writes and the result never leave registers:
//   W^T = V^T - S (k exp G)^T      U^T = W^T M^T      out^T = S (q exp G)^T + U^T P^T      S <- S diag(exp G_C) + U^T (k exp(G_C - G))
#include "kernels/cuda/kda_chunk.cuh"
#include "kernels/cuda/kda_chunk_stages.h"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * kWarp;
constexpr int kValues = kWarps * 16;  // value rows of a block
constexpr int kStages = 3;
constexpr int kValueBytes = kValues * 2;

template <int K>
struct Scan {
    using Layout = ChunkLayout<K>;
    static constexpr int kKeyBytes = K * 2;
    // In shared memory the three [16][K] matrices are swizzled; M and P are plain.
    static constexpr int kValueAt = Layout::kBytes;
    static constexpr int kStageBytes = (kValueAt + kChunk * kValueBytes + 127) / 128 * 128;
    static constexpr int kSharedBytes = kStages * kStageBytes;

    const ScanArgs& a;
    int64_t head;
    int64_t firstValue;  // of the block
    const char* chunks;  // of the head
    uint32_t shared;
    const char* sharedMemory;
    int lane, warp;

    [[nodiscard]] __device__ uint32_t stage(int i) const { return shared + (i % kStages) * kStageBytes; }

    __device__ void copyChunk(int i) const {
        const char* from = chunks + static_cast<int64_t>(i) * Layout::kBytes;
        const uint32_t to = stage(i);
        constexpr int kPieces = K / 8;
        for (int p = threadIdx.x; p < 3 * kChunk * kPieces; p += kThreads) {
            const int matrix = p / (kChunk * kPieces);
            const int row = p / kPieces % kChunk;
            copyPiece(pieceAddress<kKeyBytes>(to + matrix * Layout::kMatrix, row, p % kPieces), from + p * 16, from);
        }
        for (int p = threadIdx.x; p < (Layout::kBytes - Layout::kSolve) / 16; p += kThreads) {
            copyPiece(to + Layout::kSolve + p * 16, from + Layout::kSolve + p * 16, from);
        }
        for (int p = threadIdx.x; p < kChunk * (kValues / 8); p += kThreads) {
            const int64_t t = static_cast<int64_t>(i) * kChunk + p / (kValues / 8);
            const int piece = p % (kValues / 8);
            copyPiece(pieceAddress<kValueBytes>(to + kValueAt, p / (kValues / 8), piece),
                      t < a.tokens ? a.v.at(t, head) + firstValue + piece * 8 : nullptr, from);
        }
    }

    // S rows of this warp as A operands.
    __device__ void roundState(const float (&s)[K / 8][4], uint32_t (&r)[K / 16][4]) const {
#pragma unroll
        for (int k = 0; k < K / 16; ++k) {
            r[k][0] = packBf16(s[2 * k][0], s[2 * k][1]);
            r[k][1] = packBf16(s[2 * k][2], s[2 * k][3]);
            r[k][2] = packBf16(s[2 * k + 1][0], s[2 * k + 1][1]);
            r[k][3] = packBf16(s[2 * k + 1][2], s[2 * k + 1][3]);
        }
    }

    // out [16 values x 16 tokens] += S rows^T for a [16 tokens][K] matrix.
    __device__ void timesRows(const uint32_t (&s)[K / 16][4], uint32_t matrix, float (&out)[2][4]) const {
#pragma unroll
        for (int k = 0; k < K / 16; ++k) {
            uint32_t b[4];
            loadMatrices(b, pieceAddress<kKeyBytes>(matrix, lane % 8 + lane / 16 * 8, 2 * k + lane / 8 % 2));
            multiply(out[0], s[k], b[0], b[1]);
            multiply(out[1], s[k], b[2], b[3]);
        }
    }

    // out += x m^T for a plain [16][16] matrix.
    __device__ void timesSquare(const uint32_t (&x)[4], uint32_t matrix, float (&out)[2][4]) const {
        uint32_t b[4];
        loadMatrices(b, matrix + (lane % 8 + lane / 16 * 8) * (kChunk * 2) + lane / 8 % 2 * 16);
        multiply(out[0], x, b[0], b[1]);
        multiply(out[1], x, b[2], b[3]);
    }

    // [16 values x 16 tokens] as an A operand.
    __device__ static void asOperand(const float (&x)[2][4], uint32_t (&r)[4]) {
        r[0] = packBf16(x[0][0], x[0][1]);
        r[1] = packBf16(x[0][2], x[0][3]);
        r[2] = packBf16(x[1][0], x[1][1]);
        r[3] = packBf16(x[1][2], x[1][3]);
    }

    // w <- V^T - w
    __device__ void fromValues(uint32_t values, float (&w)[2][4]) const {
        uint32_t v[4];  // tokens 0-7 and 8-15 of value rows 0-7, then of rows 8-15
        loadMatricesTransposed(v, pieceAddress<kValueBytes>(values, lane % 16, warp * 2 + lane / 16));
#pragma unroll
        for (int n = 0; n < 2; ++n) {
            const __nv_bfloat162 upper = *reinterpret_cast<const __nv_bfloat162*>(&v[n]);
            const __nv_bfloat162 lower = *reinterpret_cast<const __nv_bfloat162*>(&v[2 + n]);
            w[n][0] = __low2float(upper) - w[n][0];
            w[n][1] = __high2float(upper) - w[n][1];
            w[n][2] = __low2float(lower) - w[n][2];
            w[n][3] = __high2float(lower) - w[n][3];
        }
    }

    __device__ void advanceState(const uint32_t (&u)[4], int i, float (&s)[K / 8][4]) const {
        const auto* decay =
            reinterpret_cast<const float2*>(sharedMemory + (i % kStages) * kStageBytes + Layout::kDecay);
        const uint32_t keys = stage(i) + Layout::kKeysOut;
#pragma unroll
        for (int n = 0; n < K / 8; n += 2) {
            uint32_t b[4];  // channels 8 n .. 8 n + 15 of the 16 tokens
            loadMatricesTransposed(b, pieceAddress<kKeyBytes>(keys, lane % 16, n + lane / 16));
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const float2 d = decay[(n + half) * 4 + lane % 4];
                float(&tile)[4] = s[n + half];
                tile[0] *= d.x;
                tile[1] *= d.y;
                tile[2] *= d.x;
                tile[3] *= d.y;
                multiply(tile, u, b[2 * half], b[2 * half + 1]);
            }
        }
    }

    __device__ void writeOut(int i, const float (&out)[2][4]) const {
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const int64_t t = static_cast<int64_t>(i) * kChunk + n * 8 + lane % 4 * 2 + r % 2;
                const int64_t value = firstValue + warp * 16 + lane / 4 + r / 2 * 8;
                if (t < a.tokens) a.out.at(t, head)[value] = fromFloat<Bf16>(out[n][r]);
            }
        }
    }

    __device__ void step(int i, float (&s)[K / 8][4]) const {
        const uint32_t at = stage(i);
        uint32_t rounded[K / 16][4];
        roundState(s, rounded);
        float w[2][4] = {};
        timesRows(rounded, at + Layout::kKeysIn, w);
        fromValues(at + kValueAt, w);
        uint32_t operand[4];
        asOperand(w, operand);
        float u[2][4] = {};
        timesSquare(operand, at + Layout::kSolve, u);
        asOperand(u, operand);
        float out[2][4] = {};
        timesRows(rounded, at + Layout::kQueries, out);
        timesSquare(operand, at + Layout::kScores, out);
        advanceState(operand, i, s);
        writeOut(i, out);
    }

    __device__ void run() const {
        float* state = a.state + (head * a.valueDim + firstValue + warp * 16) * K;
        float s[K / 8][4];
#pragma unroll
        for (int n = 0; n < K / 8; ++n) {
#pragma unroll
            for (int r = 0; r < 4; ++r) s[n][r] = state[(lane / 4 + r / 2 * 8) * K + n * 8 + lane % 4 * 2 + r % 2];
        }
        const int count = static_cast<int>((a.tokens + kChunk - 1) / kChunk);
        for (int i = 0; i < kStages - 1; ++i) {
            if (i < count) copyChunk(i);
            commitCopies();
        }
        for (int i = 0; i < count; ++i) {
            waitForCopies<kStages - 2>();
            __syncthreads();
            if (i + kStages - 1 < count) copyChunk(i + kStages - 1);
            commitCopies();
            step(i, s);
        }
#pragma unroll
        for (int n = 0; n < K / 8; ++n) {
#pragma unroll
            for (int r = 0; r < 4; ++r) state[(lane / 4 + r / 2 * 8) * K + n * 8 + lane % 4 * 2 + r % 2] = s[n][r];
        }
    }
};

template <int K>
__global__ void __launch_bounds__(kThreads) scanKernel(const __grid_constant__ ScanArgs a) {
    extern __shared__ char buffer[];
    const int64_t head = blockIdx.x;
    const int64_t count = (a.tokens + kChunk - 1) / kChunk;
    Scan<K>{a,
            head,
            static_cast<int64_t>(blockIdx.y) * kValues,
            a.chunks + head * count * ChunkLayout<K>::kBytes,
            sharedAddress(buffer),
            buffer,
            static_cast<int>(threadIdx.x) % kWarp,
            static_cast<int>(threadIdx.x) / kWarp}
        .run();
}

template <int K>
void launchScan(const Launch& launch, const ScanArgs& args) {
    constexpr int kShared = Scan<K>::kSharedBytes;
    cudaFuncSetAttribute(scanKernel<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    const dim3 grid{static_cast<unsigned>(args.heads), static_cast<unsigned>(args.valueDim / kValues)};
    scanKernel<K><<<grid, kThreads, kShared, launch.stream>>>(args);
}

}  // namespace

void scanChunks(const Launch& launch, const ScanArgs& args, int64_t keyDim) {
    if (keyDim == 64) {
        launchScan<64>(launch, args);
    } else {
        launchScan<128>(launch, args);
    }
}

}  // namespace pal::cuda
