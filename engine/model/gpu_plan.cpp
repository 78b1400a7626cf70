// SPDX-License-Identifier: Apache-2.0
#include "engine/api/gpu_plan.h"

#include <algorithm>
#include <numeric>

#include "engine/base/format_bytes.h"

namespace pal {
namespace {

// Ops' scratch, loaded kernels, captured graphs, embeddings of media.
constexpr uint64_t kReserve = 768ULL << 20;
// Weights are padded and share blocks.
constexpr uint64_t kRoundedUpShare = 64;

// `ram` of `all` layers, evenly spread.
std::vector<bool> spread(size_t all, size_t ram) {
    std::vector<bool> out;
    for (size_t i = 0; i < all; ++i) out.push_back((i + 1) * ram / all > i * ram / all);
    return out;
}

class Planner {
  public:
    Planner(const GpuPlanSizes& sizes, const GpuPlanRequest& request) : sizes_(sizes), request_(request) {}

    [[nodiscard]] GpuPlan with(size_t ramLayers) const {
        GpuPlan out;
        out.inRam = spread(sizes_.expertLayers.size(), ramLayers);
        out.ramLayers = static_cast<int64_t>(ramLayers);
        out.weightBytes = sizes_.weightBytes;
        uint64_t largest = 0;
        for (size_t i = 0; i < out.inRam.size(); ++i) {
            const uint64_t layer = sizes_.expertLayers[i];
            (out.inRam[i] ? out.ramBytes : out.expertBytes) += layer;
            if (out.inRam[i]) largest = std::max(largest, layer);
        }
        out.placeBytes = std::min<uint64_t>(ramLayers, 2) * largest;
        out.stateBytes = sizes_.stateBytes;
        const uint64_t number = request_.latents == LatentType::kBFloat16 ? 2 : 4;
        out.latentBytes = sizes_.latentNumbersPerToken * number * request_.contextTokens;
        const uint64_t chunk = std::min(request_.chunkTokens, std::max<uint64_t>(request_.contextTokens, 1));
        out.workspaceBytes = sizes_.workspaceBytes + chunk * sizes_.workspaceBytesPerToken;
        out.reserveBytes = kReserve + (out.weightBytes + out.expertBytes) / kRoundedUpShare;
        predict(chunk, out);
        const GpuMemory& memory = request_.memory;
        if (out.gpuBytes() > memory.freeBytes) {
            out.fit = GpuPlan::Fit::kNoRoomOnGpu;
            return out;
        }
        out.spareBytes = memory.freeBytes - out.gpuBytes();
        if (memory.ramBytes != 0 && out.ramBytes > memory.ramBytes) {
            out.fit = GpuPlan::Fit::kNoRoomInRam;
        }
        return out;
    }

    [[nodiscard]] Result<> check(const GpuPlan& plan) const {
        const auto size = [](uint64_t bytes) { return formatBytes(bytes); };
        if (plan.fit == GpuPlan::Fit::kNoRoomOnGpu) {
            return fail(ErrorCode::kOutOfMemory,
                        "the GPU has room for {}, {} less than what is needed with the experts of {} of {} layers in "
                        "RAM: {} of weights, {} of experts, {} for layers from RAM, {} of state, {} of latents for {} "
                        "tokens, {} to work in, {} in reserve",
                        size(request_.memory.freeBytes), size(plan.gpuBytes() - request_.memory.freeBytes),
                        plan.ramLayers, plan.inRam.size(), size(plan.weightBytes), size(plan.expertBytes),
                        size(plan.placeBytes), size(plan.stateBytes), size(plan.latentBytes), request_.contextTokens,
                        size(plan.workspaceBytes), size(plan.reserveBytes));
        }
        if (plan.fit == GpuPlan::Fit::kNoRoomInRam) {
            return fail(ErrorCode::kOutOfMemory,
                        "the experts of {} of {} layers, {}, do not fit on the GPU ({}) and RAM has room for {}",
                        plan.ramLayers, plan.inRam.size(), size(plan.ramBytes), size(request_.memory.freeBytes),
                        size(request_.memory.ramBytes));
        }
        return {};
    }

  private:
    void predict(uint64_t chunk, GpuPlan& out) const {
        const auto picked = [&](uint64_t bytes) {
            return sizes_.experts == 0
                       ? 0
                       : bytes / static_cast<uint64_t>(sizes_.experts) * static_cast<uint64_t>(sizes_.expertsPerToken);
        };
        for (size_t i = 0; i < out.inRam.size(); ++i)
            (out.inRam[i] ? out.linkReadBytes : out.gpuReadBytes) += picked(sizes_.expertLayers[i]);
        out.gpuReadBytes += sizes_.weightReadBytes + 2 * out.stateBytes + out.latentBytes + 2 * out.linkReadBytes;
        out.chunkLinkBytes = chunk > 1 ? out.ramBytes : out.linkReadBytes;
        if (request_.memory.copyRate > 0)
            out.gpuSeconds = static_cast<double>(out.gpuReadBytes) / request_.memory.copyRate;
        if (request_.memory.linkRate > 0) {
            out.linkSeconds = static_cast<double>(out.linkReadBytes) / request_.memory.linkRate;
            out.chunkLinkSeconds = static_cast<double>(out.chunkLinkBytes) / request_.memory.linkRate;
        }
    }

    const GpuPlanSizes& sizes_;
    const GpuPlanRequest& request_;
};

}  // namespace

Result<GpuPlan> wishedGpuPlan(const GpuPlanSizes& sizes, const GpuPlanRequest& request) {
    const Planner planner(sizes, request);
    const size_t layers = sizes.expertLayers.size();
    if (request.ramLayers && (*request.ramLayers < 0 || static_cast<size_t>(*request.ramLayers) > layers)) {
        return fail(ErrorCode::kInvalidArgument, "experts of {} layers in RAM: the model has {} layers with experts",
                    *request.ramLayers, layers);
    }
    size_t ram = static_cast<size_t>(request.ramLayers.value_or(0));
    GpuPlan plan = planner.with(ram);
    while (!request.ramLayers && plan.fit == GpuPlan::Fit::kNoRoomOnGpu && ram < layers) plan = planner.with(++ram);
    return plan;
}

Result<GpuPlan> planGpu(const GpuPlanSizes& sizes, const GpuPlanRequest& request) {
    PAL_ASSIGN(GpuPlan plan, wishedGpuPlan(sizes, request));
    PAL_TRY(Planner(sizes, request).check(plan));
    return plan;
}

}  // namespace pal
