// SPDX-License-Identifier: Apache-2.0
#pragma once

// Carries S through the chunks of a head. A warp keeps 16 value rows of S as mma accumulators, whose layout is that of an A operand once rounded to
// bfloat16, and everything is computed transposed ([value rows] x [tokens]), so that S, the writes and the result never leave registers:
//   W^T = V^T - S (k exp G)^T      U^T = W^T M^T      out^T = S (q exp G)^T + U^T P^T      S <- S diag(exp G_C) + U^T (k exp(G_C - G))
#include "kernels/cuda/hopper.cuh"
#include "kernels/cuda/kda_chunk.cuh"
#include "kernels/cuda/kda_chunk_stages.h"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda::scan {

constexpr int kWarps = 4;
constexpr int kValues = kWarps * 16;  // value rows of a block
constexpr int kStages = 4;
constexpr int kValueBytes = kValues * 2;

// How a stage is filled: 16 bytes at a time by all threads (sm_80), or by bulk copies of a warp that does nothing else (sm_90).
enum class Copies : uint8_t { kPieces, kBulk };

struct BulkArgs {
    CUtensorMap values;  // of v; unused with kPieces
};

template <int K, Copies How>
struct Scan {
    using Layout = ChunkLayout<K>;
    static constexpr int kThreads = (How == Copies::kBulk ? kWarps + 1 : kWarps) * kWarp;
    static constexpr int kKeyBytes = K * 2;
    // The three [16][K] matrices come with their pieces exchanged, and so do the values; M and P are plain.
    static constexpr int kValueAt = (Layout::kBytes + 1023) / 1024 * 1024;
    static constexpr int kStageBytes = kValueAt + kChunk * kValueBytes;
    static constexpr int kBarriers = kStages * kStageBytes;
    static constexpr int kSharedBytes = kBarriers + 16 * kStages;

    const ScanArgs& a;
    const BulkArgs& bulk;
    int64_t head;
    int64_t firstValue;  // of the block
    const char* chunks;  // of the head
    uint32_t shared;
    const char* sharedMemory;
    int lane, warp;

    [[nodiscard]] __device__ int count() const { return static_cast<int>((a.tokens + kChunk - 1) / kChunk); }
    [[nodiscard]] __device__ uint32_t stageAt(int stage) const { return shared + stage * kStageBytes; }
    [[nodiscard]] __device__ uint32_t filled(int stage) const { return shared + kBarriers + 16 * stage; }
    [[nodiscard]] __device__ uint32_t emptied(int stage) const { return filled(stage) + 8; }

    __device__ void initBarriers() const {
        for (int s = 0; s < kStages; ++s) {
            initBarrier(filled(s), 1);
            initBarrier(emptied(s), kWarps * kWarp);
        }
        publishBarriers();
    }

    __device__ void copyPieces(int i, int stage) const {
        const char* from = chunks + static_cast<int64_t>(i) * Layout::kBytes;
        const uint32_t to = stageAt(stage);
        for (int p = threadIdx.x; p < Layout::kBytes / 16; p += kThreads) copyPiece(to + p * 16, from + p * 16, from);
        for (int p = threadIdx.x; p < kChunk * (kValues / 8); p += kThreads) {
            const int row = p / (kValues / 8);
            const int64_t t = static_cast<int64_t>(i) * kChunk + row;
            const int piece = p % (kValues / 8);
            copyPiece(pieceAddress<kValueBytes>(to + kValueAt, row, piece),
                      t < a.tokens ? a.v.at(t, head) + firstValue + piece * 8 : nullptr, from);
        }
    }

