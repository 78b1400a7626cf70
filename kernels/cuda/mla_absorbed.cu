// SPDX-License-Identifier: Apache-2.0
// Attention in the latent space: q~ = [q_n Uk | q_r] meets the cached rows as one key for all heads, the rows' latent part is the value, and Uv is applied
// to the weighted sum. The rows are split over blocks, each with its own largest score and sum; a second pass joins them.
#include <algorithm>

#include "kernels/cuda/pages.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kWarps = 8;  // of a block; each takes one head
constexpr int kThreads = kWarps * kWarp;
constexpr int64_t kSplitRows = 256;     // fewest rows worth a block
constexpr int64_t kFirstBucket = 1024;  // rows; the number of splits changes with each power of four above

struct Shape {
    int64_t tokens, heads, nope, rope, rank, values, splits;
    Past past;
    float scale;
    [[nodiscard]] __host__ __device__ int64_t width() const { return rank + rope; }
};

// absorbed[t, h, :] = [q_n Uk | q_r], float32.
template <typename T, typename W>
__global__ void absorbKernel(HeadRows<const T> q, const W* kvB, Shape s, float* absorbed) {
    const int64_t c = static_cast<int64_t>(blockIdx.z) * kThreads + threadIdx.x;
    if (c >= s.width()) return;
    const int64_t t = blockIdx.x;
    const int64_t head = blockIdx.y;
    const T* query = q.at(t, head);
    float sum = 0;
    if (c < s.rank) {
        const W* column = kvB + head * (s.nope + s.values) * s.rank + c;
        for (int64_t i = 0; i < s.nope; ++i) sum += toFloat(query[i]) * toFloat(column[i * s.rank]);
    } else {
        sum = toFloat(query[s.nope + c - s.rank]);
    }
    absorbed[(t * s.heads + head) * s.width() + c] = sum;
}

// part[t, h, split] = [weighted sum of rows, R | largest score | sum of exponentials]; PerLane * 32 covers R + rope.
template <int PerLane, typename C>
__global__ void __launch_bounds__(kThreads) splitKernel(const float* absorbed, PageTable table, Shape s, float* part) {
    const int lane = threadIdx.x % kWarp;
    const int64_t head = static_cast<int64_t>(blockIdx.y) * kWarps + threadIdx.x / kWarp;
    if (head >= s.heads) return;
    const int64_t split = blockIdx.x;
    const int64_t t = blockIdx.z;
    const int64_t seen = tokensBefore(s.past) + t + 1;
    const int64_t splitRows = (tokensBefore(s.past) + s.tokens + s.splits - 1) / s.splits;
    const int64_t end = min(seen, (split + 1) * splitRows);
    const float* query = absorbed + (t * s.heads + head) * s.width();
    float q[PerLane];
    float acc[PerLane] = {};
#pragma unroll
    for (int i = 0; i < PerLane; ++i) q[i] = lane + kWarp * i < s.width() ? query[lane + kWarp * i] * s.scale : 0.0F;
    float top = -INFINITY;
    float sum = 0;
    for (int64_t row = split * splitRows; row < end; ++row) {
        const C* cached = cachedRow<C>(table, row);
        float values[PerLane];
        float score = 0;
#pragma unroll
        for (int i = 0; i < PerLane; ++i) {
            const int64_t c = lane + kWarp * i;
            values[i] = c < s.width() ? toFloat(cached[c]) : 0.0F;
            score += q[i] * values[i];
        }
        score = warpSum(score);
        const float higher = fmaxf(top, score);
        const float keep = expf(top - higher);
        const float p = expf(score - higher);
        top = higher;
        sum = sum * keep + p;
#pragma unroll
        for (int i = 0; i < PerLane; ++i) acc[i] = acc[i] * keep + p * values[i];
    }
    float* out = part + ((t * s.heads + head) * s.splits + split) * (s.rank + 2);
#pragma unroll
    for (int i = 0; i < PerLane; ++i) {
        if (lane + kWarp * i < s.rank) out[lane + kWarp * i] = acc[i];
    }
    if (lane == 0) {
        out[s.rank] = top;
        out[s.rank + 1] = sum;
    }
}

// One block per token and head: joins the splits and applies Uv. summary[t, h] = [largest score, sum of exponentials].
template <typename T, typename W>
__global__ void joinKernel(const float* part, const W* kvB, Shape s, HeadRows<T> out, float* summary) {
    extern __shared__ float latent[];  // [R]
    const int64_t t = blockIdx.x;
    const int64_t head = blockIdx.y;
    const float* parts = part + (t * s.heads + head) * s.splits * (s.rank + 2);
    float top = -INFINITY;
    for (int64_t i = 0; i < s.splits; ++i) top = fmaxf(top, parts[i * (s.rank + 2) + s.rank]);
    float sum = 0;
    for (int64_t i = 0; i < s.splits; ++i) {
        const float* p = parts + i * (s.rank + 2);
        sum += p[s.rank + 1] * expf(p[s.rank] - top);
    }
    for (int64_t c = threadIdx.x; c < s.rank; c += kThreads) {
        float value = 0;
        for (int64_t i = 0; i < s.splits; ++i) {
            const float* p = parts + i * (s.rank + 2);
            value += p[c] * expf(p[s.rank] - top);
        }
        latent[c] = value / sum;
    }
    if (threadIdx.x == 0) {
        summary[(t * s.heads + head) * 2] = top;
        summary[(t * s.heads + head) * 2 + 1] = sum;
    }
    __syncthreads();
    const int lane = threadIdx.x % kWarp;
    for (int64_t v = threadIdx.x / kWarp; v < s.values; v += kWarps) {
        const W* row = kvB + (head * (s.nope + s.values) + s.nope + v) * s.rank;
        float dot = 0;
        for (int64_t c = lane; c < s.rank; c += kWarp) dot += latent[c] * toFloat(row[c]);
        dot = warpSum(dot);
        if (lane == 0) out.at(t, head)[v] = fromFloat<T>(dot);
    }
}

