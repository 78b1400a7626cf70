// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/api/engine.h"
#include "engine/api/model_files.h"

namespace pal::desktop {

// What loading a model takes of a device's memory, before it is loaded.
struct LoadPlan {
    enum class Part { kWeights, kExperts, kLatents, kState, kWorkspace };
    struct Entry {
        Part part = Part::kWeights;
        uint64_t bytes = 0;
    };
    std::vector<Entry> entries;  // without empty ones
    int64_t contextTokens = 0;
    uint64_t memoryBytes = 0;  // of the device; 0: not known
    uint64_t freeBytes = 0;    // of that, now; of a GPU all, since what is loaded onto it goes first

    [[nodiscard]] uint64_t bytes() const;
    // Whether it fits into what is free; nothing when that is not known. On a CPU weights are read from files as they are needed, so that
    // a model that does not fit runs at the disk's speed; elsewhere it does not run.
    [[nodiscard]] std::optional<bool> fits() const;
};

// `summary` was made for the context that is planned for; its latents are float32, `latents` is what the engine will keep.
[[nodiscard]] LoadPlan loadPlan(const ModelSummary& summary, LatentType latents);

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
    // "172 MB of 24 GB free: fits"
    [[nodiscard]] static QString verdict(const LoadPlan& plan, Device device);
};

}  // namespace pal::desktop
