// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <optional>

namespace pal {

// Bytes of RAM that can be taken now without pushing anything out but file pages, less a little for everybody else; within the limit that
// /sys/fs/cgroup/memory.max sets, as it does in a container. 0: not known.
[[nodiscard]] uint64_t availableRam();

// The parts of it: "MemAvailable:" of /proc/meminfo, and a control group's memory.max less the "anon" of its memory.stat; nothing when they do not say.
[[nodiscard]] std::optional<uint64_t> availableOfMachine(std::istream& meminfo);
[[nodiscard]] std::optional<uint64_t> availableOfGroup(std::istream& limit, std::istream& statistics);

}  // namespace pal
