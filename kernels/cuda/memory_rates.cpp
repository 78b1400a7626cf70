// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/memory_rates.h"

#include <algorithm>
#include <cstddef>

namespace pal::cuda {
namespace {

constexpr size_t kDeviceBytes = size_t{512} << 20;  // far above the caches
constexpr size_t kLinkBytes = size_t{64} << 20;
constexpr int kCopies = 6;

// Bytes per second of the fastest of some calls of `copy`, which moves `bytes`.
template <typename Copy>
double bestRate(cudaStream_t stream, size_t bytes, const Copy& copy) {
    cudaEvent_t start = nullptr;
    cudaEvent_t end = nullptr;
    double best = 0;
    if (cudaEventCreate(&start) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess) {
        for (int i = 0; i < kCopies; ++i) {
            float milliseconds = 0;
            cudaEventRecord(start, stream);
            copy();
            cudaEventRecord(end, stream);
            cudaEventSynchronize(end);
            if (cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess && milliseconds > 0)
                best = std::max(best, static_cast<double>(bytes) / (static_cast<double>(milliseconds) * 1e-3));
        }
    }
    if (start != nullptr) cudaEventDestroy(start);
    if (end != nullptr) cudaEventDestroy(end);
    return best;
}

}  // namespace

MemoryRates measureMemoryRates(cudaStream_t stream) {
    MemoryRates out;
    void* from = nullptr;
    void* to = nullptr;
    void* host = nullptr;
    if (cudaMalloc(&from, kDeviceBytes) == cudaSuccess && cudaMalloc(&to, kDeviceBytes) == cudaSuccess) {
        out.copy = bestRate(stream, 2 * kDeviceBytes,
                            [&] { cudaMemcpyAsync(to, from, kDeviceBytes, cudaMemcpyDeviceToDevice, stream); });
    }
    cudaFree(to);
    to = nullptr;
    if (from == nullptr) cudaMalloc(&to, kLinkBytes);
    void* device = from != nullptr ? from : to;
    if (device != nullptr && cudaMallocHost(&host, kLinkBytes) == cudaSuccess) {
        out.link = bestRate(stream, kLinkBytes,
                            [&] { cudaMemcpyAsync(device, host, kLinkBytes, cudaMemcpyHostToDevice, stream); });
    }
    cudaFreeHost(host);
    cudaFree(device);
    cudaGetLastError();  // no room is an answer
    return out;
}

}  // namespace pal::cuda
