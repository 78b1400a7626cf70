// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/host_ram.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace pal {
namespace {

constexpr uint64_t kForOthers = 1ULL << 30;

}  // namespace

uint64_t availableOfMachine(std::istream& meminfo) {
    std::string key;
    std::string unit;
    uint64_t kibibytes = 0;
    while (meminfo >> key >> kibibytes && std::getline(meminfo, unit)) {
        if (key == "MemAvailable:") return kibibytes << 10;
    }
    return 0;
}

uint64_t availableOfGroup(std::istream& limit, std::istream& statistics) {
    uint64_t most = 0;
    if (!(limit >> most)) return 0;  // "max": no limit
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
    uint64_t available = availableOfMachine(meminfo);
    const uint64_t group = availableOfGroup(limit, statistics);
    if (group != 0) available = available == 0 ? group : std::min(available, group);
    return available > kForOthers ? available - kForOthers : available / 2;
}

}  // namespace pal
