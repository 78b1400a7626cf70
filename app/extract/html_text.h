// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace pal::extract {

enum class LinkTargets {
    kAll,       // except places in the same page
    kExternal,  // only those with a scheme: inside a book, links to other chapters say nothing
};

struct HtmlText {
    std::string text;  // Markdown
    std::string title;
    std::string firstHeading;
    std::vector<std::string> pictures;  // their addresses as written, in reading order
    size_t characters = 0;              // letters, digits and the like outside of "[picture: ...]"
};

// What a browser shows of a page: no scripts, styles, templates or hidden elements. Tables that only arrange other tables are not
// written as tables. `html` is UTF-8. Errors: kFormat for elements nested too deep, kOutOfMemory above maxBytes of text.
Result<HtmlText> htmlToText(std::string_view html, LinkTargets links, uint64_t maxBytes);

}  // namespace pal::extract
