// SPDX-License-Identifier: Apache-2.0
#include "engine/text/python_text.h"

#include <cstddef>
#include <cstdint>

#include "engine/text/unicode_class.h"
#include "engine/text/utf8.h"

namespace pal {

bool isBlank(std::string_view text) {
    for (size_t i = 0; i < text.size();) {
        const utf8::Step step = utf8::decode(text, i);
        const bool isSpace =
            step.status == utf8::Status::kValid && (unicode::classOf(step.codePoint) & unicode::kPythonSpace) != 0;
        if (!isSpace) return false;
        i += step.length;
    }
    return true;
}

}  // namespace pal
