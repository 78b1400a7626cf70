// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/tensor_map.h"

#include <cuda_runtime.h>

namespace pal::cuda {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

// From the driver that is loaded, so that a program without one still starts.
Encode encoder() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    constexpr unsigned kFirstVersion = 12000;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, kFirstVersion, cudaEnableDefault,
                                         &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    return reinterpret_cast<Encode>(function);
}

}  // namespace

bool makeTensorMap(const TensorBoxes& boxes, CUtensorMap& map) {
    static const Encode encode = encoder();
    if (encode == nullptr) return false;
    const std::array<uint32_t, 3> box{64, boxes.rows, 1};
    const std::array<uint32_t, 3> every{1, 1, 1};
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 3, const_cast<void*>(boxes.data), boxes.extent.data(),
                  boxes.strideBytes.data(), box.data(), every.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
                  CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace pal::cuda
