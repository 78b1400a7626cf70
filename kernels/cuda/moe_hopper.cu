// SPDX-License-Identifier: Apache-2.0
// Experts in MXFP4 for many tokens: products from registers (wgmma), W x^T, with the weights as the left operand, unpacked by the warps that multiply.
// A weight is read and unpacked once per call unless its expert has more than 192 tokens, and the tile is as wide as the expert's tokens need (64 to
// 192). Two warp groups multiply, so that one unpacks while the other's products run; a third brings activations by the copy engine, 128 columns at
// once. A lane holds whole groups of 32 columns, one 16-byte load each, so activations are laid out to match: within 128 columns as depthPlace() says.
#include "kernels/cuda/glu.cuh"
#include "kernels/cuda/hopper_products.cuh"
#include "kernels/cuda/moe_stages.h"
#include "kernels/cuda/mxfp4_pairs.cuh"
#include "kernels/cuda/stage_ring.cuh"
#include "kernels/cuda/tensor_map.h"

namespace pal::cuda {
namespace {

constexpr int kDepth = kMoeHopperDepth;  // columns of a stage
constexpr int kStages = 4;
constexpr int kThreads = 3 * kWarpgroup;
constexpr int kConsumers = 2 * kWarpgroup;
constexpr int kBoxRows = 32;
constexpr int kBoxBytes = kBoxRows * 128;
constexpr int kHalfBytes = kMoeHopperTokens * 128;  // 64 columns of all tokens
constexpr int kStageBytes = 2 * kHalfBytes;
constexpr int kStagedTokens = 128;                 // that are stored together
constexpr int kStagedBytes = kStagedTokens * 256;  // up to 128 results each
constexpr int kSharedBytes = kStages * kStageBytes + kStagedBytes + 1024;

// Where column c of 128 lies: lane quarter q = c / 32 of the product's rows holds the group, word i = c / 8 % 4 of it gives two products of depth 16, to
// each of which it brings two pairs (n, n + 4) of columns.
__host__ __device__ constexpr int depthPlace(int c) {
    const int n = c % 4;
    return (c / 8 % 4 * 2 + n / 2) * 16 + n % 2 * 8 + c / 32 * 2 + c % 8 / 4;
}

// rows[p] = x of the p-th sorted pick, in that order. A thread moves 8 columns.
__global__ void gatherKernel(Rows<const Bf16> x, const int32_t* pick, int picks, int64_t width, Bf16* rows) {
    const int64_t p = blockIdx.x;
    const Bf16* from = x[pick[p] / picks];
    Bf16* to = rows + p * width;
    for (int64_t c = threadIdx.x * 8; c < width; c += blockDim.x * 8) {
        const uint4 piece = *reinterpret_cast<const uint4*>(from + c);
        const uint32_t words[4] = {piece.x, piece.y, piece.z, piece.w};
        // Pairs (n, n + 4) of the eight columns.
        const int64_t base = c / kDepth * kDepth;
#pragma unroll
        for (int n = 0; n < 4; ++n) {
            const uint32_t low = words[n / 2] >> (n % 2 * 16) & 0xFFFFU;
            const uint32_t high = words[n / 2 + 2] >> (n % 2 * 16) & 0xFFFFU;
            const int place = depthPlace(static_cast<int>(c - base) + n);
            *reinterpret_cast<uint32_t*>(to + base + place) = low | high << 16;
        }
    }
}

using Barriers = StageBarriers<kStages>;
using Ring = StageRing<kStages>;

// The work of a stage: (expert's tokens) x (parts of its outputs), those of an expert one after the other, so that its tokens stay in the cache.
struct Work {
    SortedPicks sorted;
    int width;  // of the products: index of the tiles that this launch takes
    int parts;
    int steps;  // of kDepth columns
};

// Calls f(tile, part) for each of this block's share.
template <typename F>
__device__ void forEachTile(const Work& work, const F& f) {
    const int first = work.sorted.widthFirst[work.width];
    const int count = (work.sorted.widthFirst[work.width + 1] - first) * work.parts;
    for (int id = static_cast<int>(blockIdx.x); id < count; id += static_cast<int>(gridDim.x)) {
        f(first + id / work.parts, id % work.parts);
    }
}

template <int Tokens>
__device__ void bring(const CUtensorMap& x, const Work& work, uint32_t stages, Barriers barriers) {
    Ring ring;
    forEachTile(work, [&](int tile, int) {
        const int first = work.sorted.tileFirst[tile];
        for (int step = 0; step < work.steps; ++step, ring.next()) {
            waitFor(barriers.empty(ring.slot), ring.parity ^ 1);
            arriveExpecting(barriers.full(ring.slot), Tokens * kDepth * 2);
            const uint32_t at = stages + static_cast<uint32_t>(ring.slot * kStageBytes);
            for (int half = 0; half < 2; ++half) {
                for (int row = 0; row < Tokens; row += kBoxRows) {
                    copyBox(at + static_cast<uint32_t>(half * kHalfBytes + row / kBoxRows * kBoxBytes), &x,
                            step * kDepth + half * 64, first + row, 0, barriers.full(ring.slot));
                }
            }
        }
    });
}

// A lane's two weight rows, 16 product rows apart by 8, and its group of every 128 columns.
struct LaneRows {
    const uint8_t* data[2];
    const uint8_t* scale[2];
};

__device__ LaneRows laneRows(const WeightView& upper, int64_t upperRow, const WeightView& lower, int64_t lowerRow) {
    LaneRows out;
    const int64_t groups = upper.cols / kMxfp4Group;
    const int64_t q = threadIdx.x % 4;
    out.data[0] = static_cast<const uint8_t*>(upper.data) + (upperRow * groups + q) * 16;
    out.data[1] = static_cast<const uint8_t*>(lower.data) + (lowerRow * groups + q) * 16;
    out.scale[0] = upper.scale + upperRow * groups + q;
    out.scale[1] = lower.scale + lowerRow * groups + q;
    return out;
}

struct Packed {
    uint4 codes[2];
    uint8_t scale[2];
};
__device__ Packed load(const LaneRows& rows, int step) {
    Packed out;
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        out.codes[h] = __ldcs(reinterpret_cast<const uint4*>(rows.data[h] + static_cast<int64_t>(step) * (kDepth / 2)));
        out.scale[h] = rows.scale[h][step * (kDepth / kMxfp4Group)];
    }
    return out;
}

// bf16Pair()'s 2^126 and the scale, in two factors because their product can leave the range.
struct Factor {
    __nv_bfloat162 first;
    __nv_bfloat162 second;
    bool both;
};
__device__ __nv_bfloat162 power(int exponent) {  // 2^(exponent - 127)
    const uint32_t bits = static_cast<uint32_t>(exponent) << 7;
    const uint32_t pair = bits | bits << 16;
    return *reinterpret_cast<const __nv_bfloat162*>(&pair);
}
__device__ Factor factorOf(uint8_t scale) {
    const int within = min(static_cast<int>(scale), 128);
    return {power(within + 126), power(static_cast<int>(scale) - within + 127), scale > 128};
}

__device__ uint32_t scaledPair(uint32_t word, int n, const Factor& factor) {
    const uint32_t bits = bf16Pair(word, n);
    __nv_bfloat162 pair = __hmul2(*reinterpret_cast<const __nv_bfloat162*>(&bits), factor.first);
    if (factor.both) pair = __hmul2(pair, factor.second);
    return *reinterpret_cast<const uint32_t*>(&pair);
}

__device__ uint32_t word(const uint4& v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

// c += the lane's rows times the activations of one tile.
template <int Tokens>
__device__ void multiplyTile(float (&c)[Tokens / 2], const LaneRows& rows, int steps, uint32_t stages,
                             Barriers barriers, Ring& ring) {
    uint32_t a[2][4][4];
    Packed now = load(rows, 0);
    int before = -1;  // the stage that products under way may read
    for (int step = 0; step < steps; ++step, ring.next()) {
        Packed next = now;
        if (step + 1 < steps) next = load(rows, step + 1);
        const Factor factor[2] = {factorOf(now.scale[0]), factorOf(now.scale[1])};
        const uint32_t at = stages + static_cast<uint32_t>(ring.slot * kStageBytes);
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            waitForProducts<1>();  // those that read a[half]
            if (half == 1 && before >= 0 && threadIdx.x % kWarpgroup == 0) arrive(barriers.empty(before));
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const uint32_t upper = word(now.codes[0], half * 2 + k / 2);
                const uint32_t lower = word(now.codes[1], half * 2 + k / 2);
                a[half][k][0] = scaledPair(upper, k % 2 * 2, factor[0]);
                a[half][k][1] = scaledPair(lower, k % 2 * 2, factor[1]);
                a[half][k][2] = scaledPair(upper, k % 2 * 2 + 1, factor[0]);
                a[half][k][3] = scaledPair(lower, k % 2 * 2 + 1, factor[1]);
            }
            if (half == 0) waitFor(barriers.full(ring.slot), ring.parity);
            const uint64_t right = rowOperand(at + static_cast<uint32_t>(half * kHalfBytes));
            beginProducts();
#pragma unroll
            for (int k = 0; k < 4; ++k) productFromRegisters<Tokens>(c, a[half][k], advance(right, k * 16));
            commitProducts();
        }
        before = ring.slot;
        now = next;
    }
    waitForProducts<0>();
    pin(c);
    if (threadIdx.x % kWarpgroup == 0) arrive(barriers.empty(before));
}

