// SPDX-License-Identifier: Apache-2.0
#include "app/composition/session_name.h"

namespace pal {

std::string sessionNameFrom(std::string_view question) {
    constexpr size_t kBytes = 60;
    const size_t start = question.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return "session";
    std::string_view line = question.substr(start);
    line = line.substr(0, line.find_first_of("\r\n"));
    if (line.size() <= kBytes) return std::string(line);
    size_t cut = line.find_last_of(' ', kBytes);
    if (cut == std::string_view::npos) {
        cut = kBytes;
        while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;  // not inside a character
    }
    return std::string(line.substr(0, cut));
}

}  // namespace pal
