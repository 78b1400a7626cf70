// SPDX-License-Identifier: Apache-2.0
// Experts in MXFP4 for a few tokens. Reading the weights is all the work, 65 us of an H200's memory for one token of K3, so unpacking has to cost
// less than that: weights become halves with three operations per pair and go through tensor cores (mma.sync), sixteen rows of weights against
// eight columns, of which each takes the activations of one group of 32 and zeros elsewhere. So the sums of eight groups stay apart until they have
// met their scales. Two launches: gate, up and activation; then down and the weighted sum over a token's experts.
#include <algorithm>

#include "kernels/cuda/glu.cuh"
#include "kernels/cuda/moe_stages.h"
#include "kernels/cuda/mxfp4_pairs.cuh"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/tensor_core.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kWarp;
constexpr int kRows = 16;          // of a tile
constexpr int kStretch = 256;      // columns that a warp takes at once
constexpr int kStretchGroups = 8;  // of 32
constexpr int kStretchWords = 32;  // of 16 bytes: eight activations in halves
constexpr int kGroupWords = 4;
constexpr int kGroupBytes = kMxfp4Group / 2;
constexpr int kCodeBytes = 4 * kWarp * 16;                       // of a tile's stretch
constexpr int kSlotBytes = kCodeBytes + kRows * kStretchGroups;  // with its scales

// Of a warp that reads `ahead` stretches in advance.
__host__ __device__ constexpr int ringBytes(int ahead) {
    return (ahead + 1) * kSlotBytes;
}

// A vector of activations in shared memory: halves in the order of pairedPlace() and the units of their groups.
struct Activations {
    uint4* words;
    float* units;
    __host__ __device__ static constexpr int bytes(int stretches) {
        return stretches * static_cast<int>(kStretchWords * sizeof(uint4) + kStretchGroups * sizeof(float));
    }
    __device__ static Activations at(char* memory, int stretches) {
        auto* words = reinterpret_cast<uint4*>(memory);
        return {words, reinterpret_cast<float*>(words + stretches * kStretchWords)};
    }
};

// What a lane feeds to the products: the words of group lane / 4 of a stretch for those four groups `b` of which it holds that one's codes (see
// Stretch), zeros for the others.
struct Feed {
    const uint4* words[2];
    int step[2];  // words from stretch to stretch
    __device__ Feed(const Activations& x, const uint4* zeros, int lane) {
#pragma unroll
        for (int b = 0; b < 2; ++b) {
            const bool active = lane % 4 == lane / 4 % 4 && lane / 16 == b;
            words[b] = active ? x.words + lane / 4 * kGroupWords : zeros;
            step[b] = active ? kStretchWords : 0;
        }
    }
};

// Where the two rows begin that a lane has of a tile, at its group: rows lane / 4 and 8 below of the product; and the row of which it copies scales.
struct LaneRows {
    const uint8_t* codes[2];
    const uint8_t* scales;
};

// Row r of a tile: row upperFirst + r of `upper` for r < 8, else lowerFirst + r - 8 of `lower`. Rows past the end repeat the last one; nothing stores
// their results.
__device__ LaneRows laneRows(const WeightView& upper, int64_t upperFirst, const WeightView& lower, int64_t lowerFirst,
                             int lane) {
    const auto row = [](const WeightView& of, int64_t first, int r) { return min(first + r % 8, of.rows - 1); };
    const int64_t cols = upper.cols;
    const WeightView& scaled = lane % kRows < 8 ? upper : lower;
    return {{static_cast<const uint8_t*>(upper.data) + row(upper, upperFirst, lane / 4) * (cols / 2) +
                 lane % 4 * kGroupBytes,
             static_cast<const uint8_t*>(lower.data) + row(lower, lowerFirst, lane / 4) * (cols / 2) +
                 lane % 4 * kGroupBytes},
            scaled.scale + row(scaled, lane % kRows < 8 ? upperFirst : lowerFirst, lane) * (cols / kMxfp4Group)};
}

// Eight scales, whose rows begin at no wider border.
__device__ void copyScales(uint32_t to, const uint8_t* from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(from));
}

__device__ uint4 sharedWords(uint32_t at) {
    uint4 v;
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at));
    return v;
}
__device__ uint32_t sharedPair(uint32_t at) {
    uint16_t v;
    asm volatile("ld.shared.b16 %0, [%1];" : "=h"(v) : "r"(at));
    return v;
}

