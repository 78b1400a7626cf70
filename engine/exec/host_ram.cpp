// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/host_ram.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace pal {
namespace {

constexpr uint64_t kForOthers = 1ULL << 30;

}  // namespace

std::optional<uint64_t> availableOfMachine(std::istream& meminfo) {
    std::string key;
    std::string unit;
    uint64_t kibibytes = 0;
    while (meminfo >> key >> kibibytes && std::getline(meminfo, unit)) {
        if (key == "MemAvailable:") return kibibytes << 10;
    }
    return std::nullopt;
}

std::optional<uint64_t> availableOfGroup(std::istream& limit, std::istream& statistics) {
    uint64_t most = 0;
    if (!(limit >> most)) return std::nullopt;  // "max": no limit
    std::string key;
    uint64_t bytes = 0;
    while (statistics >> key >> bytes) {
        if (key == "anon") return most - std::min(bytes, most);
    }
    return most;
}

uint64_t availableRam() {
    std::ifstream meminfo("/proc/meminfo");
    std::ifstream limit("/sys/fs/cgroup/memory.max");
    std::ifstream statistics("/sys/fs/cgroup/memory.stat");
    const std::optional<uint64_t> machine = availableOfMachine(meminfo);
    const std::optional<uint64_t> group = availableOfGroup(limit, statistics);
    if (!machine && !group) return 0;
    const uint64_t available = std::min(machine.value_or(UINT64_MAX), group.value_or(UINT64_MAX));
    return available > kForOthers ? available - kForOthers : std::max<uint64_t>(available / 2, 1);
}

}  // namespace pal
