// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/cuda_backend.h"

namespace pal {

BackendAttempt createCudaBackend(int device) {
    const cuda::DeviceQuery query = cuda::queryDevice(device);
    if (!query.found) return {nullptr, query.whyNot};
    return {std::make_unique<cuda::CudaBackend>(device, query), {}};
}

}  // namespace pal
