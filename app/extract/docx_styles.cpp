// SPDX-License-Identifier: Apache-2.0
#include "app/extract/docx_styles.h"

#include <algorithm>
#include <charconv>

#include "app/extract/xml_part.h"

namespace pal::extract {
namespace {

constexpr int kMaxBasedOn = 20;  // styles may be based on each other in a circle

int parseInt(std::string_view text, int fallback) {
    int out = fallback;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

std::string value(const pugi::xml_node& node, std::string_view name) {
    return std::string(attribute(child(node, name), "val"));
}

int headingOfName(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (name == "title") return 1;
    return name.starts_with("heading ") ? std::clamp(parseInt(std::string_view(name).substr(8), 0), 0, 9) : 0;
}

std::string letters(int number, char first) {
    // Word repeats the letter: z, aa, bb.
    const int count = std::min((number - 1) / 26 + 1, 20);
    return std::string(static_cast<size_t>(count), static_cast<char>(first + (number - 1) % 26));
}

std::string roman(int number, bool upper) {
    struct Digit {
        int value;
        const char* text;
    };
    constexpr std::array kDigits{Digit{1000, "m"}, Digit{900, "cm"}, Digit{500, "d"}, Digit{400, "cd"}, Digit{100, "c"},
                                 Digit{90, "xc"},  Digit{50, "l"},   Digit{40, "xl"}, Digit{10, "x"},   Digit{9, "ix"},
                                 Digit{5, "v"},    Digit{4, "iv"},   Digit{1, "i"}};
    std::string out;
    for (const Digit& digit : kDigits) {
        for (; number >= digit.value; number -= digit.value) out += digit.text;
    }
    if (upper) std::transform(out.begin(), out.end(), out.begin(), [](char c) { return static_cast<char>(c - 32); });
    return out;
}

}  // namespace

std::string formatNumber(int number, std::string_view format) {
    if (number >= 1 && number < 4000) {
        if (format == "lowerLetter" || format == "a") return letters(number, 'a');
        if (format == "upperLetter" || format == "A") return letters(number, 'A');
        if (format == "lowerRoman" || format == "i") return roman(number, false);
        if (format == "upperRoman" || format == "I") return roman(number, true);
    }
    return std::to_string(number);
}

std::optional<DocxNumber> readNumber(const pugi::xml_node& paragraphProperties) {
    const pugi::xml_node node = child(paragraphProperties, "numPr");
    if (!node) return std::nullopt;
    DocxNumber out{value(node, "numId"), std::clamp(parseInt(value(node, "ilvl"), 0), 0, 8)};
    if (out.id.empty() || out.id == "0") return std::nullopt;
    return out;
}

DocxStyles::DocxStyles(const pugi::xml_document& styles) {
    for (const pugi::xml_node& node : styles.document_element().children()) {
        if (localName(node) != "style") continue;
        Style& style = styles_[std::string(attribute(node, "styleId"))];
        style.basedOn = value(node, "basedOn");
        style.heading = headingOfName(value(node, "name"));
        const pugi::xml_node properties = child(node, "pPr");
        const int outline = parseInt(value(properties, "outlineLvl"), 9);
        if (style.heading == 0 && outline >= 0 && outline < 9) style.heading = outline + 1;
        style.number = readNumber(properties);
    }
}

int DocxStyles::headingLevel(const std::string& style) const {
    auto found = styles_.find(style);
    for (int i = 0; i < kMaxBasedOn && found != styles_.end(); ++i) {
        if (found->second.heading > 0) return found->second.heading;
        found = styles_.find(found->second.basedOn);
    }
    return 0;
}

std::optional<DocxNumber> DocxStyles::number(const std::string& style) const {
    auto found = styles_.find(style);
    for (int i = 0; i < kMaxBasedOn && found != styles_.end(); ++i) {
        if (found->second.number.has_value()) return found->second.number;
        found = styles_.find(found->second.basedOn);
    }
    return std::nullopt;
}

void DocxNumbering::readLevel(const pugi::xml_node& node, List& list) {
    Level& level = list.levels[static_cast<size_t>(std::clamp(parseInt(attribute(node, "ilvl"), 0), 0, 8))];
    if (const std::string start = value(node, "start"); !start.empty()) level.start = parseInt(start, 1);
    if (const std::string format = value(node, "numFmt"); !format.empty()) level.format = format;
    if (child(node, "lvlText")) level.text = value(node, "lvlText");
}

DocxNumbering::DocxNumbering(const pugi::xml_document& numbering) {
    const pugi::xml_node root = numbering.document_element();
    for (const pugi::xml_node& node : root.children()) {
        if (localName(node) != "abstractNum") continue;
        List& list = lists_[std::string(attribute(node, "abstractNumId"))];
        for (const pugi::xml_node& level : node.children()) {
            if (localName(level) == "lvl") readLevel(level, list);
        }
    }
    for (const pugi::xml_node& node : root.children()) {
        if (localName(node) != "num") continue;
        const std::string id(attribute(node, "numId"));
        std::string abstract = value(node, "abstractNumId");
        // A list with overrides counts for itself.
        if (child(node, "lvlOverride")) {
            const auto base = lists_.find(abstract);
            List own = base == lists_.end() ? List{} : base->second;
            for (const pugi::xml_node& change : node.children()) {
                if (localName(change) != "lvlOverride") continue;
                const auto level = static_cast<size_t>(std::clamp(parseInt(attribute(change, "ilvl"), 0), 0, 8));
                if (child(change, "lvl")) readLevel(child(change, "lvl"), own);
                if (child(change, "startOverride"))
                    own.levels[level].start = parseInt(value(change, "startOverride"), 1);
            }
            abstract = "num " + id;
            lists_[abstract] = own;
        }
        listOf_[id] = abstract;
    }
}

std::string DocxNumbering::next(const DocxNumber& number) {
    const auto named = listOf_.find(number.id);
    const auto found = named == listOf_.end() ? lists_.end() : lists_.find(named->second);
    if (found == lists_.end()) return "-";
    List& list = found->second;
    const auto at = static_cast<size_t>(number.level);
    for (size_t i = 0; i <= at; ++i) {
        if (!list.begun[i]) list.counts[i] = list.levels[i].start - (i == at ? 1 : 0);
        list.begun[i] = true;
    }
    if (list.counts[at] < 1'000'000'000) ++list.counts[at];
    for (size_t deeper = at + 1; deeper < list.begun.size(); ++deeper) list.begun[deeper] = false;
    const Level& level = list.levels[at];
    if (level.format == "bullet") return "-";
    if (level.format == "none") return {};
    std::string out;
    for (size_t i = 0; i < level.text.size(); ++i) {
        const char next = i + 1 < level.text.size() ? level.text[i + 1] : '\0';
        if (level.text[i] != '%' || next < '1' || next > '9') {
            out += level.text[i];
            continue;
        }
        const auto shown = static_cast<size_t>(next - '1');
        out += formatNumber(list.counts[shown], list.levels[shown].format);
        ++i;
    }
    return out;
}

}  // namespace pal::extract
