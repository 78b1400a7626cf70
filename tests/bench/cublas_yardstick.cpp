// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/cublas_yardstick.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <vector>

namespace pal::bench {
namespace {

// The three calls and the constants of cublas_v2.h that a product needs.
using Handle = void*;
using Create = int (*)(Handle*);
using GemmEx = int (*)(Handle, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int,
                       const void*, void*, int, int, int, int);
constexpr int kTransposed = 1;
constexpr int kPlain = 0;
constexpr int kBf16 = 14;        // CUDA_R_16BF
constexpr int kComputeF32 = 68;  // CUBLAS_COMPUTE_32F
constexpr int kDefaultAlgorithm = -1;

struct DeviceMatrices {
    std::array<void*, 3> data{};
    explicit DeviceMatrices(size_t bytes) {
        for (void*& p : data) {
            if (cudaMalloc(&p, bytes) != cudaSuccess) p = nullptr;
        }
    }
    ~DeviceMatrices() {
        for (void* p : data) cudaFree(p);
    }
    DeviceMatrices(const DeviceMatrices&) = delete;
    DeviceMatrices& operator=(const DeviceMatrices&) = delete;
};

}  // namespace

std::optional<double> cublasFlops(int64_t n) {
    const char* path = std::getenv("PAL_CUBLAS");
    void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) return std::nullopt;
    const auto create = reinterpret_cast<Create>(dlsym(library, "cublasCreate_v2"));
    const auto gemm = reinterpret_cast<GemmEx>(dlsym(library, "cublasGemmEx"));
    Handle handle = nullptr;
    if (create == nullptr || gemm == nullptr || create(&handle) != 0) return std::nullopt;

    const auto elements = static_cast<size_t>(n * n);
    std::mt19937_64 random(9);
    std::vector<uint16_t> host(elements);
    for (uint16_t& x : host) x = static_cast<uint16_t>((random() & 0x807F) | 0x3F00);
    const DeviceMatrices m(elements * 2);
    for (int i = 0; i < 2; ++i)
        cudaMemcpy(m.data[static_cast<size_t>(i)], host.data(), elements * 2, cudaMemcpyHostToDevice);
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    const float one = 1;
    const float zero = 0;
    const int side = static_cast<int>(n);
    std::vector<double> seconds;
    for (int i = 0; i < 13; ++i) {
        cudaEventRecord(start);
        if (gemm(handle, kTransposed, kPlain, side, side, side, &one, m.data[0], kBf16, side, m.data[1], kBf16, side,
                 &zero, m.data[2], kBf16, side, kComputeF32, kDefaultAlgorithm) != 0) {
            return std::nullopt;
        }
        cudaEventRecord(stop);
        cudaEventSynchronize(stop);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, start, stop);
        if (i >= 3) seconds.push_back(static_cast<double>(milliseconds) * 1e-3);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    std::ranges::sort(seconds);
    return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / seconds[seconds.size() / 2];
}

}  // namespace pal::bench
