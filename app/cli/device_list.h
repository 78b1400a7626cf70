// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/terminal.h"

namespace pal::cli {

// Prints what --device can be on this machine, a device that is not there with the reason; returns the exit code. Takes as long as the GPU's driver to start.
enum class ListLayout { kText, kJson };
int listDevices(Terminal& terminal, ListLayout layout);

}  // namespace pal::cli
