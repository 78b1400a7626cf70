// SPDX-License-Identifier: Apache-2.0
#include "engine/base/check.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace pal::detail {

void checkFailed(const char* condition, const char* file, int line) {
    const std::string text = std::string(file) + ":" + std::to_string(line) + ": check failed: " + condition + "\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
    std::abort();
}

}  // namespace pal::detail
