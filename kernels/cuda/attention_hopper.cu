// SPDX-License-Identifier: Apache-2.0
// Attention on a GPU of capability 9.0 after FlashAttention-3 (arXiv 2407.08608): one warpgroup copies tiles of keys and values, two others take 64 queries
// each. While the tensor cores add one tile's values and score the next, the exponentials of the tile between them are made.
#include <algorithm>

#include "kernels/cuda/attention.h"
#include "kernels/cuda/hopper.cuh"
#include "kernels/cuda/reduce.cuh"
#include "kernels/cuda/tensor_map.h"

namespace pal::cuda {
namespace {

constexpr int kGroups = 2;  // of queries
constexpr int kQueries = kGroups * 64;
constexpr int kKeys = 128;
constexpr int kValues = 128;
constexpr int kThreads = (1 + kGroups) * kWarpgroup;
constexpr int kStages = 2;
constexpr int kBoxBytes = kKeys * 128;
static_assert(kQueries == kKeys);  // boxes of queries and keys have one size

struct Shape {
    HeadRows<Bf16> out;
    int64_t tokens, heads, keys, firstKey, firstQuery;
    int ownBlocks;  // of 64 key channels; the others are shared
    float scale;    // times log2(e)
    bool readCarry, writeCarry;
    float* carry;  // [T, h, V | largest score | sum]
};

struct Maps {
    CUtensorMap q, k, shared, v;
};

// KeyBlocks: of 64 key channels.
template <int KeyBlocks>
struct Attention {
    static constexpr int kKeyBytes = KeyBlocks * kBoxBytes;
    static constexpr int kValueBytes = kValues / 64 * kBoxBytes;
    static constexpr int kStageBytes = kKeyBytes + kValueBytes;
    static constexpr int kBarriers = kKeyBytes + kStages * kStageBytes;
    static constexpr int kSharedBytes = kBarriers + 8 * (1 + 4 * kStages);

    const Maps& maps;
    const Shape& a;
    int64_t head;
    int64_t q0;
    int tiles;
    uint32_t shared;

    [[nodiscard]] __device__ uint32_t keysAt(int stage) const { return shared + kKeyBytes + stage * kStageBytes; }
    [[nodiscard]] __device__ uint32_t valuesAt(int stage) const { return keysAt(stage) + kKeyBytes; }
    [[nodiscard]] __device__ uint32_t queriesFull() const { return shared + kBarriers; }
    [[nodiscard]] __device__ uint32_t keysFull(int stage) const { return queriesFull() + 8 + 32 * stage; }
    [[nodiscard]] __device__ uint32_t valuesFull(int stage) const { return keysFull(stage) + 8; }
    [[nodiscard]] __device__ uint32_t keysEmpty(int stage) const { return keysFull(stage) + 16; }
    [[nodiscard]] __device__ uint32_t valuesEmpty(int stage) const { return keysFull(stage) + 24; }

    __device__ void initBarriers() const {
        initBarrier(queriesFull(), 1);
        for (int s = 0; s < kStages; ++s) {
            initBarrier(keysFull(s), 1);
            initBarrier(valuesFull(s), 1);
            initBarrier(keysEmpty(s), kGroups * kWarpgroup / kWarp);
            initBarrier(valuesEmpty(s), kGroups * kWarpgroup / kWarp);
        }
        publishBarriers();
    }

    // One thread.
    __device__ void copyTiles() const {
        const auto h = static_cast<int>(head);
        arriveExpecting(queriesFull(), kKeyBytes);
        for (int c = 0; c < KeyBlocks; ++c) {
            copyBox(shared + c * kBoxBytes, &maps.q, c * 64, static_cast<int>(q0), h, queriesFull());
        }
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % kStages;
            const uint32_t free = static_cast<uint32_t>(i / kStages + 1) & 1;
            waitFor(keysEmpty(stage), free);
            arriveExpecting(keysFull(stage), kKeyBytes);
            for (int c = 0; c < KeyBlocks; ++c) {
                const uint32_t to = keysAt(stage) + c * kBoxBytes;
                if (c < a.ownBlocks) {
                    copyBox(to, &maps.k, c * 64, i * kKeys, h, keysFull(stage));
                } else {
                    copyBox(to, &maps.shared, (c - a.ownBlocks) * 64, i * kKeys, 0, keysFull(stage));
                }
            }
            waitFor(valuesEmpty(stage), free);
            arriveExpecting(valuesFull(stage), kValueBytes);
            for (int c = 0; c < kValues / 64; ++c) {
                copyBox(valuesAt(stage) + c * kBoxBytes, &maps.v, c * 64, i * kKeys, h, valuesFull(stage));
            }
        }
    }