__device__ uint32_t word(const uint4& v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

// 2^(s - 127) of the byte in bits 23 to 30; the subnormal 2^-127 for 0.
__device__ float powerOf(uint32_t bits) {
    return __uint_as_float(max(bits & 0x7F800000U, 0x00400000U));
}

// Stretches `first`, `first + step`, ... of a tile, by a warp, read ahead into a ring in shared memory. A lane reads back the codes that it copied
// itself: of each of its rows the groups lane % 4 and lane % 4 + 4. It gets the sums of groups 2 (lane % 4) and the next, and takes their scales.
template <int Ahead>
class TileSum {
  public:
    __device__ TileSum(const LaneRows& rows, char* ring, int first, int step, int stretches, int lane)
        : rows_(rows), ring_(sharedAddress(ring)), first_(first), step_(step), stretches_(stretches), lane_(lane) {
        for (int a = 0; a < Ahead; ++a) copy(first + a * step, a);
    }

    // Every lane of a row gets the row's sum.
    __device__ void run(const Feed& feed, const float* units, float (&sums)[2]) {
        int slot = 0;
        for (int s = first_; s < stretches_; s += step_) {
            __syncwarp();  // all lanes have taken their scales from the slot that is filled now
            copy(s + Ahead * step_, (slot + Ahead) % (Ahead + 1));
            waitForCopies<Ahead>();
            __syncwarp();
            accumulate(slot, feed, units, s, sums);
            slot = (slot + 1) % (Ahead + 1);
        }
#pragma unroll
        for (int h = 0; h < 2; ++h) sums[h] = warpSum<4>(sums[h]) * kDecodeGain;
    }

  private:
    [[nodiscard]] __device__ uint32_t slotAt(int slot) const {
        return ring_ + static_cast<uint32_t>(slot * kSlotBytes);
    }

    // One group of copies, empty past the end.
    __device__ void copy(int stretch, int slot) const {
        if (stretch < stretches_) {
            const uint32_t to = slotAt(slot);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const uint8_t* from = rows_.codes[i / 2] + (stretch * kStretchGroups + i % 2 * 4) * kGroupBytes;
                copyPiece(to + static_cast<uint32_t>((i * kWarp + lane_) * 16), from, from);
            }
            if (lane_ < kRows) {
                copyScales(to + static_cast<uint32_t>(kCodeBytes + lane_ * kStretchGroups),
                           rows_.scales + stretch * kStretchGroups);
            }
        }
        commitCopies();
    }

    __device__ void accumulate(int slot, const Feed& feed, const float* units, int stretch, float (&sums)[2]) const {
        const uint32_t at = slotAt(slot);
        float c[4] = {};
#pragma unroll
        for (int b = 0; b < 2; ++b) {
            const uint4 upper = sharedWords(at + static_cast<uint32_t>((b * kWarp + lane_) * 16));
            const uint4 lower = sharedWords(at + static_cast<uint32_t>(((2 + b) * kWarp + lane_) * 16));
            const uint4* words = feed.words[b] + stretch * feed.step[b];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const uint4 fed = words[i];
                const uint32_t u = word(upper, i);
                const uint32_t l = word(lower, i);
                const uint32_t first[4] = {halfPair(u, 0), halfPair(l, 0), halfPair(u, 1), halfPair(l, 1)};
                multiplyHalves(c, first, fed.x, fed.y);
                const uint32_t second[4] = {halfPair(u, 2), halfPair(l, 2), halfPair(u, 3), halfPair(l, 3)};
                multiplyHalves(c, second, fed.z, fed.w);
            }
        }
        const int group = lane_ % 4 * 2;
        const float2 unit = *reinterpret_cast<const float2*>(units + stretch * kStretchGroups + group);
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const uint32_t scales =
                sharedPair(at + static_cast<uint32_t>(kCodeBytes + (lane_ / 4 + 8 * h) * kStretchGroups + group));
            sums[h] += c[2 * h] * (powerOf(scales << 23) * unit.x);
            sums[h] += c[2 * h + 1] * (powerOf(scales << 15) * unit.y);
        }
    }

    LaneRows rows_;
    uint32_t ring_;
    int first_;
    int step_;
    int stretches_;
    int lane_;
};

// Inner activations as `down` takes them, see Activations.
struct Inner {
    __half* values;  // [T k, M]
    float* units;    // [T k, M / 32]
};

// Stretches read in advance: where a warp has few, all of them, so that one latency covers them; where it has many, no more than leaves room for blocks.
constexpr int kAheadOfMany = 2;
constexpr int kAheadOfFew = 4;
constexpr int kFewStretches = 6;

constexpr int kTileInner = kRows / 2;  // inner rows of a tile: those of gate above those of up

// Word i of a token, and with the lanes beside it (i % 4) their group's unit. All lanes of a warp call it.
__device__ void pack(const Bf16* token, int i, const Activations& to) {
    float x[8];
    loadTokens<8>(token + 8 * i, x);
    float largest = 0;
#pragma unroll
    for (int c = 0; c < 8; ++c) largest = fmaxf(largest, fabsf(x[c]));
    const HalfScale scale = halfScale(quadMax(largest));
    uint32_t pairs[4];
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        const __half2 pair = __floats2half2_rn(x[n] * scale.gain, x[n + 4] * scale.gain);
        pairs[n] = *reinterpret_cast<const uint32_t*>(&pair);
    }
    to.words[i] = {pairs[0], pairs[1], pairs[2], pairs[3]};
    if (i % kGroupWords == 0) to.units[i / kGroupWords] = scale.unit;
}

