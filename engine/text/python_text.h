// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace pal {

// Whether Python's str.strip() would leave nothing.
[[nodiscard]] bool isBlank(std::string_view text);

}  // namespace pal
