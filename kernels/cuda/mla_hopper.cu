// SPDX-License-Identifier: Apache-2.0
// Around the splits of mla_hopper_splits.cu: queries into the latent space, and the splits' sums joined and brought to the value channels: by one
// kernel for a token, whose blocks take a head each, by two for several.
#include "kernels/cuda/mla_hopper.h"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/pages.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kNope = 128;
constexpr int kValues = 128;
constexpr int kRank = 512;
constexpr int kRope = 64;
constexpr int kWidth = kRank + kRope;

__device__ void unpack(const uint4& piece, float (&x)[8]) {
    const auto* pairs = reinterpret_cast<const __nv_bfloat162*>(&piece);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float2 pair = __bfloat1622float2(pairs[i]);
        x[2 * i] = pair.x;
        x[2 * i + 1] = pair.y;
    }
}

constexpr int kAbsorbThreads = 256;
constexpr int kAbsorbColumns = 128;                           // of a block
constexpr int kAbsorbLanes = kAbsorbColumns / 8;              // across the columns
constexpr int kAbsorbGroups = kAbsorbThreads / kAbsorbLanes;  // share the nope rows
constexpr int kAbsorbRows = kNope / kAbsorbGroups;            // of a group

// queries[t, h, :] = [q_n Uk | q_r] * factor
__global__ void __launch_bounds__(kAbsorbThreads, 3)
    absorbKernel(HeadRows<const Bf16> q, const Bf16* kvB, int64_t tokens, int64_t heads, float factor, Bf16* queries) {
    __shared__ float sums[kAbsorbGroups][kAbsorbColumns];
    const int lane = threadIdx.x % kAbsorbLanes;
    const int group = threadIdx.x / kAbsorbLanes;
    const int64_t head = blockIdx.x;
    const int64_t first = static_cast<int64_t>(blockIdx.y) * kAbsorbColumns;
    const Bf16* rows = kvB + (head * (kNope + kValues) + group * kAbsorbRows) * kRank + first + lane * 8;
    uint4 weights[kAbsorbRows];
#pragma unroll
    for (int i = 0; i < kAbsorbRows; ++i) weights[i] = *reinterpret_cast<const uint4*>(rows + i * kRank);
    awaitPrevious();
    letNextStart();  // not before: the splits read pages, their list and `past` without waiting, which the launches in front write
    for (int64_t t = 0; t < tokens; ++t) {
        const Bf16* query = q.at(t, head);
        float sum[8] = {};
#pragma unroll
        for (int i = 0; i < kAbsorbRows; ++i) {
            const float x = toFloat(query[group * kAbsorbRows + i]);
            float w[8];
            unpack(weights[i], w);
#pragma unroll
            for (int c = 0; c < 8; ++c) sum[c] += x * w[c];
        }
#pragma unroll
        for (int c = 0; c < 8; ++c) sums[group][lane * 8 + c] = sum[c];
        __syncthreads();
        Bf16* out = queries + (t * heads + head) * kWidth;
        if (threadIdx.x < kAbsorbColumns) {
            float total = 0;
#pragma unroll
            for (const auto& one : sums) total += one[threadIdx.x];
            out[first + threadIdx.x] = fromFloat<Bf16>(total * factor);
        } else if (blockIdx.y == 0 && threadIdx.x < kAbsorbColumns + kRope) {
            const int c = static_cast<int>(threadIdx.x) - kAbsorbColumns;
            out[kRank + c] = fromFloat<Bf16>(toFloat(query[kNope + c]) * factor);
        }
        __syncthreads();
    }
}

constexpr int kJoinThreads = 256;
constexpr int kJoinWarps = kJoinThreads / kWarp;  // share the splits
constexpr int kJoinColumns = kWarp * 4;           // of a block
constexpr int kMostSplits = 256;
constexpr int kSplitsOfLane = kMostSplits / kWarp;
constexpr int kSplitsAtOnce = 9;  // of a warp

struct JoinMemory {
    float partial[kJoinWarps][kJoinColumns];
    float share[kMostSplits];  // each split's part of the whole
};

