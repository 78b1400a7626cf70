// SPDX-License-Identifier: Apache-2.0
#include "app/cli/device_list.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "app/cli/command.h"
#include "app/cli/format.h"
#include "app/cli/print_json.h"
#include "engine/api/gpu_memory.h"

namespace pal::cli {
namespace {

// "Intel(R) Xeon(R) Processor"; empty where the system does not say.
std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        const size_t name = line.find_first_not_of(" \t", line.find(':') + 1);
        return name == std::string::npos ? "" : line.substr(name);
    }
    return "";
}

}  // namespace

int listDevices(Terminal& terminal, ListLayout layout) {
    const std::string processor = processorName();
    const unsigned threads = std::thread::hardware_concurrency();
    const auto gpu = gpuMemory(GpuRates::kAsKnown);
    if (layout == ListLayout::kText) {
        terminal.outLine("cpu   {}{}{} threads", processor, processor.empty() ? "" : ", ", threads);
        if (gpu) {
            terminal.outLine("cuda  {}, {} of {} free", gpu->name, formatBytes(gpu->freeBytes),
                             formatBytes(gpu->bytes));
        } else {
            terminal.outLine("cuda  not usable: {}", gpu.error().message);
        }
        return kExitOk;
    }
    nlohmann::ordered_json cuda{{"device", "cuda"}, {"usable", gpu.has_value()}};
    if (gpu) {
        cuda.update({{"name", gpu->name}, {"bytes", gpu->bytes}, {"free_bytes", gpu->freeBytes}});
    } else {
        cuda["reason"] = gpu.error().message;
    }
    const nlohmann::ordered_json cpu{{"device", "cpu"}, {"usable", true}, {"name", processor}, {"threads", threads}};
    printJson(terminal, nlohmann::ordered_json::array({cpu, cuda}));
    return kExitOk;
}

}  // namespace pal::cli
