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
    constexpr std::string_view kEllipsis = "\u2026";
    size_t cut = kBytes - kEllipsis.size();
    while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0) == 0x80) --cut;  // not inside a character
    // Where words are parted by spaces, not inside a word; elsewhere a space far before says nothing about the end.
    if (const size_t space = line.find_last_of(' ', cut); space != std::string_view::npos && space > cut / 2)
        cut = line.find_last_not_of(' ', space) + 1;
    // A sentence's end before the ellipsis looks like a mistake. Nothing but marks stays as it is.
    const size_t word = line.substr(0, cut).find_last_not_of(".,;:!?- ");
    if (word != std::string_view::npos) cut = word + 1;
    return std::string(line.substr(0, cut)).append(kEllipsis);
}

}  // namespace pal
