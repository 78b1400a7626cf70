// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringView>
#include <cstdint>
#include <vector>

namespace pal::desktop {

// What a language's words and delimiters are; code_languages.cpp has the table, and a new language is an entry there.
struct CodeLanguage {
    enum class Form : uint8_t {
        kCode,
        kMarkup,  // <tag name="value">
        kDiff,    // by the first character of a line
        kKeys,    // "key: value", "key = value": what stands before the sign is a name
    };
    QStringView names;  // as in a fence, separated by blanks, in lower case
    Form form = Form::kCode;
    QStringView keywords;      // separated by blanks, in order of their code units
    QStringView lineComments;  // separated by blanks
    QStringView blockOpen, blockClose;
    QStringView quotes;      // each character begins and ends a string on a line
    QStringView longQuotes;  // each three times, or a single backtick, begins and ends a string over lines
    bool foldCase = false;   // keywords in any case
};

enum class CodeTokenKind : uint8_t { kKeyword, kString, kNumber, kComment, kName };
// A run of code in UTF-16 code units; what is in no token is plain.
struct CodeToken {
    int begin = 0, end = 0;
    CodeTokenKind kind = CodeTokenKind::kKeyword;
    friend bool operator==(const CodeToken&, const CodeToken&) = default;
};
// What a line begins in: nothing (null), or a comment or string over lines that ends with `quote`.
struct HighlightState {
    enum class Inside : uint8_t { kNothing, kComment, kString };
    Inside inside = Inside::kNothing;
    QChar quote;
    friend bool operator==(const HighlightState&, const HighlightState&) = default;
};

// By a fence's word ("c++", "Python"); null: not known, the code is plain.
[[nodiscard]] const CodeLanguage* codeLanguage(QStringView name);

// The tokens of whole lines of code, in order. `state` is what they begin in and becomes what the next begins in. Linear; any thread.
[[nodiscard]] std::vector<CodeToken> highlightCode(QStringView code, const CodeLanguage& language,
                                                   HighlightState& state);

}  // namespace pal::desktop
