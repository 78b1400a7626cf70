// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/runtime.h"

#include <algorithm>

#include "engine/exec/host_ram.h"
#include "engine/model/gpu_sizes.h"

namespace pal {
namespace {

// More tokens in one step make nothing faster, only its working memory larger.
constexpr int64_t kMaxChunkTokens = 65536;

}  // namespace

Result<std::unique_ptr<Runtime>> Runtime::create(BoundModel model, std::unique_ptr<Backend> backend,
                                                 const LoadWatch& watch, const GpuPlan& plan) {
    std::unique_ptr<Runtime> runtime(new Runtime(std::move(model), std::move(backend)));
    PAL_ASSIGN(runtime->weights_, importWeights(runtime->model_, *runtime->backend_, watch, plan.inRam));
    return runtime;
}

Result<GpuPlan> planFor(const BoundModel& model, const EngineOptions& options, Backend& backend,
                        const MemoryRates& rates) {
    if (options.device != Device::kCuda) return GpuPlan{};
    GpuPlanRequest request;
    request.memory.freeBytes = backend.freeBytes();
    if (options.gpuBytes != 0) request.memory.freeBytes = std::min(options.gpuBytes, request.memory.freeBytes);
    request.memory.ramBytes = availableRam();
    request.memory.copyRate = rates.copy;
    request.memory.linkRate = rates.link;
    request.contextTokens = static_cast<uint64_t>(options.contextTokens);
    if (request.contextTokens == 0)
        request.contextTokens = std::min(kPlannedContext, static_cast<uint64_t>(model.plan.config.text.contextLimit));
    request.chunkTokens = static_cast<uint64_t>(options.chunkTokens);
    request.latents = options.latents;
    request.ramLayers = options.ramLayers;
    return planGpu(gpuPlanSizes(model.plan, model.store), request);
}

StateLayout Runtime::stateLayout(DType latent) const {
    const TextConfig& c = config().text;
    StateLayout layout;
    layout.kdaLayers = plan().kdaLayers;
    layout.heads = c.kda.heads;
    layout.valueDim = c.kda.headDim;
    layout.keyDim = c.kda.headDim;
    layout.tailRows = c.kda.convWidth - 1;
    layout.tail = backend_->info().activation;
    layout.mlaLayers = plan().mlaLayers;
    layout.latentRank = c.mla.kvLoraRank;
    layout.latentRope = c.mla.qkRopeHeadDim;
    layout.latent = latent;
    return layout;
}

Result<EngineOptions> completeOptions(EngineOptions options, const TextConfig& config) {
    if (options.contextTokens == 0) options.contextTokens = config.contextLimit;
    if (options.contextTokens < 1 || options.contextTokens > config.contextLimit) {
        return fail(ErrorCode::kInvalidArgument, "a context of {} tokens: the model allows 1 to {}",
                    options.contextTokens, config.contextLimit);
    }
    if (options.chunkTokens < kLatentPageTokens || options.chunkTokens > kMaxChunkTokens ||
        options.chunkTokens % kLatentPageTokens != 0) {
        return fail(ErrorCode::kInvalidArgument, "a prefill step of {} tokens: it must be a multiple of {}, at most {}",
                    options.chunkTokens, kLatentPageTokens, kMaxChunkTokens);
    }
    return options;
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
