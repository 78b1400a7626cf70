// SPDX-License-Identifier: Apache-2.0
// Attention on tensor cores after FlashAttention-2 (arXiv 2307.08691): a block takes kQueries queries of one head, a warp 16 of them; keys and values
// pass through shared memory in tiles of kKeys, two stages; scores, softmax and output stay in registers.
#include <algorithm>

#include "kernels/cuda/attention.h"
#include "kernels/cuda/reduce.cuh"
#include "kernels/cuda/tensor_core.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kWarp;
constexpr int kQueries = kWarps * 16;
constexpr int kKeys = 64;

struct Tensors {
    HeadRows<const Bf16> q, k, v;
    Rows<const Bf16> sharedKey;
    HeadRows<Bf16> out;
    int64_t tokens, heads, keys, firstKey, firstQuery;
    int own, shared, values;
    float scale;  // times log2(e): the exponentials are base 2
    bool readCarry, writeCarry;
    float* carry;  // [T, h, V | largest score | sum]
};

// D and V: channels of keys and values rounded up to what the tile holds; the rest is zero.
template <int D, int V>
struct Attention {
    static constexpr int kKeyBytes = D * 2;
    static constexpr int kValueBytes = V * 2;
    static constexpr int kStageBytes = kKeys * (kKeyBytes + kValueBytes);
    static constexpr int kSharedBytes = std::max(2 * kStageBytes, kQueries* kKeyBytes);

    const Tensors& a;
    int64_t head;
    int64_t q0;
    uint32_t shared;
    int lane, warp;

    [[nodiscard]] __device__ uint32_t keysAt(int stage) const { return shared + stage * kStageBytes; }
    [[nodiscard]] __device__ uint32_t valuesAt(int stage) const { return keysAt(stage) + kKeys * kKeyBytes; }

    __device__ void copyTile(int64_t s0, int stage) const {
        for (int i = threadIdx.x; i < kKeys * (D / 8); i += kThreads) {
            const int row = i / (D / 8);
            const int c = i % (D / 8) * 8;
            const int64_t s = s0 + row;
            const Bf16* from = nullptr;
            if (s < a.keys && c < a.own) from = a.k.at(s, head) + c;
            if (s < a.keys && c >= a.own && c < a.own + a.shared) from = a.sharedKey[s] + (c - a.own);
            copyPiece(pieceAddress<kKeyBytes>(keysAt(stage), row, c / 8), from, a.k.data);
        }
        for (int i = threadIdx.x; i < kKeys * (V / 8); i += kThreads) {
            const int row = i / (V / 8);
            const int c = i % (V / 8) * 8;
            const int64_t s = s0 + row;
            const Bf16* from = s < a.keys && c < a.values ? a.v.at(s, head) + c : nullptr;
            copyPiece(pieceAddress<kValueBytes>(valuesAt(stage), row, c / 8), from, a.k.data);
        }
        commitCopies();
    }

    // The queries through shared memory into A fragments.
    __device__ void loadQueries(uint32_t (&q)[D / 16][4]) const {
        for (int i = threadIdx.x; i < kQueries * (D / 8); i += kThreads) {
            const int row = i / (D / 8);
            const int c = i % (D / 8) * 8;
            const bool inside = q0 + row < a.tokens && c < a.own + a.shared;
            copyPiece(pieceAddress<kKeyBytes>(shared, row, c / 8), inside ? a.q.at(q0 + row, head) + c : nullptr,
                      a.q.data);
        }
        commitCopies();
        waitForCopies<0>();
        __syncthreads();
#pragma unroll
        for (int i = 0; i < D / 16; ++i) {
            loadMatrices(q[i], pieceAddress<kKeyBytes>(shared, warp * 16 + lane % 16, 2 * i + lane / 16));
        }
        __syncthreads();
    }

    __device__ void scores(int stage, const uint32_t (&q)[D / 16][4], float (&s)[kKeys / 8][4]) const {
#pragma unroll
        for (int i = 0; i < D / 16; ++i) {
#pragma unroll
            for (int j = 0; j < kKeys / 8; j += 2) {
                uint32_t b[4];
                const int row = j * 8 + lane % 8 + lane / 16 * 8;
                loadMatrices(b, pieceAddress<kKeyBytes>(keysAt(stage), row, 2 * i + lane / 8 % 2));
                multiply(s[j], q[i], b[0], b[1]);
                multiply(s[j + 1], q[i], b[2], b[3]);
            }
        }
    }