__device__ void consumersMeet() {
    asm volatile("bar.sync 1, %0;" ::"n"(kConsumers) : "memory");
}

// Calls f(column of 8 tokens) for the tokens [first, first + kStagedTokens) of a tile.
template <int Tokens, typename F>
__device__ void forStaged(int first, const F& f) {
#pragma unroll
    for (int j = 0; j < Tokens / 8; ++j) {
        if (j * 8 >= first && j * 8 < first + kStagedTokens) f(j);
    }
}

struct GateUp {
    GluParams params;
    int64_t innerWidth;
    Bf16* out;  // [sorted pick][inner], laid out for `down`

    static constexpr int kRowsPerPart = 64;  // inner rows: a warp has 8 of them, gate above up

    __device__ LaneRows rows(const ExpertWeights& expert, int part) const {
        const int warp = static_cast<int>(threadIdx.x - kWarpgroup) / 32;
        const int64_t row = part * kRowsPerPart + warp * 8 + threadIdx.x % 32 / 4;
        return laneRows(expert.gate, row, expert.up, row);
    }

    // Eight bytes of every 16 of the 128 columns are this tile's: see depthPlace().
    template <int Tokens>
    __device__ void store(const float (&c)[Tokens / 2], const SortedPicks& sorted, int tile, int part,
                          Bf16* staged) const {
        const int lane = threadIdx.x % 32;
        const int warp = static_cast<int>(threadIdx.x - kWarpgroup) / 32;
        const int count = sorted.tileRows[tile];
        const int64_t first = sorted.tileFirst[tile];
        const int place = depthPlace(warp * 8 + lane / 4);  // within the first 64 of 128 columns
        const int chunk = place / 8 * 4 + place % 4;
        for (int t0 = 0; t0 < count; t0 += kStagedTokens) {
            forStaged<Tokens>(t0, [&](int j) {
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    const float activated =
                        gatedUnit(params, rounded<Bf16>(c[4 * j + e]), rounded<Bf16>(c[4 * j + 2 + e]));
                    staged[(j * 8 + lane % 4 * 2 + e - t0) * (kRowsPerPart + 8) + chunk] = fromFloat<Bf16>(activated);
                }
            });
            consumersMeet();
            const int tokens = min(count - t0, kStagedTokens);
            for (int i = static_cast<int>(threadIdx.x) - kWarpgroup; i < tokens * 16; i += kConsumers) {
                const auto piece = *reinterpret_cast<const uint2*>(staged + i / 16 * (kRowsPerPart + 8) + i % 16 * 4);
                Bf16* to = out + (first + t0 + i / 16) * innerWidth + part / 2 * kDepth + i % 16 * 8 + part % 2 * 4;
                *reinterpret_cast<uint2*>(to) = piece;
            }
            consumersMeet();
        }
    }
};

