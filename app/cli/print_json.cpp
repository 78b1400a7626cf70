// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_json.h"

#include <fmt/format.h>

namespace pal::cli {

std::string escapeControls(const std::string& json) {
    std::string out;
    out.reserve(json.size());
    for (size_t i = 0; i < json.size(); ++i) {
        const auto byte = static_cast<unsigned char>(json[i]);
        const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
        if (byte == 0x7F) {
            out += "\\u007f";
        } else if (byte == 0xC2 && next < 0xA0) {  // U+0080 to U+009F
            out += fmt::format("\\u{:04x}", next);
            ++i;
        } else {
            out += json[i];
        }
    }
    return out;
}

}  // namespace pal::cli
