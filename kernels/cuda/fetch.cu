// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/fetch.h"

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/overlap.cuh"

namespace pal::cuda {
namespace {

constexpr int kThreads = 256;
constexpr size_t kPiece = sizeof(uint4);
constexpr size_t kMostBytes = size_t{1} << 20;  // more is the copy engine's

__global__ void fetchKernel(const std::byte* from, size_t bytes, std::byte* to) {
    letNextStart();
    awaitPrevious();
    const size_t pieces = bytes / kPiece;
    const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
    for (size_t i = thread; i < pieces; i += static_cast<size_t>(gridDim.x) * kThreads)
        reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
    const size_t rest = pieces * kPiece + thread;
    if (rest < bytes) to[rest] = from[rest];
}

}  // namespace

bool fetchableByKernel(std::span<const std::byte> host, const void* device) {
    const auto border = [](const void* p) { return reinterpret_cast<uintptr_t>(p) % kPiece == 0; };
    return host.size() <= kMostBytes && border(host.data()) && border(device);
}

void fetchByKernel(const Launch& launch, std::span<std::byte> host, const void* device) {
    const auto blocks = static_cast<unsigned>(
        std::clamp<int64_t>(ceilDiv(static_cast<int64_t>(host.size() / kPiece), kThreads), 1, launch.multiprocessors));
    launchOverlapped(launch, fetchKernel, dim3(blocks), kThreads, 0, static_cast<const std::byte*>(device), host.size(),
                     host.data());
}

}  // namespace pal::cuda
