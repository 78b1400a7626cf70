// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pal::desktop {

// A piece of text that means something to the caller, such as a mark that cites a page.
struct PatternMatch {
    size_t begin = 0, end = 0;  // bytes of the text
    QString target;             // told back when the piece is activated
};
// Finds all such pieces of a UTF-8 text, in order and apart from each other. Must depend on the text alone. Matches inside code stay text.
using InlinePattern = std::function<std::vector<PatternMatch>(std::string_view text)>;

// What was taken out of a text before Markdown could misread it.
struct Cut {
    enum class Kind { kVerbatim, kInlineMath, kDisplayMath, kCitation };
    Kind kind = Kind::kVerbatim;
    std::string source;  // as it was written
    QString target;      // of a citation
};

// Markdown with its cuts: each is one character from kFirstCut on (Supplementary Private Use Area-A), which Markdown takes for a letter.
struct CutText {
    std::string text;
    std::vector<Cut> cuts;
};
constexpr char32_t kFirstCut = 0xF0000;
constexpr size_t kMaxCuts = 0xFFFE;  // of one text; what lies behind them stays as it is

// Takes out of `markdown`, which is valid UTF-8: LaTeX between $..$ (by Pandoc's rule: no space inside the dollars, no digit behind, so that
// prices are no formulas), $$..$$, \(..\) and \[..\]; what `pattern` finds; the bracket of "[label]: address", so that references and
// footnotes are shown where they are written; table rows of more than 64 cells, which cost a parser their square; characters of the area
// that cuts are written with. Code spans and fences are left alone. Linear time.
[[nodiscard]] CutText cutInline(std::string_view markdown, const InlinePattern& pattern);

}  // namespace pal::desktop
