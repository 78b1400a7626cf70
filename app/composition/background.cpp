// SPDX-License-Identifier: Apache-2.0
#include "app/composition/background.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace pal {

// On Linux a nice value belongs to a thread, is inherited by what the thread starts, and is not taken back without a privilege.
void stepBack() {
    constexpr int kSteps = 5;  // a quarter of a core's time beside a thread that wants all of it
    const int first = getpriority(PRIO_PROCESS, static_cast<id_t>(getpid()));
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), std::min(first + kSteps, 19));
}

}  // namespace pal