// Block (n, pick): kWarps / Parts tiles of a pick's expert, so 64 or 32 inner rows: whole groups of `down`. `Parts` warps share a tile's columns.
template <int Parts>
__global__ void __launch_bounds__(kThreads, 3)
    gateUpKernel(Rows<const Bf16> x, Rows<const int32_t> index, int64_t picks, const ExpertWeights* experts,
                 GluParams params, int stretches, Inner inner, int64_t innerWidth) {
    constexpr int kTiles = kWarps / Parts;
    constexpr int kAhead = Parts == 1 ? kAheadOfMany : kAheadOfFew;
    extern __shared__ uint4 shared[];  // a ring per warp, then the token
    __shared__ uint4 zeros[kGroupWords];
    __shared__ float partial[Parts][2][kTiles * kTileInner];
    auto* memory = reinterpret_cast<char*>(shared);
    const Activations activations = Activations::at(memory + kWarps * ringBytes(kAhead), stretches);
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int tile = warp / Parts;
    const int part = warp % Parts;
    const int64_t pick = blockIdx.y;
    letNextStart();
    awaitPrevious();
    const ExpertWeights& expert = experts[index[pick / picks][pick % picks]];
    const int64_t first = (static_cast<int64_t>(blockIdx.x) * kTiles + tile) * kTileInner;
    TileSum<kAhead> sum(laneRows(expert.gate, first, expert.up, first, lane), memory + warp * ringBytes(kAhead), part,
                        Parts, stretches, lane);
    for (int i = threadIdx.x; i < stretches * kStretchWords; i += kThreads) pack(x[pick / picks], i, activations);
    if (threadIdx.x < kGroupWords) zeros[threadIdx.x] = {};
    __syncthreads();

    float sums[2] = {};
    sum.run({activations, zeros, lane}, activations.units, sums);
    if (lane % 4 == 0) {
#pragma unroll
        for (int m = 0; m < 2; ++m) partial[part][m][tile * kTileInner + lane / 4] = sums[m];
    }
    __syncthreads();
    const int64_t group = static_cast<int64_t>(blockIdx.x) * (kTiles * kTileInner / kMxfp4Group) + warp;
    if (warp >= kTiles * kTileInner / kMxfp4Group || group * kMxfp4Group >= innerWidth) return;
    float both[2] = {};
#pragma unroll
    for (int m = 0; m < 2; ++m) {
#pragma unroll
        for (int p = 0; p < Parts; ++p) both[m] += partial[p][m][threadIdx.x];
    }
    const float activated = rounded<Bf16>(gatedUnit(params, rounded<Bf16>(both[0]), rounded<Bf16>(both[1])));
    const HalfScale scale = halfScale(warpMax(fabsf(activated)));
    inner.values[pick * innerWidth + group * kMxfp4Group + lane / 8 * 8 + pairedPlace(lane % 8)] =
        __float2half_rn(activated * scale.gain);
    if (lane == 0) inner.units[pick * (innerWidth / kMxfp4Group) + group] = scale.unit;
}

// A pick's inner activations to shared memory, by a warp.
__device__ void fetch(const Inner& inner, int64_t pick, int stretches, int lane, const Activations& to) {
    const auto* words = reinterpret_cast<const uint4*>(inner.values) + pick * stretches * kStretchWords;
    for (int s = 0; s < stretches; ++s) to.words[s * kStretchWords + lane] = words[s * kStretchWords + lane];
    const float* units = inner.units + pick * stretches * kStretchGroups;
    for (int g = lane; g < stretches * kStretchGroups; g += kWarp) to.units[g] = units[g];
}

