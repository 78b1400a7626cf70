// SPDX-License-Identifier: Apache-2.0
// y = x W^T in bfloat16 for many tokens: tiles of 128 tokens against 256 weight rows. One warp group brings both operands by the copy engine, four
// stages of 64 columns ahead; two multiply, 64 tokens each. Blocks stay and take tile after tile, so that copies of the next tile run while the
// last one is stored.
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/hopper_products.cuh"
#include "kernels/cuda/linear.h"
#include "kernels/cuda/stage_ring.cuh"
#include "kernels/cuda/tensor_map.h"

namespace pal::cuda {
namespace {

constexpr int kTokens = 128;  // of a tile
constexpr int kOutputs = 256;
constexpr int kDepth = 64;  // columns of a stage
constexpr int kStages = 4;
constexpr int kThreads = 3 * kWarpgroup;
constexpr int kTokenBytes = kTokens * kDepth * 2;
constexpr int kStageBytes = kTokenBytes + kOutputs * kDepth * 2;
constexpr int kSharedBytes = kStages * kStageBytes + 1024;
constexpr int kTogether = 16;  // token tiles that go through the weights together, so that both stay in the cache

struct Tiles {
    int tokens;   // tiles along the tokens
    int outputs;  // tiles along the outputs
    __device__ int count() const { return tokens * outputs; }
    __device__ int2 at(int id) const {
        const int band = id / (kTogether * outputs);
        const int width = min(kTogether, tokens - band * kTogether);
        const int within = id - band * kTogether * outputs;
        return {band * kTogether + within % width, within / width};
    }
};

using Barriers = StageBarriers<kStages>;
using Ring = StageRing<kStages>;

__device__ void bring(const CUtensorMap& x, const CUtensorMap& weight, Tiles tiles, int steps, uint32_t stages,
                      Barriers barriers) {
    Ring ring;
    for (int id = static_cast<int>(blockIdx.x); id < tiles.count(); id += static_cast<int>(gridDim.x)) {
        const int2 tile = tiles.at(id);
        for (int step = 0; step < steps; ++step, ring.next()) {
            waitFor(barriers.empty(ring.slot), ring.parity ^ 1);
            arriveExpecting(barriers.full(ring.slot), kStageBytes);
            const uint32_t at = stages + static_cast<uint32_t>(ring.slot * kStageBytes);
            copyBox(at, &x, step * kDepth, tile.x * kTokens, 0, barriers.full(ring.slot));
            copyBox(at + kTokenBytes, &weight, step * kDepth, tile.y * kOutputs, 0, barriers.full(ring.slot));
        }
    }
}

template <typename Out>
struct Pair;
template <>
struct Pair<Bf16> {
    using Type = __nv_bfloat162;
    __device__ static float2 read(Type v) { return __bfloat1622float2(v); }
    __device__ static Type make(float first, float second) { return __floats2bfloat162_rn(first, second); }
};
template <>
struct Pair<float> {
    using Type = float2;
    __device__ static float2 read(Type v) { return v; }
    __device__ static Type make(float first, float second) { return {first, second}; }
};

// Two neighbouring results; `to` is aligned for both.
template <typename Out>
__device__ void store(Out* to, float first, float second, LinearPart::Write write) {
    auto* pair = reinterpret_cast<typename Pair<Out>::Type*>(to);
    first = rounded<Out>(first);
    second = rounded<Out>(second);
    if (write == LinearPart::Write::kAdd) {
        const float2 before = Pair<Out>::read(*pair);
        first += before.x;
        second += before.y;
    }
    *pair = Pair<Out>::make(first, second);
}

template <typename Out>
__device__ void storeTile(const float (&c)[kOutputs / 2], int2 tile, int64_t tokens, int64_t outputs, Rows<Out> out,
                          LinearPart::Write write, int group) {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x % kWarpgroup / 32;
    const int64_t token = static_cast<int64_t>(tile.x) * kTokens + group * 64 + warp * 16 + lane / 4;
    const int64_t output = static_cast<int64_t>(tile.y) * kOutputs + lane % 4 * 2;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        if (token + 8 * h >= tokens) continue;
        Out* row = out[token + 8 * h];
#pragma unroll
        for (int j = 0; j < kOutputs / 8; ++j) {
            if (output + 8 * j < outputs) store(row + output + 8 * j, c[4 * j + 2 * h], c[4 * j + 2 * h + 1], write);
        }
    }
}

template <typename Out>
__global__ void __launch_bounds__(kThreads, 1)
    linearKernel(const __grid_constant__ CUtensorMap x, const __grid_constant__ CUtensorMap weight, Tiles tiles,
                 int steps, int64_t tokens, int64_t outputs, Rows<Out> out, LinearPart::Write write) {
    extern __shared__ char shared[];
    __shared__ uint64_t barrierMemory[2 * kStages];
    const Barriers barriers{sharedAddress(barrierMemory)};
    const uint32_t stages = (sharedAddress(shared) + 1023U) & ~1023U;
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s) {
            initBarrier(barriers.full(s), 1);
            initBarrier(barriers.empty(s), 2);
        }
        publishBarriers();
    }
    __syncthreads();
    const int role = static_cast<int>(threadIdx.x) / kWarpgroup;
    if (role == 0) {
        shrinkRegisters<40>();
        if (threadIdx.x == 0) bring(x, weight, tiles, steps, stages, barriers);
    } else {
        growRegisters<232>();
        const int group = role - 1;
        Ring ring;
        for (int id = static_cast<int>(blockIdx.x); id < tiles.count(); id += static_cast<int>(gridDim.x)) {
            float c[kOutputs / 2] = {};
            int before = -1;  // the stage that the products under way read
            for (int step = 0; step < steps; ++step, ring.next()) {
                waitFor(barriers.full(ring.slot), ring.parity);
                const uint32_t at = stages + static_cast<uint32_t>(ring.slot * kStageBytes);
                const uint64_t left = rowOperand(at + static_cast<uint32_t>(group * 64 * kDepth * 2));
                const uint64_t right = rowOperand(at + kTokenBytes);
                pin(c);
                beginProducts();
#pragma unroll
                for (int k = 0; k < kDepth; k += 16) product<kOutputs>(c, advance(left, k), advance(right, k));
                commitProducts();
                pin(c);
                waitForProducts<1>();
                if (before >= 0 && threadIdx.x % kWarpgroup == 0) arrive(barriers.empty(before));
                before = ring.slot;
            }
            waitForProducts<0>();
            pin(c);
            if (threadIdx.x % kWarpgroup == 0) arrive(barriers.empty(before));
            storeTile(c, tiles.at(id), tokens, outputs, out, write, group);
        }
    }
}

