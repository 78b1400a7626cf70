// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/gemv.cuh"
#include "kernels/cuda/tensor_core.cuh"

// A tile of y = x W^T on tensor cores (mma.sync, sm_80 and newer): Tokens token rows against kOutputs weight rows, bfloat16 in, float32 sums.
// Both operands lie in shared memory in stages of kDepth columns, 128 bytes a row. bf16 rows arrive by cp.async; MXFP4 rows pass through registers, where they are unpacked one stage ahead.

namespace pal::cuda {

inline constexpr int kDepth = 64;           // columns of a stage
inline constexpr int kPieces = kDepth / 8;  // 16-byte pieces of a row
inline constexpr int kRowBytes = kDepth * 2;
inline constexpr int kOutputs = 128;  // weight rows of a tile
inline constexpr int kTileWarps = 8;
inline constexpr int kTileThreads = kTileWarps * kWarp;
inline constexpr int kStages = 3;

// Shapes by tokens per tile: warps along the tokens, and what one warp takes.
template <int Tokens>
struct TileShape {
    static constexpr int kWarpsDown = Tokens >= 64 ? 2 : 1;
    static constexpr int kWarpsAcross = kTileWarps / kWarpsDown;
    static constexpr int kWarpTokens = Tokens / kWarpsDown;
    static constexpr int kWarpOutputs = kOutputs / kWarpsAcross;
    static constexpr int kMmaDown = kWarpTokens / 16;
    static constexpr int kMmaAcross = kWarpOutputs / 8;
    static constexpr int kStageBytes = (Tokens + kOutputs) * kRowBytes;
    static constexpr int kSharedBytes = kStages * kStageBytes;
};

// A lane's share of the sums: [i][j][0..3] = rows (lane/4, +8) x columns (2 (lane%4), +1) of the 16 x 8 block (i, j), see forEachPair().
template <int Tokens>
using TileSums = float[TileShape<Tokens>::kMmaDown][TileShape<Tokens>::kMmaAcross][4];

// One thread's share of a stage of MXFP4 rows: one group of 32 columns.
struct PackedGroup {
    uint4 bits;
    uint8_t scale;
    bool present;
};

// TokenRow: int row of the tile -> const Bf16*, or null for zeros. OutputRow: int row of the tile -> WeightRow<F>, data null for zeros.
template <WeightFormat F, int Tokens, typename TokenRow, typename OutputRow>
class TensorTile {
    using Shape = TileShape<Tokens>;

  public:
    // `readable` is any address in device memory: what a copy of zero bytes names as its source.
    __device__ TensorTile(const TokenRow& tokenRow, const OutputRow& outputRow, int64_t cols, const void* readable,
                          char* shared)
        : tokenRow_(tokenRow),
          outputRow_(outputRow),
          cols_(cols),
          readable_(readable),
          shared_(sharedAddress(shared)) {}

    __device__ void run(TileSums<Tokens>& sums) {
        const int steps = static_cast<int>((cols_ + kDepth - 1) / kDepth);
        for (int s = 0; s < kStages - 1; ++s) {
            if (s < steps) loadStage(s);
            commitCopies();
        }
        for (int s = 0; s < steps; ++s) {
            waitForCopies<kStages - 2>();
            __syncthreads();
            const int ahead = s + kStages - 1;
            PackedGroup group{};
            if (ahead < steps) {
                copyTokens(ahead);
                if constexpr (F == WeightFormat::kBF16) copyOutputs(ahead);
                if constexpr (F == WeightFormat::kMxfp4) group = fetchGroup(ahead);
            }
            commitCopies();
            multiplyStage(s, sums);
            if constexpr (F == WeightFormat::kMxfp4) {
                if (ahead < steps) storeGroup(ahead, group);
            }
        }
        waitForCopies<0>();
        __syncthreads();
    }

  private:
    [[nodiscard]] __device__ uint32_t tokensAt(int step) const {
        return shared_ + static_cast<uint32_t>((step % kStages) * Shape::kStageBytes);
    }
    [[nodiscard]] __device__ uint32_t outputsAt(int step) const { return tokensAt(step) + Tokens * kRowBytes; }

    __device__ void loadStage(int step) {
        copyTokens(step);
        if constexpr (F == WeightFormat::kBF16) {
            copyOutputs(step);
        } else {
            storeGroup(step, fetchGroup(step));
        }
    }

    __device__ void copyTokens(int step) {
        for (int i = threadIdx.x; i < Tokens * kPieces; i += kTileThreads) {
            const int row = i / kPieces;
            const int piece = i % kPieces;
            const int64_t c = static_cast<int64_t>(step) * kDepth + piece * 8;
            const Bf16* x = tokenRow_(row);
            copyPiece(pieceAddress<kRowBytes>(tokensAt(step), row, piece), x != nullptr && c < cols_ ? x + c : nullptr,
                      readable_);
        }
    }

