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

__device__ void scores(const float* logits, const RouterShape& shape, float* score, int lane) {
    float top = -INFINITY;
    float sum = 0;
    if (shape.score == RouterScore::kSoftmax) {
        for (int64_t e = lane; e < shape.experts; e += kWarp) top = fmaxf(top, logits[e]);
        top = warpMax(top);
        for (int64_t e = lane; e < shape.experts; e += kWarp) sum += expf(logits[e] - top);
        sum = warpSum(sum);
    }
    for (int64_t e = lane; e < shape.experts; e += kWarp) {
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

// The best of a lane's choices, which are those at lane, lane + 32, ...
struct Candidate {
    uint32_t key;
    uint32_t index;
};
__device__ Candidate bestOf(const float* choice, int64_t count, int lane) {
    Candidate best{0, UINT32_MAX};
    for (int64_t i = lane; i < count; i += kWarp) {
        const uint32_t key = ordered(choice[i]);
        if (best.index == UINT32_MAX || key > best.key) best = {key, static_cast<uint32_t>(i)};
    }
    return best;
}

__global__ void routerKernel(Rows<const float> logits, const float* bias, RouterShape shape, Rows<int32_t> index,
                             Rows<float> weight) {
    extern __shared__ float shared[];
    float* score = shared;
    float* choice = score + shape.experts;
    float* groupValue = choice + shape.experts;
    const int64_t t = blockIdx.x;
    const int lane = threadIdx.x;
    letNextStart();
    awaitPrevious();
    scores(logits[t], shape, score, lane);
    for (int64_t e = lane; e < shape.experts; e += kWarp) choice[e] = score[e] + (bias == nullptr ? 0.0F : bias[e]);
    __syncwarp();
    if (shape.groups > shape.keptGroups) keepBestGroups(shape, choice, groupValue, lane);

    // Each pick is the best of the lanes' best; only the lane that had it looks again.
    float sum = 0;
    Candidate mine = bestOf(choice, shape.experts, lane);
    for (int64_t i = 0; i < shape.picks; ++i) {
        const uint32_t top = __reduce_max_sync(0xFFFFFFFFU, mine.key);
        const uint32_t picked = __reduce_min_sync(0xFFFFFFFFU, mine.key == top ? mine.index : UINT32_MAX);
        sum += score[picked];
        if (mine.index != picked) continue;
        index[t][i] = static_cast<int32_t>(picked);
        weight[t][i] = score[picked];
        choice[picked] = -INFINITY;
        mine = bestOf(choice, shape.experts, lane);
    }
    __syncwarp();
    const float factor = shape.renormalise && shape.picks > 1 ? shape.scale / (sum + 1e-20F) : shape.scale;
    for (int64_t i = lane; i < shape.picks; i += kWarp) weight[t][i] *= factor;
}

}  // namespace

void router(const Launch& launch, const RouterArgs& args) {
    const RouterShape shape{args.logits.dim(1), args.index.dim(1), args.groups,
                            args.keptGroups,    args.score,        args.renormalise == RouterArgs::Renormalise::kYes,
                            args.scale};
    const size_t shared = sizeof(float) * static_cast<size_t>(2 * shape.experts + shape.groups);
    cudaFuncSetAttribute(routerKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    launchOverlapped(launch, routerKernel, static_cast<unsigned>(args.logits.dim(0)), kWarp, shared,
                     rowsOf<float>(args.logits), args.bias, shape, rowsOf<int32_t>(args.index),
                     rowsOf<float>(args.weight));
}

}  // namespace pal::cuda