// Fills share; summary [2]: the largest score and the sum of exponentials. One warp.
__device__ void shareOut(const float* stats, int splits, float* summary, float (&share)[kMostSplits]) {
    const int lane = threadIdx.x;
    float2 mine[kSplitsOfLane];
    float top = -INFINITY;
#pragma unroll
    for (int i = 0; i < kSplitsOfLane; ++i) {
        const int split = lane + i * kWarp;
        mine[i] = split < splits ? reinterpret_cast<const float2*>(stats)[split] : make_float2(-INFINITY, 0);
        top = fmaxf(top, mine[i].x);
    }
    top = warpMax(top);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kSplitsOfLane; ++i) {
        mine[i].x = exp2Fast(mine[i].x - top);
        sum += mine[i].y * mine[i].x;
    }
    sum = warpSum(sum);
#pragma unroll
    for (int i = 0; i < kSplitsOfLane; ++i) share[lane + i * kWarp] = mine[i].x / sum;
    if (lane != 0 || blockIdx.y != 0) return;
    summary[0] = top;
    summary[1] = sum;
}

// latents[row, 128 blockIdx.y and further] = the splits' sums joined. summary: [rows, 2].
__global__ void __launch_bounds__(kJoinThreads)
    joinKernel(const __grid_constant__ AbsorbedRows a, float* latents, float* summary) {
    __shared__ JoinMemory m;
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int64_t row = blockIdx.x;
    const int64_t column = blockIdx.y * kJoinColumns;
    letNextStart();
    awaitPrevious();
    const float* part = a.part + row * a.splits * kRank + column + lane * 4;
    float4 sum{};
    for (int first = warp; first < a.splits; first += kSplitsAtOnce * kJoinWarps) {
        float4 pieces[kSplitsAtOnce];
#pragma unroll
        for (int i = 0; i < kSplitsAtOnce; ++i) {
            const int split = first + i * kJoinWarps;
            if (split < a.splits) {
                pieces[i] = *reinterpret_cast<const float4*>(part + static_cast<int64_t>(split) * kRank);
            }
        }
        if (first == warp) {
            if (warp == 0) shareOut(a.stats + row * a.splits * 2, a.splits, summary + row * 2, m.share);
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < kSplitsAtOnce; ++i) {
            const int split = first + i * kJoinWarps;
            const float share = split < a.splits ? m.share[split] : 0.0F;
            if (share == 0) continue;  // an empty split has no sums
            sum.x += share * pieces[i].x;
            sum.y += share * pieces[i].y;
            sum.z += share * pieces[i].z;
            sum.w += share * pieces[i].w;
        }
    }
    if (warp >= a.splits) __syncthreads();  // for the shares, which the loop of the other warps waits for
    *reinterpret_cast<float4*>(&m.partial[warp][lane * 4]) = sum;
    __syncthreads();
    if (threadIdx.x >= kJoinColumns) return;
    float value = 0;
#pragma unroll
    for (const auto& one : m.partial) value += one[threadIdx.x];
    latents[row * kRank + column + threadIdx.x] = value;
}

// A row of Uv, of which lane l has the 8 channels from 8 l and from 256 + 8 l, times a latent held alike.
__device__ float timesLatent(const uint4 (&row)[2], const float (&x)[16]) {
    float dot = 0;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float w[8];
        unpack(row[half], w);
#pragma unroll
        for (int c = 0; c < 8; ++c) dot += w[c] * x[half * 8 + c];
    }
    return warpSum(dot);
}

constexpr int kValueWarps = 4;
constexpr int kValuesOfWarp = 8;
constexpr int kValuesOfBlock = kValueWarps * kValuesOfWarp;

