// SPDX-License-Identifier: Apache-2.0
// Stands in for the CUDA backend in a build without a CUDA compiler.
#include "kernels/api/backend.h"

namespace pal {

BackendAttempt createCudaBackend(int) {
    return {nullptr, "this build has no CUDA support"};
}

}  // namespace pal
