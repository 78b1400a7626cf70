// SPDX-License-Identifier: Apache-2.0
#include "engine/api/gpu_memory.h"

#include "engine/exec/host_ram.h"
#include "engine/exec/runtime.h"

namespace pal {

Result<GpuMemory> gpuMemory() {
    EngineOptions options;
    options.device = Device::kCuda;
    PAL_ASSIGN(const std::unique_ptr<Backend> backend, createBackend(options));
    const BackendInfo info = backend->info();
    const uint64_t free = backend->freeBytes();
    static const MemoryRates rates = backend->measureRates();  // takes 1 GiB for a moment
    return GpuMemory{info.device, info.memoryBytes, free, availableRam(), rates.copy, rates.link};
}

}  // namespace pal
