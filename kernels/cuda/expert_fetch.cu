// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/expert_fetch.h"

namespace pal::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kLoads = 4;  // of 16 bytes that a thread has under way: a warp asks for whole lines of 128 bytes
constexpr int kBlocksPerSm =
    2;  // 4 MB under way on 132 multiprocessors; the link needs rate times latency, about 0.1 MB

// Block (share, pick) brings a share of the pick's expert, unless an earlier pick names the same.
__global__ void __launch_bounds__(kThreads)
    fetchKernel(Rows<const int32_t> index, int picksOfToken, ExpertRecords records) {
    const int pick = static_cast<int>(blockIdx.y);
    const int32_t expert = index[pick / picksOfToken][pick % picksOfToken];
    int earlier = 0;
    for (int p = static_cast<int>(threadIdx.x); p < pick; p += kThreads)
        earlier |= static_cast<int>(index[p / picksOfToken][p % picksOfToken] == expert);
    if (__syncthreads_or(earlier) != 0) return;
    const auto words = static_cast<int64_t>(records.recordBytes / sizeof(uint4));
    const auto* from = reinterpret_cast<const uint4*>(records.host) + expert * words;
    auto* to = reinterpret_cast<uint4*>(records.device) + expert * words;
    constexpr int64_t kStretch = kThreads * kLoads;
    for (int64_t first = blockIdx.x * kStretch + threadIdx.x; first < words; first += gridDim.x * kStretch) {
        uint4 piece[kLoads];
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            if (first + i * kThreads < words) piece[i] = __ldcs(from + first + i * kThreads);
        }
#pragma unroll
        for (int i = 0; i < kLoads; ++i) {
            if (first + i * kThreads < words) to[first + i * kThreads] = piece[i];
        }
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(records.counter), records.recordBytes);
}

}  // namespace

void fetchExperts(const Launch& launch, const ConstTensorView& index, const ExpertRecords& records) {
    const int64_t picks = index.dim(0) * index.dim(1);
    const int64_t shares = std::max<int64_t>(1, ceilDiv(launch.multiprocessors * kBlocksPerSm, picks));
    const dim3 grid{static_cast<unsigned>(shares), static_cast<unsigned>(picks)};
    fetchKernel<<<grid, kThreads, 0, launch.stream>>>(rowsOf<int32_t>(index), static_cast<int>(index.dim(1)), records);
}

}  // namespace pal::cuda
