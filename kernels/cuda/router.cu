// SPDX-License-Identifier: Apache-2.0
#include <cfloat>

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/moe.h"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

struct RouterShape {
    int64_t experts;
    int64_t picks;
    int64_t groups;
    int64_t keptGroups;
    RouterScore score;
    bool renormalise;
    float scale;
};

struct Best {
    float value;
    int32_t index;
};

// The larger value; equal ones go to the lower index.
__device__ Best better(Best a, Best b) {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

__device__ Best warpBest(Best best) {
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2) {
        best = better(best,
                      {__shfl_xor_sync(0xFFFFFFFFU, best.value, step), __shfl_xor_sync(0xFFFFFFFFU, best.index, step)});
    }
    return best;
}

// Largest of values[0, count); every lane gets it. Taken ones hold -infinity.
__device__ Best largest(const float* values, int64_t count, int lane) {
    Best best{-INFINITY, INT32_MAX};
    for (int64_t i = lane; i < count; i += kWarp) best = better(best, {values[i], static_cast<int32_t>(i)});
    return warpBest(best);
}

constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kWarp;

// Every thread takes some experts; what softmax needs of all of them every warp finds out for itself.
__device__ void scores(const float* logits, const RouterShape& shape, float* score) {
    float top = -INFINITY;
    float sum = 0;
    if (shape.score == RouterScore::kSoftmax) {
        const int lane = threadIdx.x % kWarp;
        for (int64_t e = lane; e < shape.experts; e += kWarp) top = fmaxf(top, logits[e]);
        top = warpMax(top);
        for (int64_t e = lane; e < shape.experts; e += kWarp) sum += expf(logits[e] - top);
        sum = warpSum(sum);
    }
    for (int64_t e = threadIdx.x; e < shape.experts; e += kThreads) {
        score[e] = shape.score == RouterScore::kSoftmax ? expf(logits[e] - top) / sum : sigmoid(logits[e]);
    }
}

// Excludes all but the best groups from `choice`; a group's value is the sum of its two best choices.
__device__ void keepBestGroups(const RouterShape& shape, float* choice, float* groupValue, int lane) {
    const int64_t size = shape.experts / shape.groups;
    for (int64_t g = lane; g < shape.groups; g += kWarp) {
        float first = -INFINITY;
        float second = -INFINITY;
        for (int64_t e = g * size; e < (g + 1) * size; ++e) {
            second = fmaxf(second, fminf(first, choice[e]));
            first = fmaxf(first, choice[e]);
        }
        groupValue[g] = size > 1 ? first + second : first;
    }
    __syncwarp();
    for (int64_t kept = 0; kept < shape.keptGroups; ++kept) {
        const Best best = largest(groupValue, shape.groups, lane);
        __syncwarp();
        if (lane == 0) groupValue[best.index] = NAN;  // marks a kept group; no comparison finds it again
        __syncwarp();
    }
    for (int64_t e = lane; e < shape.experts; e += kWarp) {
        if (!isnan(groupValue[e / size])) choice[e] = -INFINITY;
    }
    __syncwarp();
}

// Floats as integers of the same order; what is no number comes last.
__device__ uint32_t ordered(float x) {
    const uint32_t bits = __float_as_uint(x + 0.0F);  // -0 becomes 0, which it equals
    return isnan(x) ? 0U : bits ^ (static_cast<int32_t>(bits) < 0 ? 0xFFFFFFFFU : 0x80000000U);
}

// An expert that may be picked. Equal keys go to the lower index; key 0 is worse than any number.
struct Candidate {
    uint32_t key;
    uint32_t index;
};
__device__ Candidate better(Candidate a, Candidate b) {
    return b.key > a.key || (b.key == a.key && b.index < a.index) ? b : a;
}

// Calls picked(i, the best, whether this lane had it) `count` times; `look()` gives a lane's best, asked for again only of the lane that lost its own.
template <typename Look, typename Picked>
__device__ void pickBest(int64_t count, const Look& look, const Picked& picked) {
    Candidate mine = look();
    for (int64_t i = 0; i < count; ++i) {
        const uint32_t key = __reduce_max_sync(0xFFFFFFFFU, mine.key);
        const uint32_t index = __reduce_min_sync(0xFFFFFFFFU, mine.key == key ? mine.index : UINT32_MAX);
        const bool had = mine.key == key && mine.index == index;
        picked(i, Candidate{key, index}, had);
        if (had) mine = look();
    }
}

