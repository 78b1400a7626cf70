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
// and processes, other processes' memory, and every kind of network (seccomp; refused calls fail with EACCES). Files may still be opened
// for reading: poppler reads fonts and character maps. The process ends when its parent does. Returns what could not be
// given up, a sentence each; the system decides what it offers.
std::vector<std::string> confine(const ConfinementLimits& limits);

}  // namespace pal::extract
