// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/device_query.h"

#include <cuda_runtime.h>

namespace pal::cuda {
namespace {

// Proves that the device runs code of this build: an architecture without a kernel image fails here and not in the first step.
__global__ void touch(int* out) {
    *out = 1;
}

DeviceQuery refused(const char* step, cudaError_t error) {
    DeviceQuery query;
    query.whyNot = std::string(step) + ": " + cudaGetErrorString(error);
    return query;
}

}  // namespace

DeviceQuery queryDevice(int ordinal) {
    int count = 0;
    if (const auto error = cudaGetDeviceCount(&count); error != cudaSuccess) return refused("looking for GPUs", error);
    if (ordinal < 0 || ordinal >= count) {
        DeviceQuery query;
        query.whyNot = "there is no GPU " + std::to_string(ordinal) + ": the driver reports " + std::to_string(count);
        return query;
    }
    cudaDeviceProp properties{};
    if (const auto error = cudaGetDeviceProperties(&properties, ordinal); error != cudaSuccess) {
        return refused("reading the GPU's properties", error);
    }
    if (const auto error = cudaSetDevice(ordinal); error != cudaSuccess) return refused("opening the GPU", error);
    int* out = nullptr;
    if (const auto error = cudaMalloc(&out, sizeof(int)); error != cudaSuccess)
        return refused("allocating on the GPU", error);
    touch<<<1, 1>>>(out);
    cudaError_t error =
        cudaGetLastError();  // without code for the device the launch fails, and nothing is there to wait for
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    cudaFree(out);
    if (error != cudaSuccess) return refused("running on the GPU", error);
    return {true,
            properties.name,
            properties.major,
            properties.minor,
            properties.multiProcessorCount,
            properties.totalGlobalMem,
            ""};
}

}  // namespace pal::cuda
