// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/support/sanitizer.h"

namespace pal::test {

// By how many kilobytes `work` raises the peak of resident memory, in a process of its own, so that nothing before it counts; -1 when it
// fails or returns false.
inline long peakGrowthKilobytes(const std::function<bool()>& work) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    const pid_t child = fork();
    if (child == 0) {
        rusage before{}, after{};
        getrusage(RUSAGE_SELF, &before);
        long growth = -1;
        if (work()) {
            getrusage(RUSAGE_SELF, &after);
            growth = after.ru_maxrss - before.ru_maxrss;
        }
        const auto written = write(ends[1], &growth, sizeof(growth));
        _exit(written == sizeof(growth) ? 0 : 1);
    }
    close(ends[1]);
    long growth = -1;
    if (read(ends[0], &growth, sizeof(growth)) != sizeof(growth)) growth = -1;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return growth;
}

}  // namespace pal::test