    // One thread; tokens beyond the end come as zeros.
    __device__ void copyBulk() const {
        int stage = 0;
        uint32_t parity = 1;
        for (int i = 0; i < count(); ++i) {
            waitFor(emptied(stage), parity);
            arriveExpecting(filled(stage), Layout::kBytes + kChunk * kValueBytes);
            copyBytes(stageAt(stage), chunks + static_cast<int64_t>(i) * Layout::kBytes, Layout::kBytes, filled(stage));
            copyBox(stageAt(stage) + kValueAt, &bulk.values, static_cast<int>(firstValue), i * kChunk,
                    static_cast<int>(head), filled(stage));
            if (++stage == kStages) {
                stage = 0;
                parity ^= 1;
            }
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

    // out [16 values x 16 tokens] += S rows^T for a [16 tokens][K] matrix; even and odd steps add up apart, so that they need not wait for each other.
    __device__ void timesRows(const uint32_t (&s)[K / 16][4], uint32_t matrix, float (&out)[2][4]) const {
        float odd[2][4] = {};
#pragma unroll
        for (int k = 0; k < K / 16; ++k) {
            uint32_t b[4];
            loadMatrices(b, pieceAddress<kKeyBytes>(matrix, lane % 8 + lane / 16 * 8, 2 * k + lane / 8 % 2));
            float(&sum)[2][4] = k % 2 == 0 ? out : odd;
            multiply(sum[0], s[k], b[0], b[1]);
            multiply(sum[1], s[k], b[2], b[3]);
        }
#pragma unroll
        for (int i = 0; i < 8; ++i) out[i / 4][i % 4] += odd[i / 4][i % 4];
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

    __device__ void advanceState(const uint32_t (&u)[4], int stage, float (&s)[K / 8][4]) const {
        const auto* decay = reinterpret_cast<const float2*>(sharedMemory + stage * kStageBytes + Layout::kDecay);
        const uint32_t keys = stageAt(stage) + Layout::kKeysOut;
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

    // out^T turned back: a lane gets two neighbouring values of token lane / 4 of each of the four blocks of 8 x 8.
    __device__ void writeOut(int i, const float (&out)[2][4]) const {
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const uint32_t pair = transposed(packBf16(out[n][2 * half], out[n][2 * half + 1]));
                const int64_t t = static_cast<int64_t>(i) * kChunk + n * 8 + lane / 4;
                const int64_t value = firstValue + warp * 16 + half * 8 + lane % 4 * 2;
                if (t < a.tokens) *reinterpret_cast<uint32_t*>(a.out.at(t, head) + value) = pair;
            }
        }
    }

    __device__ void step(int i, int stage, float (&s)[K / 8][4]) const {
        const uint32_t at = stageAt(stage);
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
        advanceState(operand, stage, s);
        writeOut(i, out);
    }

    __device__ void moveState(bool in, float (&s)[K / 8][4]) const {
        float* state = a.state + (head * a.valueDim + firstValue + warp * 16) * K;
#pragma unroll
        for (int n = 0; n < K / 8; ++n) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                auto* pair = reinterpret_cast<float2*>(state + (lane / 4 + half * 8) * K + n * 8 + lane % 4 * 2);
                if (in) {
                    const float2 x = *pair;
                    s[n][2 * half] = x.x;
                    s[n][2 * half + 1] = x.y;
                } else {
                    *pair = make_float2(s[n][2 * half], s[n][2 * half + 1]);
                }
            }
        }
    }

    __device__ void runPieces() const {
        float s[K / 8][4];
        moveState(true, s);
        for (int i = 0; i < kStages - 1; ++i) {
            if (i < count()) copyPieces(i, i);
            commitCopies();
        }
        int stage = 0;
        int next = kStages - 1;  // stage to fill
        for (int i = 0; i < count(); ++i) {
            waitForCopies<kStages - 2>();
            __syncthreads();
            if (i + kStages - 1 < count()) copyPieces(i + kStages - 1, next);
            commitCopies();
            step(i, stage, s);
            next = stage;
            if (++stage == kStages) stage = 0;
        }
        moveState(false, s);
    }

    __device__ void runBulk() const {
        if (warp == kWarps) {
            if (lane == 0) copyBulk();
            return;
        }
        float s[K / 8][4];
        moveState(true, s);
        int stage = 0;
        uint32_t parity = 0;
        for (int i = 0; i < count(); ++i) {
            waitFor(filled(stage), parity);
            step(i, stage, s);
            arrive(emptied(
                stage));  // each lane for its own reads: racecheck does not follow __syncwarp() and one that arrives for all
            if (++stage == kStages) {
                stage = 0;
                parity ^= 1;
            }
        }
        moveState(false, s);
    }
};

template <int K, Copies How>
__global__ void __launch_bounds__(Scan<K, How>::kThreads, 2)
    scanKernel(const __grid_constant__ ScanArgs a, const __grid_constant__ BulkArgs bulk) {
    extern __shared__ __align__(1024) char buffer[];
    const int64_t head = blockIdx.x;
    const int64_t count = (a.tokens + kChunk - 1) / kChunk;
    const Scan<K, How> scan{a,
                            bulk,
                            head,
                            static_cast<int64_t>(blockIdx.y) * kValues,
                            a.chunks + head * count * ChunkLayout<K>::kBytes,
                            sharedAddress(buffer),
                            buffer,
                            static_cast<int>(threadIdx.x) % kWarp,
                            static_cast<int>(threadIdx.x) / kWarp};
    if constexpr (How == Copies::kBulk) {
        if (threadIdx.x == 0) scan.initBarriers();
        __syncthreads();
        scan.runBulk();
    } else {
        scan.runPieces();
    }
}

template <int K, Copies How>
void launchScan(const Launch& launch, const ScanArgs& args, const BulkArgs& bulk) {
    constexpr int kShared = Scan<K, How>::kSharedBytes;
    cudaFuncSetAttribute(scanKernel<K, How>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    const dim3 grid{static_cast<unsigned>(args.heads), static_cast<unsigned>(args.valueDim / kValues)};
    scanKernel<K, How><<<grid, Scan<K, How>::kThreads, kShared, launch.stream>>>(args, bulk);
}

template <Copies How>
void launchScan(const Launch& launch, const ScanArgs& args, int64_t keyDim, const BulkArgs& bulk) {
    if (keyDim == 64) {
        launchScan<64, How>(launch, args, bulk);
    } else {
        launchScan<128, How>(launch, args, bulk);
    }
}

}  // namespace pal::cuda::scan
