// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/markdown_lines.h"

#include <algorithm>

namespace pal::desktop {
namespace {

constexpr auto kNone = std::string_view::npos;

size_t indentOf(std::string_view line) {
    size_t columns = 0;
    for (const char c : line) {
        if (c == ' ') {
            ++columns;
        } else if (c == '\t') {
            columns = columns / 4 * 4 + 4;
        } else {
            break;
        }
    }
    return columns;
}

std::string_view withoutIndent(std::string_view line) {
    const size_t at = line.find_first_not_of(" \t");
    return at == kNone ? std::string_view() : line.substr(at);
}

// Length of a list marker at the front, without the space behind it; 0: none.
size_t markerLength(std::string_view rest) {
    size_t length = 0;
    if (rest.empty()) return 0;
    if (rest[0] == '-' || rest[0] == '+' || rest[0] == '*') {
        length = 1;
    } else {
        while (length < rest.size() && rest[length] >= '0' && rest[length] <= '9') ++length;
        if (length == 0 || length >= rest.size() || (rest[length] != '.' && rest[length] != ')')) return 0;
        ++length;
    }
    return length == rest.size() || rest[length] == ' ' || rest[length] == '\t' ? length : 0;
}

std::string_view withoutMarkers(std::string_view rest) {
    for (size_t length = markerLength(rest); length > 0; length = markerLength(rest))
        rest = withoutIndent(rest.substr(length));
    return rest;
}

bool looksLikeFence(std::string_view rest) {
    return rest.starts_with("```") || rest.starts_with("~~~");
}

}  // namespace

std::optional<Fence> openingFence(std::string_view line) {
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view rest = line.substr(indent);
    if (indent > 3 || !looksLikeFence(rest)) return std::nullopt;
    Fence fence;
    fence.mark = rest[0];
    fence.indent = indent;
    fence.length = std::min(rest.find_first_not_of(fence.mark), rest.size());
    std::string_view info = withoutIndent(rest.substr(fence.length));
    if (fence.mark == '`' && info.find('`') != kNone) return std::nullopt;
    fence.language = info.substr(0, info.find_first_of(" \t"));
    return fence;
}

bool closesFence(const Fence& fence, std::string_view line) {
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    if (indent > 3) return false;
    const std::string_view rest = line.substr(indent);
    const size_t length = std::min(rest.find_first_not_of(fence.mark), rest.size());
    return length >= fence.length && rest.find_first_not_of(" \t", length) == kNone;
}

void LineScanner::noteMarker(std::string_view rest, size_t indent, bool first) {
    const size_t length = markerLength(rest);
    const std::string_view behind = rest.substr(length);
    const size_t spaces = std::min(behind.find_first_not_of(' '), behind.size());
    const bool rule = rest.find_first_not_of("-*_ \t") == kNone;
    const bool mayBeText = !list_ && !first && !afterBlank_;  // inside a paragraph
    if (mayBeText || rule || behind.empty() || spaces == behind.size() || behind.find('\t') != kNone) doubtful_ = true;
    list_ = true;
    itemIndent_ = indent + length + (spaces >= 1 && spaces <= 4 ? spaces : 1);
}

LineScanner::Step LineScanner::step(std::string_view line, Place place) {
    const std::string_view rest = withoutIndent(line);
    if (rest.empty()) {
        afterBlank_ = true;
        return Step::kGoesOn;
    }
    const size_t indent = indentOf(line);
    const bool marker = markerLength(rest) > 0;
    if (nested_) {  // md4c lets code inside an item end with a fence that stands left of the item
        const bool closes = closesFence(*nested_, rest);
        if (closes || indent < itemIndent_) nested_.reset();
        if (closes) {
            afterBlank_ = false;
            return Step::kGoesOn;
        }
    }
    if (!nested_ && (marker || (list_ && indent >= itemIndent_))) nested_ = openingFence(withoutMarkers(rest));
    if (!blocked_ && indent <= 3 && openingFence(line)) {
        if (!list_ || indent == 0 || (indent < itemIndent_ && !doubtful_)) return Step::kFenceBefore;
        if (doubtful_) blocked_ = true;
    }
    // md4c takes some fences that stand too far right for the standard.
    const size_t own = list_ && indent >= itemIndent_ ? indent - itemIndent_ : indent;
    const bool tabs = line.substr(0, line.size() - rest.size()).find('\t') != kNone;
    if (looksLikeFence(rest) && (own > 3 || tabs)) blocked_ = true;
    const bool ends = indent == 0 && !place.first && !blocked_;
    if (ends && afterBlank_ && !(list_ && marker)) return Step::kCutBefore;
    if (ends && place.mayShorten && list_ && marker) return Step::kCutBefore;
    // A heading, a rule or a quote ends a list without a blank line.
    if (list_ && indent < itemIndent_ && !marker) doubtful_ = true;
    if (marker && indent <= 3 && (!list_ || indent < itemIndent_)) noteMarker(rest, indent, place.first);
    afterBlank_ = false;
    return Step::kGoesOn;
}

}  // namespace pal::desktop
