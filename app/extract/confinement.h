// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pal::extract {

struct ConfinementLimits {
    uint64_t memoryBytes = 0;  // of address space, besides what is mapped now
    uint64_t cpuSeconds = 0;
};

// Gives up, for good, what reading a document does not need: a share of memory and processor time, core dumps, file writes, new programs
// and processes, signals to others, their memory and their share of the machine, memory, queues and locks shared with them, and every kind
// of network (seccomp; refused calls fail with EACCES, those newer than Linux 6.4 with ENOSYS). The process ends when its parent does.
// Not given up: every file that the user may read may be opened for reading (poppler reads fonts and character maps), and devices among
// them take ioctls other than typing into a terminal. Returns what could not be given up, a sentence each; the system decides what it offers.
std::vector<std::string> confine(const ConfinementLimits& limits);

}  // namespace pal::extract