struct Down {
    int64_t width;
    Bf16* out;  // [pick][width]

    static constexpr int kRowsPerPart = 128;

    __device__ LaneRows rows(const ExpertWeights& expert, int part) const {
        const int warp = static_cast<int>(threadIdx.x - kWarpgroup) / 32;
        const int64_t row = part * kRowsPerPart + warp * 16 + threadIdx.x % 32 / 4;
        return laneRows(expert.down, row, expert.down, row + 8);
    }

    template <int Tokens>
    __device__ void store(const float (&c)[Tokens / 2], const SortedPicks& sorted, int tile, int part,
                          Bf16* staged) const {
        const int lane = threadIdx.x % 32;
        const int warp = static_cast<int>(threadIdx.x - kWarpgroup) / 32;
        const int count = sorted.tileRows[tile];
        const int32_t* pick = sorted.pick + sorted.tileFirst[tile];
        constexpr int kRow = kStagedBytes / kStagedTokens / 2;
        for (int t0 = 0; t0 < count; t0 += kStagedTokens) {
            forStaged<Tokens>(t0, [&](int j) {
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int token = j * 8 + lane % 4 * 2 + e % 2 - t0;
                    const int row = warp * 16 + lane / 4 + e / 2 * 8;
                    // Pieces of 8 rows move by the token, so that lanes of one row do not meet in a bank.
                    staged[token * kRow + (row / 8 ^ token / 2 % 4 * 2) * 8 + row % 8] = fromFloat<Bf16>(c[4 * j + e]);
                }
            });
            consumersMeet();
            const int tokens = min(count - t0, kStagedTokens);
            for (int i = static_cast<int>(threadIdx.x) - kWarpgroup; i < tokens * 16; i += kConsumers) {
                const int token = i / 16;
                const auto piece =
                    *reinterpret_cast<const uint4*>(staged + token * kRow + (i % 16 ^ token / 2 % 4 * 2) * 8);
                Bf16* to = out + static_cast<int64_t>(pick[t0 + token]) * width + part * kRowsPerPart + i % 16 * 8;
                *reinterpret_cast<uint4*>(to) = piece;
            }
            consumersMeet();
        }
    }
};

