// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/text_intake.h"

#include <utility>

namespace pal::desktop {
namespace {

struct Sequence {
    size_t length = 0;       // bytes of a valid character; 0: there is none
    bool mayFollow = false;  // none yet, but more bytes could make one
};

// Table 3-7 of the Unicode Standard: what may stand behind each first byte.
Sequence sequenceAt(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {1, false};
    const size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                          : first >= 0xE0 && first <= 0xEF ? 3
                          : first >= 0xF0 && first <= 0xF4 ? 4
                                                           : 0;
    if (length == 0) return {};
    for (size_t i = 1; i < length; ++i) {
        if (i == text.size()) return {0, true};
        unsigned char low = 0x80, high = 0xBF;
        if (i == 1 && first == 0xE0) low = 0xA0;
        if (i == 1 && first == 0xED) high = 0x9F;
        if (i == 1 && first == 0xF0) low = 0x90;
        if (i == 1 && first == 0xF4) high = 0x8F;
        if (byte(i) < low || byte(i) > high) return {};
    }
    return {length, false};
}

}  // namespace

std::string TextIntake::take(std::string_view bytes) {
    const std::string text = std::exchange(pending_, {}).append(bytes);
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const std::string_view rest = std::string_view(text).substr(at);
        if (rest[0] == '\r' && rest.size() == 1) {
            pending_ = rest;
            break;
        }
        const Sequence sequence = sequenceAt(rest);
        if (sequence.mayFollow) {
            pending_ = rest;
            break;
        }
        if (rest[0] == '\r') {
            if (rest[1] != '\n') out += '\n';
        } else if (sequence.length == 0 || rest[0] == '\0') {
            out += "\uFFFD";
        } else {
            out.append(rest, 0, sequence.length);
        }
        at += sequence.length == 0 ? 1 : sequence.length;
    }
    return out;
}

}  // namespace pal::desktop