// out[t, h, :] = Uv latents[t, h]. A block takes kValuesOfBlock channels of one head; its weights come before the latents are there.
__global__ void __launch_bounds__(kValueWarps* kWarp)
    valuesKernel(const float* latents, const Bf16* kvB, int64_t tokens, int64_t heads, HeadRows<Bf16> out) {
    const int lane = threadIdx.x % kWarp;
    const int64_t head = blockIdx.x;
    const int64_t first = blockIdx.y * kValuesOfBlock + threadIdx.x / kWarp * kValuesOfWarp;
    const Bf16* rows = kvB + (head * (kNope + kValues) + kNope + first) * kRank;
    uint4 weights[kValuesOfWarp][2];
#pragma unroll
    for (int i = 0; i < kValuesOfWarp; ++i) {
        weights[i][0] = *reinterpret_cast<const uint4*>(rows + i * kRank + lane * 8);
        weights[i][1] = *reinterpret_cast<const uint4*>(rows + i * kRank + kRank / 2 + lane * 8);
    }
    awaitPrevious();
    for (int64_t t = 0; t < tokens; ++t) {
        float x[16];
        const float* latent = latents + (t * heads + head) * kRank + lane * 8;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            *reinterpret_cast<float4*>(&x[4 * i]) =
                *reinterpret_cast<const float4*>(latent + i / 2 * (kRank / 2) + i % 2 * 4);
        }
#pragma unroll
        for (int i = 0; i < kValuesOfWarp; ++i) {
            const float dot = timesLatent(weights[i], x);
            if (lane == 0) out.at(t, head)[first + i] = fromFloat<Bf16>(dot);
        }
    }
}

constexpr int kFinishThreads = 1024;
constexpr int kFinishGroups = kFinishThreads / (kRank / 4);        // share the splits
constexpr int kFinishValues = kValues / (kFinishThreads / kWarp);  // of a warp
constexpr int kFinishAtOnce = 4;                                   // splits of a group

struct FinishMemory {
    float partial[kFinishGroups][kRank];
    float share[kMostSplits];
    float latents[kRank];
};

// One token: joins the splits of a head and brings them to the value channels. The weights come before the splits are there.
__global__ void __launch_bounds__(kFinishThreads, 1)
    finishKernel(const __grid_constant__ AbsorbedRows a, const Bf16* kvB, float* summary, HeadRows<Bf16> out) {
    __shared__ FinishMemory m;
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    const int64_t head = blockIdx.x;
    const int first = warp * kFinishValues;
    const Bf16* rows = kvB + (head * (kNope + kValues) + kNope + first) * kRank;
    uint4 weights[kFinishValues][2];
#pragma unroll
    for (int i = 0; i < kFinishValues; ++i) {
        weights[i][0] = *reinterpret_cast<const uint4*>(rows + i * kRank + lane * 8);
        weights[i][1] = *reinterpret_cast<const uint4*>(rows + i * kRank + kRank / 2 + lane * 8);
    }
    awaitPrevious();
    const int column = threadIdx.x % (kRank / 4) * 4;
    const int group = threadIdx.x / (kRank / 4);
    const float* part = a.part + head * a.splits * kRank + column;
    if (warp == 0) shareOut(a.stats + head * a.splits * 2, a.splits, summary + head * 2, m.share);
    float4 sum{};
    bool waited = false;
    for (int begin = group; begin < a.splits || !waited; begin += kFinishAtOnce * kFinishGroups) {
        float4 pieces[kFinishAtOnce];
#pragma unroll
        for (int i = 0; i < kFinishAtOnce; ++i) {
            const int split = begin + i * kFinishGroups;
            if (split < a.splits)
                pieces[i] = *reinterpret_cast<const float4*>(part + static_cast<int64_t>(split) * kRank);
        }
        if (!waited) __syncthreads();
        waited = true;
#pragma unroll
        for (int i = 0; i < kFinishAtOnce; ++i) {
            const int split = begin + i * kFinishGroups;
            const float share = split < a.splits ? m.share[split] : 0.0F;
            if (share == 0) continue;  // an empty split has no sums
            sum.x += share * pieces[i].x;
            sum.y += share * pieces[i].y;
            sum.z += share * pieces[i].z;
            sum.w += share * pieces[i].w;
        }
    }
    *reinterpret_cast<float4*>(&m.partial[group][column]) = sum;
    __syncthreads();
    if (threadIdx.x < kRank) {
        float value = 0;
#pragma unroll
        for (const auto& one : m.partial) value += one[threadIdx.x];
        m.latents[threadIdx.x] = value;
    }
    __syncthreads();
    float x[16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        *reinterpret_cast<float4*>(&x[4 * i]) =
            *reinterpret_cast<const float4*>(&m.latents[lane * 8 + i / 2 * (kRank / 2) + i % 2 * 4]);
    }
#pragma unroll
    for (int i = 0; i < kFinishValues; ++i) {
        const float dot = timesLatent(weights[i], x);
        if (lane == 0) out.at(0, head)[first + i] = fromFloat<Bf16>(dot);
    }
}

