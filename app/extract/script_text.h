// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

// Raised and lowered text, as TeX writes it: "10^{6}", "H_{2}O". Without a mark 10 to the sixth would read 106.
namespace pal::extract {

enum class Script { kNone, kRaised, kLowered };

// What stands before the text; "}" stands behind it.
inline std::string_view scriptMark(Script script) {
    return script == Script::kRaised ? "^{" : "_{";
}

// Whether a text needs a mark: not where it is blank, nor for raised letters that mean the same on the line ("1st", "Mme").
inline bool needsMark(Script script, std::string_view text) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (script == Script::kNone || text.find_first_not_of(" \t\r\n") == std::string_view::npos) return false;
    return script == Script::kLowered || text.size() < 2 || !std::all_of(text.begin(), text.end(), isLetter);
}

}  // namespace pal::extract