template <int Tokens, typename Stage>
__global__ void __launch_bounds__(kThreads, 1)
    expertKernel(const __grid_constant__ CUtensorMap x, Work work, const ExpertWeights* experts, Stage stage) {
    extern __shared__ char shared[];
    __shared__ uint64_t barrierMemory[2 * kStages];
    const Barriers barriers{sharedAddress(barrierMemory)};
    const uint32_t base = sharedAddress(shared);
    const uint32_t stages = (base + 1023U) & ~1023U;
    auto* staged = reinterpret_cast<Bf16*>(shared + (stages - base) + kStages * kStageBytes);
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s) {
            initBarrier(barriers.full(s), 1);
            initBarrier(barriers.empty(s), 2);
        }
        publishBarriers();
    }
    __syncthreads();
    if (threadIdx.x < kWarpgroup) {
        shrinkRegisters<40>();
        if (threadIdx.x == 0) bring<Tokens>(x, work, stages, barriers);
        return;
    }
    growRegisters<232>();
    Ring ring;
    forEachTile(work, [&](int tile, int part) {
        float c[Tokens / 2] = {};
        const LaneRows rows = stage.rows(experts[work.sorted.tileExpert[tile]], part);
        multiplyTile<Tokens>(c, rows, work.steps, stages, barriers, ring);
        stage.template store<Tokens>(c, work.sorted, tile, part, staged);
    });
}

template <int Width, typename Stage>
void launchWidth(const Launch& launch, const CUtensorMap& map, Work work, const ExpertTable& table,
                 const Stage& stage) {
    constexpr auto kKernel = expertKernel<tileWidth(Width), Stage>;
    work.width = Width;
    cudaFuncSetAttribute(kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
    kKernel<<<static_cast<unsigned>(launch.multiprocessors), kThreads, kSharedBytes, launch.stream>>>(
        map, work, table.experts, stage);
}

template <typename Stage>
bool launchStage(const Launch& launch, const ExpertTable& table, const SortedPicks& sorted, const Bf16* rows,
                 int64_t picks, int64_t cols, int64_t outputs, const Stage& stage) {
    const auto bytes = static_cast<uint64_t>(cols) * sizeof(Bf16);
    const TensorBoxes boxes{rows,
                            {static_cast<uint64_t>(cols), static_cast<uint64_t>(picks), 1},
                            {bytes, bytes * static_cast<uint64_t>(picks)},
                            kBoxRows};
    CUtensorMap map{};
    if (!makeTensorMap(boxes, map)) return false;
    const Work work{sorted, 0, static_cast<int>(outputs / Stage::kRowsPerPart), static_cast<int>(cols / kDepth)};
    launchWidth<0>(launch, map, work, table, stage);
    launchWidth<1>(launch, map, work, table, stage);
    launchWidth<2>(launch, map, work, table, stage);
    launchWidth<3>(launch, map, work, table, stage);
    return true;
}

}  // namespace

bool expertsHopper(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const SortedPicks& sorted,
                   const MoeRows& out) {
    const int64_t picks = args.x.dim(0) * args.index.dim(1);
    auto* gathered = static_cast<Bf16*>(out.rows);  // until `down` writes its results there
    auto* inner = static_cast<Bf16*>(out.inner);
    gatherKernel<<<static_cast<unsigned>(picks), 256, 0, launch.stream>>>(
        rowsOf<Bf16>(args.x), sorted.pick, static_cast<int>(args.index.dim(1)), table.width, gathered);
    return launchStage(launch, table, sorted, gathered, picks, table.width, table.inner,
                       GateUp{args.glu, table.inner, inner}) &&
           launchStage(launch, table, sorted, inner, picks, table.inner, table.width,
                       Down{table.width, static_cast<Bf16*>(out.rows)});
}

}  // namespace pal::cuda
