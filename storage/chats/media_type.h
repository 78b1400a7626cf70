// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pal {

// "image/png" after the name's ending; "application/octet-stream" for others. Only a label: what a file is, its reader decides by its bytes.
[[nodiscard]] std::string mediaTypeFor(std::string_view name);

}  // namespace pal
