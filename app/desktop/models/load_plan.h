// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/api/engine.h"
#include "engine/api/gpu_memory.h"
#include "engine/api/model_files.h"

namespace pal::desktop {

// What loading a model takes of a device's memory, before it is loaded.
struct LoadPlan {
    enum class Part { kWeights, kExperts, kPlaces, kLatents, kState, kWorkspace };
    struct Entry {
        Part part = Part::kWeights;
        uint64_t bytes = 0;
    };
    std::vector<Entry> entries;  // without empty ones
    int64_t contextTokens = 0;
    uint64_t memoryBytes = 0;  // of the device; 0: not known
    uint64_t freeBytes = 0;    // of that, once what is loaded is gone
    // Of a GPU: layers whose experts stay in RAM (engine/api/gpu_plan.h), of so many; what they take there; the most tokens per second, 0: not known.
    int64_t ramLayers = 0;
    int64_t expertLayers = 0;
    uint64_t ramBytes = 0;
    uint64_t ramFreeBytes = 0;  // of RAM, for these; 0: not known
    double tokensPerSecond = 0;

    [[nodiscard]] uint64_t bytes() const;
    // Whether it fits into what is free; nothing when that is not known. On a CPU weights are read from files as they are needed, so that
    // a model that does not fit runs at the disk's speed; elsewhere it does not run.
    [[nodiscard]] std::optional<bool> fits() const;
};

// `summary` was made for the context that is planned for; its latents are float32, `latents` is what the engine will keep.
[[nodiscard]] LoadPlan loadPlan(const ModelSummary& summary, LatentType latents);

// The same on a GPU, where bfloat16 halves activations and experts may stay in RAM; of `gpu`, free is what is so once the loaded model is gone. What has no
// room is told by fits(). Errors: those of wishedGpuPlan().
[[nodiscard]] Result<LoadPlan> gpuLoadPlan(const ModelSummary& summary, const EngineOptions& options,
                                           const GpuMemory& gpu);

// Memory of this machine as /proc/meminfo says; zeros when it does not.
struct MachineMemory {
    uint64_t total = 0;
    uint64_t available = 0;
};
[[nodiscard]] MachineMemory machineMemory();

class LoadPlanText {
    Q_DECLARE_TR_FUNCTIONS(pal::desktop::LoadPlanText)

  public:
    [[nodiscard]] static QString name(LoadPlan::Part part);
    // "172 MB needed, 24 GB free: fits". A plan for a GPU is one of gpuLoadPlan().
    [[nodiscard]] static QString verdict(const LoadPlan& plan, Device device);

  private:
    [[nodiscard]] static QString gpuVerdict(const LoadPlan& plan);
};

}  // namespace pal::desktop