TensorBoxes boxesOf(const void* data, int64_t rows, int64_t cols, int64_t stride, uint32_t boxRows) {
    const auto bytes = static_cast<uint64_t>(stride) * sizeof(Bf16);
    return {data, {static_cast<uint64_t>(cols), static_cast<uint64_t>(rows), 1}, {bytes, bytes * rows}, boxRows};
}

bool pairsAligned(const TensorView& out) {
    const auto pair = static_cast<uintptr_t>(2 * dtypeBytes(out.dtype));
    return out.stride[0] % 2 == 0 && reinterpret_cast<uintptr_t>(out.data) % pair == 0;
}

}  // namespace

bool linearHopper(const Launch& launch, const ConstTensorView& x, const LinearPart& part) {
    const WeightView& weight = part.weight;
    if (weight.format != WeightFormat::kBF16 || weight.rows % 2 != 0 || !pairsAligned(part.out)) return false;
    CUtensorMap xMap{};
    CUtensorMap weightMap{};
    if (!makeTensorMap(boxesOf(x.data, x.dim(0), x.dim(1), x.stride[0], kTokens), xMap) ||
        !makeTensorMap(boxesOf(weight.data, weight.rows, weight.cols, weight.cols, kOutputs), weightMap)) {
        return false;
    }
    const Tiles tiles{static_cast<int>(ceilDiv(x.dim(0), kTokens)), static_cast<int>(ceilDiv(weight.rows, kOutputs))};
    const int blocks = std::min(tiles.tokens * tiles.outputs, launch.multiprocessors);
    withElement(part.out.dtype, [&](auto result) {
        using Out = decltype(result);
        cudaFuncSetAttribute(linearKernel<Out>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
        linearKernel<Out><<<static_cast<unsigned>(blocks), kThreads, kSharedBytes, launch.stream>>>(
            xMap, weightMap, tiles, static_cast<int>(ceilDiv(weight.cols, kDepth)), x.dim(0), weight.rows,
            rowsOf<Out>(part.out), part.write);
    });
    return true;
}

}  // namespace pal::cuda
