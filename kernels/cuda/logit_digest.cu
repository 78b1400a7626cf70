// SPDX-License-Identifier: Apache-2.0
// A warp per block of 64 logits, twice: for the largest, and with the largest of all for the weights. The exponential is that of the CPU's vectors
// (kernels/cpu/math-inl.h), operation by operation, so that the sums are the same whole numbers.
#include <cfloat>

#include "kernels/cuda/logit_digest.h"
#include "kernels/cuda/overlap.cuh"
#include "kernels/cuda/reduce.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kPerLane = static_cast<int>(kLogitBlock) / kWarp;
constexpr int kLowBits = 24;

// Lane's logits; beyond the end -FLT_MAX, which weighs nothing beside any other.
__device__ float logitAt(const LogitDigestArgs& args, int64_t block, int i) {
    const int64_t at = block * kLogitBlock + i * kWarp + threadIdx.x % kWarp;
    return at < args.count ? args.logits[at] : -FLT_MAX;
}

__global__ void largestKernel(LogitDigestArgs args, int64_t blocks, float* tops) {
    letNextStart();
    awaitPrevious();
    __shared__ float shared[kWarps];
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int64_t block = static_cast<int64_t>(blockIdx.x) * kWarps + warp;
    float largest = -FLT_MAX;
    int broken = 0;
    if (block < blocks) {
#pragma unroll
        for (int i = 0; i < kPerLane; ++i) {
            const float x = logitAt(args, block, i);
            const bool finite = isfinite(x);
            broken += __popc(__ballot_sync(0xFFFFFFFFU, !finite));
            largest = fmaxf(largest, finite ? x : -FLT_MAX);
        }
    }
    largest = warpMax(largest);
    if (threadIdx.x % kWarp == 0) {
        shared[warp] = largest;
        if (block < blocks) {
            args.blocks[block].largest = largest;
            args.blocks[block].broken = static_cast<uint32_t>(broken);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < kWarps; ++w) largest = fmaxf(largest, shared[w]);
        tops[blockIdx.x] = largest;
    }
}

__device__ float exponential(float x) {
    const float clamped = fminf(88.72283F, fmaxf(-88.0F, x));
    const float shifted = __fmaf_rn(clamped, 1.44269504F, 12582912.0F);
    const float n = __fsub_rn(shifted, 12582912.0F);
    float r = __fmaf_rn(-n, 0.693359375F, clamped);
    r = __fmaf_rn(-n, -2.12194440e-4F, r);
    float q = 1.9875691500e-4F;
    q = __fmaf_rn(q, r, 1.3981999507e-3F);
    q = __fmaf_rn(q, r, 8.3334519073e-3F);
    q = __fmaf_rn(q, r, 4.1665795894e-2F);
    q = __fmaf_rn(q, r, 1.6666665459e-1F);
    q = __fmaf_rn(q, r, 5.0000001201e-1F);
    const float p = __fadd_rn(__fmaf_rn(__fmul_rn(r, r), q, r), 1.0F);
    const float scaled = __int_as_float(__float_as_int(p) + (__float_as_int(shifted) << 23));
    return x < -87.33654F ? 0.0F : scaled;
}

__device__ uint64_t weight(float x, float top, float scale) {
    const float units = __fmul_rn(exponential(__fmul_rn(__fsub_rn(x, top), scale)),
                                  static_cast<float>(1 << (kLogitMassBits - kLowBits)));
    const int high = __float2int_rz(units);
    const float rest = __fsub_rn(units, __int2float_rn(high));
    const int low = __float2int_rz(__fmul_rn(rest, static_cast<float>(1 << kLowBits)));
    return (static_cast<uint64_t>(high) << kLowBits) + static_cast<uint64_t>(low);
}

__device__ uint64_t warpTotal(uint64_t x) {
#pragma unroll
    for (int step = kWarp / 2; step > 0; step /= 2) x += __shfl_xor_sync(0xFFFFFFFFU, x, step);
    return x;
}

__global__ void weighKernel(LogitDigestArgs args, int64_t blocks, const float* tops, float scale) {
    letNextStart();
    awaitPrevious();
    __shared__ float shared[kWarps];
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    float top = -FLT_MAX;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) top = fmaxf(top, tops[i]);
    top = warpMax(top);
    if (threadIdx.x % kWarp == 0) shared[warp] = top;
    __syncthreads();
    for (int w = 0; w < kWarps; ++w) top = fmaxf(top, shared[w]);
    const int64_t block = static_cast<int64_t>(blockIdx.x) * kWarps + warp;
    if (block >= blocks) return;
    uint64_t mass = 0;
    uint64_t plain = 0;
    float moment = 0;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
        if (block * kLogitBlock + i * kWarp + threadIdx.x % kWarp >= args.count) continue;
        const float x = logitAt(args, block, i);
        mass += weight(x, top, scale);
        plain += weight(x, top, 1);
        moment += exponential(x - top) * (x - top);
    }
    mass = warpTotal(mass);
    plain = warpTotal(plain);
    if (args.moments != nullptr) moment = warpSum(moment);
    if (threadIdx.x % kWarp != 0) return;
    if (args.moments != nullptr) args.moments[block] = moment;
    args.blocks[block].mass = mass;
    args.blocks[block].plain = plain;
}

}  // namespace

bool digestLogits(const Launch& launch, const LogitDigestArgs& args) {
    const int64_t blocks = logitBlocks(args.count);
    const int64_t grid = ceilDiv(blocks, kWarps);
    if (!launch.scratch.begin(Scratch::bytesFor<float>(grid))) return false;
    auto* tops = launch.scratch.take<float>(grid);
    const float scale = fminf(1 / args.temperature, FLT_MAX);
    launchOverlapped(launch, largestKernel, dim3(static_cast<unsigned>(grid)), kThreads, 0, args, blocks, tops);
    launchOverlapped(launch, weighKernel, dim3(static_cast<unsigned>(grid)), kThreads, 0, args, blocks, tops, scale);
    return true;
}

}  // namespace pal::cuda
