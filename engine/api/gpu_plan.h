// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/api/engine.h"
#include "engine/api/gpu_memory.h"
#include "engine/api/model_files.h"

namespace pal {

// Sessions that room is kept for when nobody says how long they become. Longer ones take what is free then, or end with kOutOfMemory.
inline constexpr uint64_t kPlannedContext = 32768;

struct GpuPlanRequest {
    GpuMemory memory;  // what may be used, and the rates that are counted on
    uint64_t contextTokens = 0;
    uint64_t chunkTokens = 512;  // of prefill
    LatentType latents = LatentType::kFloat32;
    std::optional<int64_t> ramLayers;  // see GpuPlan; by default as few as fit
};

// What lies where when a model runs on a GPU. Routed experts that have no room stay in page-locked RAM, whole layers of them: a token's picks come over
// the link in its step, for a chunk of many tokens whole layers do, one while the layer before it is computed. Sizes in bytes.
struct GpuPlan {
    enum class Fit { kFits, kNoRoomOnGpu, kNoRoomInRam } fit = Fit::kFits;
    std::vector<bool>
        inRam;  // for each layer with experts; those in RAM are spread evenly, so that copies have something to hide behind
    int64_t ramLayers = 0;
    uint64_t weightBytes = 0;     // on the GPU: all but routed experts
    uint64_t expertBytes = 0;     // on the GPU
    uint64_t placeBytes = 0;      // on the GPU: places for layers from RAM, two when there are several
    uint64_t stateBytes = 0;      // of one session
    uint64_t latentBytes = 0;     // of its context
    uint64_t workspaceBytes = 0;  // of a chunk
    uint64_t reserveBytes = 0;    // what allocation rounds up, ops' scratch, graphs, media
    uint64_t spareBytes = 0;      // of the GPU's memory, left by all of these
    uint64_t ramBytes = 0;        // experts in RAM
    // A token of decoding at the end of the context.
    uint64_t gpuReadBytes = 0;  // of the GPU's memory; what came over the link is written and read there, too
    uint64_t linkReadBytes = 0;
    double gpuSeconds = 0, linkSeconds = 0;  // at the rates of the request; 0: not known
    // A chunk of prefill.
    uint64_t chunkLinkBytes = 0;
    double chunkLinkSeconds = 0;

    [[nodiscard]] uint64_t gpuBytes() const {
        return weightBytes + expertBytes + placeBytes + stateBytes + latentBytes + workspaceBytes + reserveBytes;
    }
    // At most, since nothing is faster than its memory; 0: not known.
    [[nodiscard]] double tokensPerSecond() const { return gpuSeconds > 0 ? 1 / (gpuSeconds + linkSeconds) : 0; }
};

// From a model's sizes alone. Errors, with the numbers: kOutOfMemory when the GPU has no room even without routed experts, or with as many as
// `ramLayers` leaves it, or when RAM has none for the rest; kInvalidArgument for more layers than there are. A wish has no kOutOfMemory: it says what would be needed.
[[nodiscard]] Result<GpuPlan> planGpu(const GpuPlanSizes& sizes, const GpuPlanRequest& request);
[[nodiscard]] Result<GpuPlan> wishedGpuPlan(const GpuPlanSizes& sizes, const GpuPlanRequest& request);

}  // namespace pal
