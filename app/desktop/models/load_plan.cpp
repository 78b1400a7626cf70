// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/models/load_plan.h"

#include <QLocale>
#include <algorithm>
#include <fstream>
#include <string>

#include "engine/api/gpu_plan.h"

namespace pal::desktop {

uint64_t LoadPlan::bytes() const {
    uint64_t sum = 0;
    for (const Entry& entry : entries) sum += entry.bytes;
    return sum;
}

std::optional<bool> LoadPlan::fits() const {
    if (freeBytes == 0) return std::nullopt;
    return bytes() <= freeBytes && (ramFreeBytes == 0 || ramBytes <= ramFreeBytes);
}

LoadPlan loadPlan(const ModelSummary& summary, LatentType latents) {
    uint64_t experts = 0;
    for (const ModelPartSize& part : summary.parts)
        if (part.name == "routed experts") experts = part.bytes;
    uint64_t latentBytes = summary.latentBytesPerToken * summary.contextTokens;
    if (latents == LatentType::kBFloat16) latentBytes /= 2;
    LoadPlan plan;
    plan.contextTokens = static_cast<int64_t>(summary.contextTokens);
    const LoadPlan::Entry all[] = {
        {LoadPlan::Part::kWeights, summary.weightBytes - std::min(experts, summary.weightBytes)},
        {LoadPlan::Part::kExperts, experts},
        {LoadPlan::Part::kLatents, latentBytes},
        {LoadPlan::Part::kState, summary.checkpointBytes},
        {LoadPlan::Part::kWorkspace, summary.workspaceBytes},
    };
    for (const LoadPlan::Entry& entry : all)
        if (entry.bytes > 0) plan.entries.push_back(entry);
    return plan;
}

Result<LoadPlan> gpuLoadPlan(const ModelSummary& summary, const EngineOptions& options, const GpuMemory& gpu) {
    GpuPlanRequest request;
    request.memory = gpu;
    if (options.gpuBytes != 0) request.memory.freeBytes = std::min(options.gpuBytes, gpu.freeBytes);
    request.contextTokens = summary.contextTokens;
    if (options.contextTokens == 0) request.contextTokens = std::min(kPlannedContext, request.contextTokens);
    request.chunkTokens = static_cast<uint64_t>(options.chunkTokens);
    request.latents = options.latents;
    request.ramLayers = options.ramLayers;
    PAL_ASSIGN(const GpuPlan placed, wishedGpuPlan(summary.gpu, request));
    LoadPlan plan;
    plan.contextTokens = static_cast<int64_t>(request.contextTokens);
    plan.memoryBytes = gpu.bytes;
    plan.freeBytes = request.memory.freeBytes;
    plan.ramLayers = placed.ramLayers;
    plan.expertLayers = static_cast<int64_t>(placed.inRam.size());
    plan.ramBytes = placed.ramBytes;
    plan.ramFreeBytes = gpu.ramBytes;
    plan.tokensPerSecond = placed.tokensPerSecond();
    const LoadPlan::Entry all[] = {
        {LoadPlan::Part::kWeights, placed.weightBytes},
        {LoadPlan::Part::kExperts, placed.expertBytes},
        {LoadPlan::Part::kPlaces, placed.placeBytes},
        {LoadPlan::Part::kLatents, placed.latentBytes},
        {LoadPlan::Part::kState, placed.stateBytes},
        {LoadPlan::Part::kWorkspace, placed.workspaceBytes + placed.reserveBytes},
    };
    for (const LoadPlan::Entry& entry : all)
        if (entry.bytes > 0) plan.entries.push_back(entry);
    return plan;
}

MachineMemory machineMemory() {
    MachineMemory out;
    std::ifstream file("/proc/meminfo");
    for (std::string key, unit; file >> key;) {
        uint64_t kibibytes = 0;
        if (!(file >> kibibytes)) break;
        std::getline(file, unit);
        if (key == "MemTotal:") out.total = kibibytes << 10;
        if (key == "MemAvailable:") out.available = kibibytes << 10;
    }
    return out;
}

QString LoadPlanText::name(LoadPlan::Part part) {
    switch (part) {
        case LoadPlan::Part::kWeights:
            return tr("Weights");
        case LoadPlan::Part::kExperts:
            return tr("Experts");
        case LoadPlan::Part::kPlaces:
            return tr("Room for experts from RAM");
        case LoadPlan::Part::kLatents:
            return tr("Latents of the context");
        case LoadPlan::Part::kState:
            return tr("State");
        case LoadPlan::Part::kWorkspace:
            break;
    }
    return tr("Workspace");
}

namespace {

QString sizeText(uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes));
}

}  // namespace

QString LoadPlanText::verdict(const LoadPlan& plan, Device device) {
    const QString need = sizeText(plan.bytes());
    const QString free = sizeText(plan.freeBytes);
    const std::optional<bool> fits = plan.fits();
    if (!fits) return tr("%1 needed; how much this device has is known when the model is loaded").arg(need);
    if (device == Device::kCuda) return gpuVerdict(plan);
    if (*fits) return tr("%1 needed, %2 free: fits").arg(need, free);
    return tr("%1 needed, %2 free: weights will be read from the disk again and again, which is slow").arg(need, free);
}

QString LoadPlanText::gpuVerdict(const LoadPlan& plan) {
    const QLocale locale;
    const bool onGpu = plan.bytes() <= plan.freeBytes;
    const QString first = onGpu ? tr("%1 needed, %2 free: fits") : tr("%1 needed, %2 free: does not fit");
    QStringList lines{first.arg(sizeText(plan.bytes()), sizeText(plan.freeBytes))};
    lines << tr("Planned for %1 tokens of context").arg(locale.toString(qlonglong(plan.contextTokens)));
    if (plan.ramLayers > 0) {
        const QString layers = locale.toString(qlonglong(plan.ramLayers));
        const QString all = locale.toString(qlonglong(plan.expertLayers));
        lines
            << (onGpu && !*plan.fits()
                    ? tr("The experts of %1 of %2 layers, %3, do not fit in RAM, where %4 are free")
                          .arg(layers, all, sizeText(plan.ramBytes), sizeText(plan.ramFreeBytes))
                    : tr("The experts of %1 of %2 layers, %3, stay in RAM").arg(layers, all, sizeText(plan.ramBytes)));
    }
    if (*plan.fits() && plan.tokensPerSecond > 0)
        lines << tr("At most %1 tokens per second").arg(locale.toString(plan.tokensPerSecond, 'f', 0));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace pal::desktop