    // Scales, masks keys after a query and beyond the end.
    __device__ void mask(int64_t s0, float (&s)[kKeys / 8][4]) const {
        const int64_t query = q0 + warp * 16 + lane / 4;
#pragma unroll
        for (int j = 0; j < kKeys / 8; ++j) {
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const int64_t key = s0 + j * 8 + lane % 4 * 2 + r % 2;
                const bool hidden = a.firstQuery >= 0 && a.firstKey + key > a.firstQuery + query + r / 2 * 8;
                s[j][r] = key >= a.keys || hidden ? -INFINITY : s[j][r] * a.scale;
            }
        }
    }

    // Online softmax of rows lane/4 and lane/4 + 8: s becomes the exponentials; out and sum shrink to the new largest score.
    __device__ void softmax(float (&s)[kKeys / 8][4], float (&top)[2], float (&sum)[2], float (&out)[V / 8][4]) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float higher = top[half];
#pragma unroll
            for (int j = 0; j < kKeys / 8; ++j) higher = fmaxf(higher, fmaxf(s[j][2 * half], s[j][2 * half + 1]));
            higher = fmaxf(higher, __shfl_xor_sync(0xFFFFFFFFU, higher, 1));
            higher = fmaxf(higher, __shfl_xor_sync(0xFFFFFFFFU, higher, 2));
            const float base = higher == -INFINITY ? 0.0F : higher;  // a row that has seen no key yet
            const float keep = exp2f(top[half] - base);
            top[half] = higher;
            float added = 0;
#pragma unroll
            for (int j = 0; j < kKeys / 8; ++j) {
#pragma unroll
                for (int r = 2 * half; r < 2 * half + 2; ++r) {
                    s[j][r] = exp2f(s[j][r] - base);
                    added += s[j][r];
                }
            }
            sum[half] = sum[half] * keep + added;
#pragma unroll
            for (int j = 0; j < V / 8; ++j) {
                out[j][2 * half] *= keep;
                out[j][2 * half + 1] *= keep;
            }
        }
    }

    __device__ void weigh(int stage, const float (&p)[kKeys / 8][4], float (&out)[V / 8][4]) const {
#pragma unroll
        for (int i = 0; i < kKeys / 16; ++i) {
            const uint32_t weights[4] = {packBf16(p[2 * i][0], p[2 * i][1]), packBf16(p[2 * i][2], p[2 * i][3]),
                                         packBf16(p[2 * i + 1][0], p[2 * i + 1][1]),
                                         packBf16(p[2 * i + 1][2], p[2 * i + 1][3])};
#pragma unroll
            for (int j = 0; j < V / 8; j += 2) {
                uint32_t b[4];  // two blocks of 8 channels, each of 16 keys
                loadMatricesTransposed(b,
                                       pieceAddress<kValueBytes>(valuesAt(stage), i * 16 + lane % 16, j + lane / 16));
                multiply(out[j], weights, b[0], b[1]);
                multiply(out[j + 1], weights, b[2], b[3]);
            }
        }
    }

    [[nodiscard]] __device__ float* carryOf(int64_t t) const { return a.carry + (t * a.heads + head) * (a.values + 2); }

    __device__ void readCarry(float (&top)[2], float (&sum)[2], float (&out)[V / 8][4]) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int64_t t = q0 + warp * 16 + lane / 4 + half * 8;
            if (t >= a.tokens) continue;
            const float* carry = carryOf(t);
            top[half] = carry[a.values];
            sum[half] = lane % 4 == 0 ? carry[a.values + 1] : 0.0F;  // summed over the four lanes at the end
#pragma unroll
            for (int j = 0; j < V / 8; ++j) {
                const int c = j * 8 + lane % 4 * 2;
                if (c >= a.values) continue;
                out[j][2 * half] = carry[c];
                out[j][2 * half + 1] = carry[c + 1];
            }
        }
    }

    __device__ void write(const float (&top)[2], const float (&sum)[2], const float (&out)[V / 8][4]) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float total = sum[half] + __shfl_xor_sync(0xFFFFFFFFU, sum[half], 1);
            total += __shfl_xor_sync(0xFFFFFFFFU, total, 2);
            const int64_t t = q0 + warp * 16 + lane / 4 + half * 8;
            if (t >= a.tokens) continue;
            const float factor = 1.0F / total;
