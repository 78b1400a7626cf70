// SPDX-License-Identifier: Apache-2.0
#include "engine/api/gpu_memory.h"

#include <mutex>

#include "engine/exec/host_ram.h"
#include "engine/exec/runtime.h"

namespace pal {
namespace {

// Measured once in a process; what had no room is not known and is tried again by the next call.
MemoryRates ratesOf(Backend& backend, GpuRates rates) {
    static std::mutex mutex;
    static MemoryRates known;
    const std::lock_guard lock(mutex);
    if (rates == GpuRates::kAsKnown || (known.copy > 0 && known.link > 0)) return known;
    const MemoryRates now = backend.measureRates();  // takes 1 GiB for a moment
    if (now.copy > 0) known.copy = now.copy;
    if (now.link > 0) known.link = now.link;
    return known;
}

}  // namespace

Result<GpuMemory> gpuMemory(GpuRates wanted) {
    EngineOptions options;
    options.device = Device::kCuda;
    PAL_ASSIGN(const std::unique_ptr<Backend> backend, createBackend(options));
    const BackendInfo info = backend->info();
    const uint64_t free = backend->freeBytes();
    const MemoryRates rates = ratesOf(*backend, wanted);
    return GpuMemory{info.device, info.memoryBytes, free, availableRam(), rates.copy, rates.link};
}

}  // namespace pal
