// SPDX-License-Identifier: Apache-2.0
#include "app/compose/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace pal {
namespace {

// Takes `word` from the front of `text` without regard to ASCII case.
bool take(std::string_view& text, std::string_view word) {
    if (text.size() < word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i) {
        const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
        if (c != word[i]) return false;
    }
    text.remove_prefix(word.size());
    return true;
}

std::optional<int> takeNumber(std::string_view& text) {
    int value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value < 1) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(stop - text.data()));
    return value;
}

// "00:00:01.500", also shorter: "0:01.5".
std::optional<double> takeTime(std::string_view& text) {
    std::string_view rest = text;
    double seconds = 0;
    int parts = 0;
    do {
        const size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
        double value = 0;
        const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, value, std::chars_format::fixed);
        if (error != std::errc{} || stop != rest.data() + end) return std::nullopt;
        seconds = seconds * 60 + value;
        rest.remove_prefix(end);
        ++parts;
    } while (parts < 3 && take(rest, ":"));
    if (parts < 2 || rest.starts_with(":") || seconds > 1e6) return std::nullopt;  // a number alone is no time
    text = rest;
    return seconds;
}

// The mark that `text` begins with.
std::optional<Citation> markAt(std::string_view text, size_t attachments) {
    std::string_view rest = text;
    if (!take(rest, "[file ")) return std::nullopt;
    const auto file = takeNumber(rest);
    if (!file || static_cast<size_t>(*file) > attachments) return std::nullopt;
    Citation found;
    found.attachment = static_cast<size_t>(*file) - 1;
    if (take(rest, ", page ")) {
        const auto page = takeNumber(rest);
        if (!page) return std::nullopt;
        found.page = *page;
    } else if (std::string_view at = rest; take(at, ", ")) {
        found.seconds = takeTime(at);
        if (found.seconds) rest = at;
    }
    const size_t end = rest.find_first_of("]\n");
    if (end == std::string_view::npos || rest[end] != ']') return std::nullopt;
    if (end > 0 && rest[0] != ':' && rest[0] != ',') return std::nullopt;
    found.end = text.size() - rest.size() + end + 1;
    return found;
}

}  // namespace

std::string fileMark(size_t attachment, std::string_view name, int pages) {
    return fmt::format("[file {}: {}{}]", attachment + 1, name, pages > 1 ? fmt::format(", {} pages", pages) : "");
}

std::string pageMark(size_t attachment, int page, std::string_view label) {
    const bool told = label.empty() || label == std::to_string(page);
    return fmt::format("[file {}, page {}{}]", attachment + 1, page, told ? "" : fmt::format(", labelled {}", label));
}

std::vector<Citation> findCitations(std::string_view text, size_t attachments) {
    std::vector<Citation> out;
    for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
        auto mark = markAt(text.substr(at), attachments);
        if (!mark) continue;
        mark->begin = at;
        mark->end += at;
        out.push_back(*mark);
        at = mark->end - 1;
    }
    return out;
}

}  // namespace pal