    __device__ void copyOutputs(int step) {
#pragma unroll
        for (int i = threadIdx.x; i < kOutputs * kPieces; i += kTileThreads) {
            const int row = i / kPieces;
            const int piece = i % kPieces;
            const int64_t c = static_cast<int64_t>(step) * kDepth + piece * 8;
            const auto* w = static_cast<const Bf16*>(outputRow_(row).data);
            copyPiece(pieceAddress<kRowBytes>(outputsAt(step), row, piece), w != nullptr && c < cols_ ? w + c : nullptr,
                      readable_);
        }
    }

    // Thread i takes group i % 2 of row i / 2: kTileThreads groups are exactly one stage.
    __device__ PackedGroup fetchGroup(int step) {
        static_assert(kOutputs * (kDepth / kMxfp4Group) == kTileThreads);
        const int64_t c = static_cast<int64_t>(step) * kDepth + (threadIdx.x % 2) * kMxfp4Group;
        const WeightRow<F> row = outputRow_(static_cast<int>(threadIdx.x) / 2);
        PackedGroup group{};
        if (row.data == nullptr || c >= cols_) return group;
        group.bits = __ldg(reinterpret_cast<const uint4*>(static_cast<const uint8_t*>(row.data) + c / 2));
        group.scale = row.scale[c / kMxfp4Group];
        group.present = true;
        return group;
    }

    // A group as bfloat16, exact unless the scale leaves its range.
    __device__ void storeGroup(int step, const PackedGroup& group) {
        const int row = static_cast<int>(threadIdx.x) / 2;
        const int piece = (threadIdx.x % 2) * 4;
        const uint32_t words[4] = {group.bits.x, group.bits.y, group.bits.z, group.bits.w};
        const float factor = group.present ? e8m0(group.scale) * kDecodeGain : 0.0F;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            float w[8];
#pragma unroll
            for (int n = 0; n < 4; ++n) {
                const float2 pair = decodePair(words[i], n);
                w[n] = pair.x * factor;
                w[n + 4] = pair.y * factor;
            }
            asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(
                             pieceAddress<kRowBytes>(outputsAt(step), row, piece + i)),
                         "r"(packBf16(w[0], w[1])), "r"(packBf16(w[2], w[3])), "r"(packBf16(w[4], w[5])),
                         "r"(packBf16(w[6], w[7])));
        }
    }

    __device__ void multiplyStage(int step, TileSums<Tokens>& sums) {
        const int lane = threadIdx.x % kWarp;
        const int warp = threadIdx.x / kWarp;
        const int firstToken = warp / Shape::kWarpsAcross * Shape::kWarpTokens;
        const int firstOutput = warp % Shape::kWarpsAcross * Shape::kWarpOutputs;
#pragma unroll
        for (int k = 0; k < kDepth / 16; ++k) {
            uint32_t a[Shape::kMmaDown][4];
#pragma unroll
            for (int i = 0; i < Shape::kMmaDown; ++i) {
                loadMatrices(
                    a[i], pieceAddress<kRowBytes>(tokensAt(step), firstToken + i * 16 + lane % 16, 2 * k + lane / 16));
            }
#pragma unroll
            for (int j = 0; j < Shape::kMmaAcross; j += 2) {
                uint32_t b[4];  // two blocks of 8 weight rows: columns low, high of the first, then of the second
                const int row = firstOutput + j * 8 + lane % 8 + (lane / 16) * 8;
                loadMatrices(b, pieceAddress<kRowBytes>(outputsAt(step), row, 2 * k + lane / 8 % 2));
#pragma unroll
                for (int i = 0; i < Shape::kMmaDown; ++i) {
                    multiply(sums[i][j], a[i], b[0], b[1]);
                    multiply(sums[i][j + 1], a[i], b[2], b[3]);
                }
            }
        }
    }

    TokenRow tokenRow_;
    OutputRow outputRow_;
    int64_t cols_;
    const void* readable_;
    uint32_t shared_;
};

// Calls f(token, output, first, second) for every pair of neighbouring results of this lane; token and output count from the tile's corner.
template <int Tokens, typename F>
__device__ void forEachPair(const TileSums<Tokens>& sums, const F& f) {
    using Shape = TileShape<Tokens>;
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int token = warp / Shape::kWarpsAcross * Shape::kWarpTokens + lane / 4;
    const int output = warp % Shape::kWarpsAcross * Shape::kWarpOutputs + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < Shape::kMmaDown; ++i) {
#pragma unroll
        for (int j = 0; j < Shape::kMmaAcross; ++j) {
            f(token + i * 16, output + j * 8, sums[i][j][0], sums[i][j][1]);
            f(token + i * 16 + 8, output + j * 8, sums[i][j][2], sums[i][j][3]);
        }
    }
}

}  // namespace pal::cuda