// Attention of the last query, from its absorbed form and summary.
template <typename C>
__global__ void probTapKernel(const float* absorbed, const float* summary, PageTable table, Shape s, Rows<float> tap) {
    const int lane = threadIdx.x % kWarp;
    const int64_t row = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarp;
    const int64_t head = blockIdx.y;
    if (row >= tokensBefore(s.past) + s.tokens) return;
    const int64_t pair = (s.tokens - 1) * s.heads + head;
    const float* query = absorbed + pair * s.width();
    const C* cached = cachedRow<C>(table, row);
    float score = 0;
    for (int64_t c = lane; c < s.width(); c += kWarp) score += query[c] * s.scale * toFloat(cached[c]);
    score = warpSum(score);
    if (lane == 0) tap[head][row] = expf(score - summary[pair * 2]) / summary[pair * 2 + 1];
}

template <typename F>
void withWeight(const WeightView& weight, const F& f) {
    if (weight.format == WeightFormat::kBF16) {
        f(static_cast<const Bf16*>(weight.data));
    } else {
        f(static_cast<const float*>(weight.data));
    }
}

Shape shapeOf(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table, const Past& past) {
    Shape s{};
    s.tokens = args.q.dim(0);
    s.heads = args.q.dim(1);
    s.nope = args.nope;
    s.rope = table.rope;
    s.rank = table.rank;
    s.values = args.valueDim;
    s.past = past;
    s.scale = args.scale;
    s.splits = absorbedSplits(launch, args.past + s.tokens, s.tokens, s.heads);
    return s;
}

template <typename C>
bool launchSplits(const Launch& launch, const float* absorbed, const PageTable& table, const Shape& s, float* part) {
    const dim3 grid{static_cast<unsigned>(s.splits), static_cast<unsigned>(ceilDiv(s.heads, kWarps)),
                    static_cast<unsigned>(s.tokens)};
    const int64_t perLane = ceilDiv(s.width(), kWarp);
    if (perLane <= 4) {
        splitKernel<4, C><<<grid, kThreads, 0, launch.stream>>>(absorbed, table, s, part);
    } else if (perLane <= 8) {
        splitKernel<8, C><<<grid, kThreads, 0, launch.stream>>>(absorbed, table, s, part);
    } else if (perLane <= 18) {
        splitKernel<18, C><<<grid, kThreads, 0, launch.stream>>>(absorbed, table, s, part);
    } else if (perLane <= 36) {
        splitKernel<36, C><<<grid, kThreads, 0, launch.stream>>>(absorbed, table, s, part);
    } else {
        return false;
    }
    return true;
}

}  // namespace

// Two waves of blocks at most, and none with fewer than kSplitRows rows when the bucket is full.
int64_t absorbedSplits(const Launch& launch, int64_t rows, int64_t tokens, int64_t heads) {
    int64_t bucket = kFirstBucket;
    while (bucket < rows) bucket *= 4;
    const int64_t others = tokens * ceilDiv(heads, kWarps);
    return std::min(ceilDiv(bucket, kSplitRows), ceilDiv(2 * launch.multiprocessors, others));
}

bool mlaAbsorbed(const Launch& launch, const MlaAttentionArgs& args, const PageTable& table, const Past& past) {
    const Shape s = shapeOf(launch, args, table, past);
    const int64_t pairs = s.tokens * s.heads;
    const int64_t absorbedFloats = pairs * s.width();
    const int64_t partFloats = pairs * s.splits * (s.rank + 2);
    if (!launch.scratch.begin(Scratch::bytesFor<float>(absorbedFloats) + Scratch::bytesFor<float>(partFloats) +
                              Scratch::bytesFor<float>(pairs * 2))) {
        return false;
    }
    auto* absorbed = launch.scratch.take<float>(absorbedFloats);
    auto* part = launch.scratch.take<float>(partFloats);
    auto* summary = launch.scratch.take<float>(pairs * 2);
    const auto tokens = static_cast<unsigned>(s.tokens);
    const auto heads = static_cast<unsigned>(s.heads);
    bool fits = true;
    withElement(args.q.dtype, [&](auto act) {
        using T = decltype(act);
        withWeight(args.kvB, [&](const auto* kvB) {
            const dim3 grid{tokens, heads, static_cast<unsigned>(ceilDiv(s.width(), kThreads))};
            absorbKernel<T><<<grid, kThreads, 0, launch.stream>>>(headRowsOf<T>(args.q), kvB, s, absorbed);
            withElement(table.dtype,
                        [&](auto cache) { fits = launchSplits<decltype(cache)>(launch, absorbed, table, s, part); });
            const size_t shared = sizeof(float) * static_cast<size_t>(s.rank);
            joinKernel<T><<<dim3{tokens, heads}, kThreads, shared, launch.stream>>>(part, kvB, s,
                                                                                    headRowsOf<T>(args.out), summary);
        });
    });
    if (args.probTap.present()) {
        const dim3 grid{static_cast<unsigned>(ceilDiv(args.past + s.tokens, kWarps)), heads};
        withElement(table.dtype, [&](auto cache) {
            probTapKernel<decltype(cache)>
                <<<grid, kThreads, 0, launch.stream>>>(absorbed, summary, table, s, rowsOf<float>(args.probTap));
        });
    }
    return fits;
}

}  // namespace pal::cuda
