// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>

namespace pal {

// Bytes of RAM that can be taken now without pushing anything out but file pages, less a little for everybody else; within the limit of the control
// group where there is one. 0: not known.
[[nodiscard]] uint64_t availableRam();

// The parts of it: "MemAvailable:" of /proc/meminfo, and a control group's memory.max less the "anon" of its memory.stat; 0 when they do not say.
[[nodiscard]] uint64_t availableOfMachine(std::istream& meminfo);
[[nodiscard]] uint64_t availableOfGroup(std::istream& limit, std::istream& statistics);

}  // namespace pal