#pragma unroll
            for (int j = 0; j < V / 8; ++j) {
                const int c = j * 8 + lane % 4 * 2;
                if (c >= a.values) continue;
                if (a.writeCarry) {
                    carryOf(t)[c] = out[j][2 * half];
                    carryOf(t)[c + 1] = out[j][2 * half + 1];
                } else {
                    *reinterpret_cast<uint32_t*>(a.out.at(t, head) + c) =
                        packBf16(out[j][2 * half] * factor, out[j][2 * half + 1] * factor);
                }
            }
            if (a.writeCarry && lane % 4 == 0) {
                carryOf(t)[a.values] = top[half];
                carryOf(t)[a.values + 1] = total;
            }
        }
    }

    __device__ void run() const {
        uint32_t q[D / 16][4];
        loadQueries(q);
        float top[2] = {-INFINITY, -INFINITY};
        float sum[2] = {};
        float out[V / 8][4] = {};
        if (a.readCarry) readCarry(top, sum, out);
        int64_t keys = a.keys;
        if (a.firstQuery >= 0) keys = min(keys, a.firstQuery + q0 + kQueries - a.firstKey);
        const int tiles = keys <= 0 ? 0 : static_cast<int>((keys + kKeys - 1) / kKeys);
        if (tiles > 0) copyTile(0, 0);
        for (int i = 0; i < tiles; ++i) {
            if (i + 1 < tiles) {
                copyTile(static_cast<int64_t>(i + 1) * kKeys, (i + 1) % 2);
                waitForCopies<1>();
            } else {
                waitForCopies<0>();
            }
            __syncthreads();
            float s[kKeys / 8][4] = {};
            scores(i % 2, q, s);
            mask(static_cast<int64_t>(i) * kKeys, s);
            softmax(s, top, sum, out);
            weigh(i % 2, s, out);
            __syncthreads();
        }
        write(top, sum, out);
    }
};

template <int D, int V>
__global__ void __launch_bounds__(kThreads, 1) attentionKernel(const __grid_constant__ Tensors a) {
    extern __shared__ char buffer[];
    // Long causal rows first: their blocks are the last to finish.
    const int64_t block = gridDim.x - 1 - blockIdx.x;
    Attention<D, V>{a,
                    static_cast<int64_t>(blockIdx.y),
                    block * kQueries,
                    sharedAddress(buffer),
                    static_cast<int>(threadIdx.x) % kWarp,
                    static_cast<int>(threadIdx.x) / kWarp}
        .run();
}

template <int D, int V>
void launchSize(const Launch& launch, const Tensors& tensors) {
    constexpr int kShared = Attention<D, V>::kSharedBytes;
    cudaFuncSetAttribute(attentionKernel<D, V>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    const dim3 grid{static_cast<unsigned>(ceilDiv(tensors.tokens, kQueries)), static_cast<unsigned>(tensors.heads)};
    attentionKernel<D, V><<<grid, kThreads, kShared, launch.stream>>>(tensors);
}

}  // namespace

bool fitsTensorCores(const AttentionArgs& args) {
    constexpr int64_t kPiece = 8;
    constexpr int64_t kMostKey = 256;
    constexpr int64_t kMostValue = 128;
    const int64_t shared = args.sharedKey.present() ? args.sharedKey.dim(1) : 0;
    return args.q.dtype == DType::kBF16 && alignedForPieces(args.q) && alignedForPieces(args.k) &&
           alignedForPieces(args.v) && alignedForPieces(args.out) &&
           (shared == 0 || alignedForPieces(args.sharedKey)) && args.k.dim(2) % kPiece == 0 && shared % kPiece == 0 &&
           args.v.dim(2) % kPiece == 0 && args.q.dim(2) <= kMostKey && args.v.dim(2) <= kMostValue;
}

void attentionTensor(const Launch& launch, const AttentionArgs& args) {
    using Block = AttentionArgs::Block;
    const Tensors tensors{headRowsOf<Bf16>(args.q),
                          headRowsOf<Bf16>(args.k),
                          headRowsOf<Bf16>(args.v),
                          rowsOf<Bf16>(args.sharedKey),
                          headRowsOf<Bf16>(args.out),
                          args.q.dim(0),
                          args.q.dim(1),
                          args.k.dim(0),
                          args.firstKey,
                          args.firstQuery,
                          static_cast<int>(args.k.dim(2)),
                          args.sharedKey.present() ? static_cast<int>(args.sharedKey.dim(1)) : 0,
                          static_cast<int>(args.v.dim(2)),
                          args.scale * kLog2E,
                          args.block == Block::kMiddle || args.block == Block::kLast,
                          args.block == Block::kFirst || args.block == Block::kMiddle,
                          args.carry};
    const int64_t channels = args.q.dim(2);
    const bool narrow = args.v.dim(2) <= 64;
    if (channels <= 64 && narrow) return launchSize<64, 64>(launch, tensors);
    if (channels <= 128 && narrow) return launchSize<128, 64>(launch, tensors);
    if (channels <= 128) return launchSize<128, 128>(launch, tensors);
    if (channels <= 192) return launchSize<192, 128>(launch, tensors);
    launchSize<256, 128>(launch, tensors);
}

}  // namespace pal::cuda
