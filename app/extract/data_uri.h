// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pal::extract {

struct DataUri {
    std::string subtype;  // "png" of image/png; letters and digits only
    std::vector<uint8_t> bytes;
};

// The picture in an address such as data:image/png;base64,iVBORw0KGgo... (RFC 2397, RFC 4648). Nothing for other addresses, other types,
// and texts that are no base64; white space inside is skipped.
std::optional<DataUri> readDataUri(std::string_view address);

}  // namespace pal::extract
