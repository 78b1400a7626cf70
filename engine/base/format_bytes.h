// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace pal {

// "414.0 MiB", "1.42 TiB", "27 B": binary units, two decimals below ten, else one.
[[nodiscard]] std::string formatBytes(uint64_t bytes);

}  // namespace pal