// Block (n, t): outputs 16 n .. of token t. Warps take its picks in turn.
template <int Ahead>
__global__ void __launch_bounds__(kThreads, 2)
    downKernel(Inner inner, Rows<const int32_t> index, Rows<const float> weight, int picks,
               const ExpertWeights* experts, int stretches, int64_t width, Rows<Bf16> out) {
    extern __shared__ uint4 shared[];  // a ring and an Activations per warp, then the results
    __shared__ uint4 zeros[kGroupWords];
    const int warpBytes = ringBytes(Ahead) + Activations::bytes(stretches);
    auto* memory = reinterpret_cast<char*>(shared);
    auto* results = reinterpret_cast<float*>(memory + kWarps * warpBytes);  // [picks][16]
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    char* ring = memory + warp * warpBytes;
    const Activations activations = Activations::at(ring + ringBytes(Ahead), stretches);
    const int64_t t = blockIdx.y;
    const int64_t first = static_cast<int64_t>(blockIdx.x) * kRows;
    if (threadIdx.x < kGroupWords) zeros[threadIdx.x] = {};
    __syncthreads();
    letNextStart();
    awaitPrevious();
    for (int i = warp; i < picks; i += kWarps) {
        const WeightView& down = experts[index[t][i]].down;
        TileSum<Ahead> sum(laneRows(down, first, down, first + 8, lane), ring, 0, 1, stretches, lane);
        fetch(inner, t * picks + i, stretches, lane, activations);
        __syncwarp();
        float sums[2] = {};
        sum.run({activations, zeros, lane}, activations.units, sums);
        if (lane % 4 == 0) {
            results[i * kRows + lane / 4] = rounded<Bf16>(sums[0]);
            results[i * kRows + lane / 4 + 8] = rounded<Bf16>(sums[1]);
        }
        __syncwarp();  // before the ring and the activations are filled anew
    }
    __syncthreads();
    if (threadIdx.x >= kRows || first + threadIdx.x >= width) return;
    float sum = 0;
    for (int i = 0; i < picks; ++i) sum += weight[t][i] * results[i * kRows + threadIdx.x];
    out[t][first + threadIdx.x] = fromFloat<Bf16>(sum);
}

int gateUpBytes(bool one, int stretches) {
    return kWarps * ringBytes(one ? kAheadOfMany : kAheadOfFew) + Activations::bytes(stretches);
}
int downBytes(int stretches, int64_t picks) {
    const int ring = ringBytes(stretches <= kFewStretches ? kAheadOfFew : kAheadOfMany);
    return kWarps * (ring + Activations::bytes(stretches)) + static_cast<int>(sizeof(float) * kRows * picks);
}

void launchGateUp(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const Inner& inner) {
    const int64_t picks = args.index.dim(1);
    const int64_t all = args.x.dim(0) * picks;
    // One warp per tile where that occupies the device, two where it does not.
    const bool one = table.inner * all >= static_cast<int64_t>(launch.multiprocessors) * 2 * kWarps * kTileInner;
    const auto kernel = one ? gateUpKernel<1> : gateUpKernel<2>;
    const int64_t blockInner = (one ? kWarps : kWarps / 2) * kTileInner;
    const dim3 grid{static_cast<unsigned>(ceilDiv(table.inner, blockInner)), static_cast<unsigned>(all)};
    const auto stretches = static_cast<int>(table.width / kStretch);
    const int shared = gateUpBytes(one, stretches);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    launchOverlapped(launch, kernel, grid, kThreads, static_cast<size_t>(shared), rowsOf<Bf16>(args.x),
                     rowsOf<int32_t>(args.index), picks, table.experts, args.glu, stretches, inner, table.inner);
}

void launchDown(const Launch& launch, const MoeArgs& args, const ExpertTable& table, const Inner& inner) {
    const int64_t picks = args.index.dim(1);
    const auto stretches = static_cast<int>(table.inner / kStretch);
    const auto kernel = stretches <= kFewStretches ? downKernel<kAheadOfFew> : downKernel<kAheadOfMany>;
    const int shared = downBytes(stretches, picks);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    const dim3 grid{static_cast<unsigned>(ceilDiv(table.width, kRows)), static_cast<unsigned>(args.x.dim(0))};
    launchOverlapped(launch, kernel, grid, kThreads, static_cast<size_t>(shared), inner, rowsOf<int32_t>(args.index),
                     rowsOf<float>(args.weight), static_cast<int>(picks), table.experts, stretches, table.width,
                     rowsOf<Bf16>(args.out));
}

}  // namespace

bool suitsToken(const ExpertTable& table, int64_t picks) {
    if (table.width % kStretch != 0 || table.inner % kStretch != 0) return false;
    constexpr int kStatic = 2048;  // and what the kernels declare besides
    int device = 0;
    int most = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const int gateUp = gateUpBytes(false, static_cast<int>(table.width / kStretch));
    const int down = downBytes(static_cast<int>(table.inner / kStretch), picks);
    return std::max(gateUp, down) + kStatic <= most;
}

size_t tokenExpertBytes(int64_t picks, int64_t inner) {
    return Scratch::bytesFor<__half>(picks * inner) + Scratch::bytesFor<float>(picks * (inner / kMxfp4Group));
}

void expertsToken(const Launch& launch, const MoeArgs& args, const ExpertTable& table) {
    const int64_t all = args.x.dim(0) * args.index.dim(1);
    const Inner inner{launch.scratch.take<__half>(all * table.inner),
                      launch.scratch.take<float>(all * (table.inner / kMxfp4Group))};
    launchGateUp(launch, args, table, inner);
    launchDown(launch, args, table, inner);
}

}  // namespace pal::cuda