    __device__ void score(int i, int group, float (&s)[64]) const {
        const int stage = i % kStages;
        waitFor(keysFull(stage), static_cast<uint32_t>(i / kStages) & 1);
        beginProducts();
#pragma unroll
        for (int k = 0; k < KeyBlocks * 4; ++k) {
            const uint32_t at = k / 4 * kBoxBytes + k % 4 * 32;
            multiplyRows(s, rowOperand(shared + at + group * 64 * 128), rowOperand(keysAt(stage) + at), k > 0);
        }
        commitProducts();
    }

    __device__ void addValues(int i, const uint32_t (&p)[kKeys / 16][4], float (&out)[64]) const {
        const int stage = i % kStages;
        waitFor(valuesFull(stage), static_cast<uint32_t>(i / kStages) & 1);
        beginProducts();
#pragma unroll
        for (int k = 0; k < kKeys / 16; ++k) {
            multiplyColumns(out, p[k], columnOperand(valuesAt(stage) + k * 2048, kBoxBytes));
        }
        commitProducts();
    }

    // Keys of this launch that query `row` of the block sees.
    [[nodiscard]] __device__ int64_t seen(int row) const {
        if (a.firstQuery < 0) return a.keys;
        return min(a.keys, a.firstQuery + q0 + row + 1 - a.firstKey);
    }

    __device__ void mask(int i, int row, float (&s)[64]) const {
        const int lane = threadIdx.x % kWarp;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int64_t visible = seen(row + 8 * half) - static_cast<int64_t>(i) * kKeys;
#pragma unroll
            for (int j = 0; j < kKeys / 8; ++j) {
#pragma unroll
                for (int c = 0; c < 2; ++c) {
                    if (j * 8 + lane % 4 * 2 + c >= visible) s[4 * j + 2 * half + c] = -INFINITY;
                }
            }
        }
    }

