// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace pal::desktop {

inline const std::vector<const char*> kMarkdownPieces = {
    "word ",
    "two words ",
    "**bold** ",
    "*it* ",
    "~~gone~~ ",
    "`code $x$` ",
    "``a ` b`` ",
    "[a link](https://example.org/x) ",
    "<https://a.b> ",
    "https://example.org/path ",
    "$x^2$ ",
    "$5 and $10 ",
    "\\(a_b\\) ",
    "\\[\nx = y\n\\]\n",
    "$$e^{i\\pi}$$",
    "[file 1, page 2] ",
    "![alt](pic.png) ",
    "\n",
    "\n",
    "\n\n",
    "\n\n",
    "\n\n",
    "# Heading\n",
    "### Third\n\n",
    "- item\n",
    "- item\n\n",
    "  - nested\n",
    "    deep\n",
    "1. one\n",
    "2) two\n\n",
    "- [ ] task\n",
    "- [x] done\n",
    "> quote\n",
    "> > inner\n",
    ">\n",
    "```py\nprint(1)\n\nx = 2\n```\n",
    "```\n",
    "~~~\n",
    "   ```c\n",
    "  ```\n",
    "\n---\n",
    "***\n",
    "===\n",
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n\n",
    "a | b\n",
    "    indented\n",
    "<b>html</b> ",
    "<div>\n",
    "&amp; &#955; ",
    "[1]: https://x.y\n",
    "[^1]: note\n",
    "\xE4\xBD\xA0\xE5\xA5\xBD",
    "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 ",
    "\xF0\x9F\xA7\x91\xE2\x80\x8D\xF0\x9F\x9A\x80 ",
    "\\*",
    "\t",
    "   ",
    "*",
    "_",
    "`",
    "$",
    "  \n",
    "* * *\n",
    "-\n",
    "-\tx\n",
    "\r\n",
    "\xF3\xB0\x80\x80",
    "```x``` y\n",
    "14. mid\n",
};

// Markdown as a model could write it, well formed or not: every construct of the transcript, nested, cut off and out of place.
// `leaveOut`: pieces with one of these characters do not come.
inline std::string randomMarkdown(std::mt19937& random, int pieces, std::string_view leaveOut = {}) {
    std::uniform_int_distribution<size_t> pick(0, kMarkdownPieces.size() - 1);
    std::string out;
    while (pieces > 0) {
        const std::string_view piece = kMarkdownPieces[pick(random)];
        if (piece.find_first_of(leaveOut) != std::string_view::npos) continue;
        out += piece;
        --pieces;
    }
    return out;
}

}  // namespace pal::desktop
