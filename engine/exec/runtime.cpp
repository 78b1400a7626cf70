// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/runtime.h"

namespace pal {

Result<std::unique_ptr<Runtime>> Runtime::create(BoundModel model, std::unique_ptr<Backend> backend) {
    std::unique_ptr<Runtime> runtime(new Runtime(std::move(model), std::move(backend)));
    PAL_ASSIGN(runtime->weights_, importWeights(runtime->model_, *runtime->backend_));
    return runtime;
}

Result<std::unique_ptr<Backend>> createBackend(const EngineOptions& options) {
    BackendAttempt attempt =
        options.device == Device::kCuda ? createCudaBackend(0) : createCpuBackend({options.threads, CpuIsa::kBest});
    if (!attempt.backend) {
        return fail(ErrorCode::kUnsupported, "no {} backend: {}", options.device == Device::kCuda ? "CUDA" : "CPU",
                    attempt.whyNot);
    }
    return std::move(attempt.backend);
}

}  // namespace pal