constexpr int kTapWarps = 8;

// Attention of the last query.
__global__ void probTapKernel(const __grid_constant__ AbsorbedRows a, const float* summary, Rows<float> tap) {
    const int lane = threadIdx.x % kWarp;
    const int64_t s = static_cast<int64_t>(blockIdx.x) * kTapWarps + threadIdx.x / kWarp;
    const int64_t head = blockIdx.y;
    if (s >= tokensBefore(a.past) + a.tokens) return;
    const int64_t row = (a.tokens - 1) * a.heads + head;
    const Bf16* cached = cachedRow<Bf16>(a.table, s);
    float score = 0;
    for (int c = lane; c < kWidth; c += kWarp) score += toFloat(a.queries[row * kWidth + c]) * toFloat(cached[c]);
    score = warpSum(score);
    if (lane == 0) tap[head][s] = exp2f(score - summary[row * 2]) / summary[row * 2 + 1];
}

}  // namespace

bool fitsHopperAbsorbed(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table) {
    return launch.hopper() && table.base != nullptr && args.q.dtype == DType::kBF16 && table.dtype == DType::kBF16 &&
           args.kvB.format == WeightFormat::kBF16 && table.rank == kRank && table.rope == kRope && args.nope == kNope &&
           args.valueDim == kValues && launch.multiprocessors <= kMostSplits;
}

bool mlaAbsorbedHopper(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table, const Past& past) {
    AbsorbedRows a{};
    a.tokens = args.q.dim(0);
    a.heads = args.q.dim(1);
    a.rows = a.tokens * a.heads;
    a.past = past;
    a.table = table;
    a.splits = hopperSplits(launch, a.rows);
    const int64_t pieces = a.rows * a.splits;
    if (!launch.scratch.begin(Scratch::bytesFor<Bf16>(a.rows * kWidth) + Scratch::bytesFor<float>(pieces * kRank) +
                              Scratch::bytesFor<float>(pieces * 2) + Scratch::bytesFor<float>(a.rows * 2) +
                              Scratch::bytesFor<float>(a.rows * kRank))) {
        return false;
    }
    auto* queries = launch.scratch.take<Bf16>(a.rows * kWidth);
    a.queries = queries;
    a.part = launch.scratch.take<float>(pieces * kRank);
    a.stats = launch.scratch.take<float>(pieces * 2);
    auto* summary = launch.scratch.take<float>(a.rows * 2);
    auto* latents = launch.scratch.take<float>(a.rows * kRank);
    const auto* kvB = static_cast<const Bf16*>(args.kvB.data);
    const auto heads = static_cast<unsigned>(a.heads);
    launchOverlapped(launch, absorbKernel, {heads, kRank / kAbsorbColumns}, kAbsorbThreads, 0, headRowsOf<Bf16>(args.q),
                     kvB, a.tokens, a.heads, args.scale * kLog2E, queries);
    if (!mlaSplitsHopper(launch, a)) return false;
    if (a.tokens == 1) {
        launchOverlapped(launch, finishKernel, {heads}, kFinishThreads, 0, a, kvB, summary, headRowsOf<Bf16>(args.out));
    } else {
        launchOverlapped(launch, joinKernel, {static_cast<unsigned>(a.rows), kRank / kJoinColumns}, kJoinThreads, 0, a,
                         latents, summary);
        launchOverlapped(launch, valuesKernel, {heads, kValues / kValuesOfBlock}, kValueWarps * kWarp, 0,
                         static_cast<const float*>(latents), kvB, a.tokens, a.heads, headRowsOf<Bf16>(args.out));
    }
    if (args.probTap.present()) {
        const dim3 grid{static_cast<unsigned>(ceilDiv(args.past + a.tokens, kTapWarps)), heads};
        probTapKernel<<<grid, kTapWarps * kWarp, 0, launch.stream>>>(a, summary, rowsOf<float>(args.probTap));
    }
    return true;
}

}  // namespace pal::cuda
