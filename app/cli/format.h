// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/format_bytes.h"

namespace pal::cli {

// "1,048,576"
[[nodiscard]] std::string groupDigits(uint64_t value);
// "2.78 T", "49.1 B", "512": three significant digits with K, M, B (thousand millions) and T.
[[nodiscard]] std::string formatCount(uint64_t count);
// "850 ms", "12.3 s", "2 min 05 s", "1 h 02 min"
[[nodiscard]] std::string formatDuration(double seconds);

}  // namespace pal::cli