    // s becomes exponentials; keep: by how much earlier sums shrink.
    __device__ void exponentials(float (&s)[64], float (&top)[2], float (&sum)[2], float (&keep)[2]) const {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float higher = s[2 * half];
#pragma unroll
            for (int j = 0; j < kKeys / 8; ++j)
                higher = fmaxf(higher, fmaxf(s[4 * j + 2 * half], s[4 * j + 2 * half + 1]));
            higher = fmaxf(higher, __shfl_xor_sync(0xFFFFFFFFU, higher, 1));
            higher = fmaxf(higher, __shfl_xor_sync(0xFFFFFFFFU, higher, 2));
            higher = fmaxf(top[half], higher * a.scale);
            const float base = higher == -INFINITY ? 0.0F : higher;  // nothing seen yet
            keep[half] = exp2Fast(top[half] - base);
            top[half] = higher;
            float added = 0;
#pragma unroll
            for (int j = 0; j < kKeys / 8; ++j) {
#pragma unroll
                for (int c = 0; c < 2; ++c) {
                    float& x = s[4 * j + 2 * half + c];
                    x = exp2Fast(fmaf(x, a.scale, -base));
                    added += x;
                }
            }
            sum[half] = sum[half] * keep[half] + added;
        }
    }

    __device__ static void shrink(float (&out)[64], const float (&keep)[2]) {
#pragma unroll
        for (int j = 0; j < 64; ++j) out[j] *= keep[j / 2 % 2];
    }

    __device__ static void asOperand(const float (&s)[64], uint32_t (&p)[kKeys / 16][4]) {
#pragma unroll
        for (int k = 0; k < kKeys / 16; ++k) {
#pragma unroll
            for (int r = 0; r < 4; ++r) p[k][r] = packBf16(s[8 * k + 2 * r], s[8 * k + 2 * r + 1]);
        }
    }

    [[nodiscard]] __device__ float* carryOf(int64_t t) const { return a.carry + (t * a.heads + head) * (kValues + 2); }

    __device__ void readCarry(int row, float (&top)[2], float (&sum)[2], float (&out)[64]) const {
        const int lane = threadIdx.x % kWarp;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int64_t t = q0 + row + 8 * half;
            if (t >= a.tokens) continue;
            const float* carry = carryOf(t);
            top[half] = carry[kValues];
            sum[half] = lane % 4 == 0 ? carry[kValues + 1] : 0.0F;  // summed over the four lanes at the end
#pragma unroll
            for (int j = 0; j < kValues / 8; ++j) {
                out[4 * j + 2 * half] = carry[j * 8 + lane % 4 * 2];
                out[4 * j + 2 * half + 1] = carry[j * 8 + lane % 4 * 2 + 1];
            }
        }
    }

    __device__ void write(int row, const float (&top)[2], const float (&sum)[2], const float (&out)[64]) const {
        const int lane = threadIdx.x % kWarp;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float total = sum[half] + __shfl_xor_sync(0xFFFFFFFFU, sum[half], 1);
            total += __shfl_xor_sync(0xFFFFFFFFU, total, 2);
            const int64_t t = q0 + row + 8 * half;
            if (t >= a.tokens) continue;
            const float factor = 1.0F / total;
#pragma unroll
            for (int j = 0; j < kValues / 8; ++j) {
                const int c = j * 8 + lane % 4 * 2;
                const float x = out[4 * j + 2 * half];
                const float y = out[4 * j + 2 * half + 1];
                if (a.writeCarry) {
                    *reinterpret_cast<float2*>(carryOf(t) + c) = make_float2(x, y);
                } else {
                    *reinterpret_cast<uint32_t*>(a.out.at(t, head) + c) = packBf16(x * factor, y * factor);
                }
            }
            if (a.writeCarry && lane % 4 == 0) {
                carryOf(t)[kValues] = top[half];
                carryOf(t)[kValues + 1] = total;
            }
        }
    }

    __device__ void attend(int group) const {
        const int lane = threadIdx.x % kWarp;
        const int row = group * 64 + static_cast<int>(threadIdx.x) % kWarpgroup / kWarp * 16 + lane / 4;
        // Tiles from here on hide keys from some row of this warpgroup.
        const int firstMasked = static_cast<int>(max(int64_t{0}, seen(group * 64)) / kKeys);
        float out[64];
#pragma unroll
        for (float& x : out) x = 0;
        float top[2] = {-INFINITY, -INFINITY};
        float sum[2] = {};
        if (a.readCarry) readCarry(row, top, sum, out);
        float keep[2];
        float s[64];
        uint32_t p[kKeys / 16][4];
        waitFor(queriesFull(), 0);
        if (tiles > 0) {
            score(0, group, s);
            waitForProducts<0>();
            pin(s);
            if (lane == 0) arrive(keysEmpty(0));
            if (firstMasked <= 0) mask(0, row, s);
            exponentials(s, top, sum, keep);
            shrink(out, keep);
            asOperand(s, p);
        }
        for (int i = 1; i < tiles; ++i) {
            score(i, group, s);
            addValues(i - 1, p, out);
            waitForProducts<1>();
            pin(s);
            if (lane == 0) arrive(keysEmpty(i % kStages));
            if (i >= firstMasked) mask(i, row, s);
            exponentials(s, top, sum, keep);
            waitForProducts<0>();
            pin(out);
            if (lane == 0) arrive(valuesEmpty((i - 1) % kStages));
            shrink(out, keep);
            asOperand(s, p);
        }
        if (tiles > 0) {
            addValues(tiles - 1, p, out);
            waitForProducts<0>();
            pin(out);
        }
        write(row, top, sum, out);
    }
};