// The best of every warp: [kWarps][picks].
struct WarpPicks {
    uint32_t* keys;
    const uint32_t* indices;
};

// By one warp: the best of all of them, and their weights.
__device__ void joinPicks(const WarpPicks& picks, const float* score, const RouterShape& shape, int32_t* index,
                          float* weight) {
    const int lane = threadIdx.x % kWarp;
    const auto lookAtPicks = [&] {
        Candidate best{0, UINT32_MAX};
        for (int64_t i = lane; i < kWarps * shape.picks; i += kWarp)
            best = better(best, {picks.keys[i], picks.indices[i]});
        return best;
    };
    float sum = 0;
    float mine = 0;  // score of pick `lane`, or of the last of lane, lane + 32, ...
    pickBest(shape.picks, lookAtPicks, [&](int64_t i, Candidate best, bool had) {
        const auto expert = min(static_cast<int64_t>(best.index), shape.experts - 1);  // where no logit is a number
        const float s = score[expert];
        sum += s;
        if (lane == i % kWarp) {
            index[i] = static_cast<int32_t>(expert);
            weight[i] = mine = s;
        }
        if (!had) return;
        for (int64_t j = lane; j < kWarps * shape.picks; j += kWarp) {
            if (picks.indices[j] == best.index) picks.keys[j] = 0;
        }
    });
    const float factor = shape.renormalise && shape.picks > 1 ? shape.scale / (sum + 1e-20F) : shape.scale;
    if (shape.picks <= kWarp) {
        if (lane < shape.picks) weight[lane] = mine * factor;
        return;
    }
    __syncwarp();
    for (int64_t i = lane; i < shape.picks; i += kWarp) weight[i] *= factor;
}

// Every warp picks the best of its experts, then the first warp the best of theirs.
__global__ void __launch_bounds__(kThreads) routerKernel(Rows<const float> logits, const float* bias, RouterShape shape,
                                                         Rows<int32_t> index, Rows<float> weight) {
    extern __shared__ float shared[];
    float* score = shared;
    float* choice = score + shape.experts;
    float* groupValue = choice + shape.experts;
    auto* keys = reinterpret_cast<uint32_t*>(groupValue + shape.groups);  // [kWarps][picks]
    uint32_t* indices = keys + kWarps * shape.picks;
    const int64_t t = blockIdx.x;
    const int lane = threadIdx.x % kWarp;
    const int warp = threadIdx.x / kWarp;
    letNextStart();
    awaitPrevious();
    scores(logits[t], shape, score);
    for (int64_t e = threadIdx.x; e < shape.experts; e += kThreads) {
        choice[e] = score[e] + (bias == nullptr ? 0.0F : bias[e]);
    }
    __syncthreads();
    if (shape.groups > shape.keptGroups) {
        if (warp == 0) keepBestGroups(shape, choice, groupValue, lane);
        __syncthreads();
    }
    const auto lookAtExperts = [&] {
        Candidate best{0, UINT32_MAX};
        for (int64_t e = threadIdx.x; e < shape.experts; e += kThreads) {
            best = better(best, {ordered(choice[e]), static_cast<uint32_t>(e)});
        }
        return best;
    };
    pickBest(shape.picks, lookAtExperts, [&](int64_t i, Candidate best, bool had) {
        if (had && best.index != UINT32_MAX) choice[best.index] = NAN;
        if (lane == 0) keys[warp * shape.picks + i] = best.key;
        if (lane == 0) indices[warp * shape.picks + i] = best.index;
    });
    __syncthreads();
    if (warp == 0) joinPicks({keys, indices}, score, shape, index[t], weight[t]);
}

}  // namespace

void router(const Launch& launch, const RouterArgs& args) {
    const RouterShape shape{args.logits.dim(1), args.index.dim(1), args.groups,
                            args.keptGroups,    args.score,        args.renormalise == RouterArgs::Renormalise::kYes,
                            args.scale};
    const size_t shared =
        sizeof(float) * static_cast<size_t>(2 * shape.experts + shape.groups + 2 * kWarps * shape.picks);
    cudaFuncSetAttribute(routerKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    launchOverlapped(launch, routerKernel, static_cast<unsigned>(args.logits.dim(0)), kThreads, shared,
                     rowsOf<float>(args.logits), args.bias, shape, rowsOf<int32_t>(args.index),
                     rowsOf<float>(args.weight));
}

}  // namespace pal::cuda