template <int KeyBlocks>
__global__ void __launch_bounds__(kThreads, 1)
    attentionKernel(const __grid_constant__ Maps maps, const __grid_constant__ Shape a) {
    extern __shared__ __align__(1024) char buffer[];
    // Long causal rows first: their blocks are the last to finish.
    const int64_t q0 = static_cast<int64_t>(gridDim.x - 1 - blockIdx.x) * kQueries;
    int64_t keys = a.keys;
    if (a.firstQuery >= 0) keys = min(keys, a.firstQuery + q0 + kQueries - a.firstKey);
    const Attention<KeyBlocks> work{
        maps, a, blockIdx.y, q0, keys <= 0 ? 0 : static_cast<int>((keys + kKeys - 1) / kKeys), sharedAddress(buffer)};
    if (threadIdx.x == 0) work.initBarriers();
    __syncthreads();
    const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
    if (group == 0) {
        shrinkRegisters<24>();
        if (threadIdx.x == 0) work.copyTiles();
    } else {
        growRegisters<240>();
        work.attend(group - 1);
    }
}

template <int KeyBlocks>
void launchSize(const Launch& launch, const Maps& maps, const Shape& shape) {
    constexpr int kShared = Attention<KeyBlocks>::kSharedBytes;
    cudaFuncSetAttribute(attentionKernel<KeyBlocks>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
    const dim3 grid{static_cast<unsigned>(ceilDiv(shape.tokens, kQueries)), static_cast<unsigned>(shape.heads)};
    attentionKernel<KeyBlocks><<<grid, kThreads, kShared, launch.stream>>>(maps, shape);
}

TensorBoxes boxesOf(const ConstTensorView& view) {
    constexpr uint64_t kBytes = sizeof(Bf16);
    const auto heads = static_cast<uint64_t>(view.rank == 3 ? view.dim(1) : 1);
    const auto width = static_cast<uint64_t>(view.dim(view.rank - 1));
    const auto row = static_cast<uint64_t>(view.stride[0]) * kBytes;
    const auto head = view.rank == 3 ? static_cast<uint64_t>(view.stride[1]) * kBytes : row;
    return {view.data, {width, static_cast<uint64_t>(view.dim(0)), heads}, {row, head}, kKeys};
}

}  // namespace

bool fitsHopper(const Launch& launch, const AttentionArgs& args) {
    const int64_t own = args.k.dim(2);
    const int64_t shared = args.sharedKey.present() ? args.sharedKey.dim(1) : 0;
    return launch.hopper() && fitsTensorCores(args) && own % 64 == 0 && shared % 64 == 0 && args.v.dim(2) == kValues &&
           (own + shared == 128 || own + shared == 192);
}

bool attentionHopper(const Launch& launch, const AttentionArgs& args) {
    using Block = AttentionArgs::Block;
    Maps maps;
    const ConstTensorView& shared = args.sharedKey.present() ? args.sharedKey : args.k;
    if (!makeTensorMap(boxesOf(args.q), maps.q) || !makeTensorMap(boxesOf(args.k), maps.k) ||
        !makeTensorMap(boxesOf(shared), maps.shared) || !makeTensorMap(boxesOf(args.v), maps.v)) {
        return false;
    }
    const Shape shape{headRowsOf<Bf16>(args.out),
                      args.q.dim(0),
                      args.q.dim(1),
                      args.k.dim(0),
                      args.firstKey,
                      args.firstQuery,
                      static_cast<int>(args.k.dim(2) / 64),
                      args.scale * kLog2E,
                      args.block == Block::kMiddle || args.block == Block::kLast,
                      args.block == Block::kFirst || args.block == Block::kMiddle,
                      args.carry};
    if (args.q.dim(2) == 128) {
        launchSize<2>(launch, maps, shape);
    } else {
        launchSize<3>(launch, maps, shape);
    }
    return true;
}

}  // namespace pal::cuda
