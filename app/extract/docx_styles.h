// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pal::extract {

struct DocxNumber {
    std::string id;  // of the list
    int level = 0;
};

// What a paragraph style of a docx says of outline and lists (ECMA-376 part 1, 17.7); what a style leaves open comes from the one that it is
// based on.
class DocxStyles {
  public:
    DocxStyles() = default;
    explicit DocxStyles(const pugi::xml_document& styles);

    [[nodiscard]] int headingLevel(const std::string& style) const;  // 1 to 9; 0: no heading
    [[nodiscard]] std::optional<DocxNumber> number(const std::string& style) const;

  private:
    struct Style {
        std::string basedOn;
        int heading = 0;
        std::optional<DocxNumber> number;
    };
    std::map<std::string, Style, std::less<>> styles_;
};

// The labels of numbered paragraphs, counted in document order (17.9).
class DocxNumbering {
  public:
    DocxNumbering() = default;
    explicit DocxNumbering(const pugi::xml_document& numbering);

    // The next label of that list ("1.", "2.a)", "-" for bullets); empty for one that shows none.
    std::string next(const DocxNumber& number);

  private:
    struct Level {
        int start = 1;
        std::string format = "decimal";
        std::string text;
    };
    struct List {
        std::array<Level, 9> levels;
        std::array<int, 9> counts{};
        std::array<bool, 9> begun{};
    };
    void readLevel(const pugi::xml_node& node, List& list);

    std::map<std::string, List, std::less<>> lists_;          // by abstract number
    std::map<std::string, std::string, std::less<>> listOf_;  // number -> abstract number
};

// A number as lists write it: "decimal", "lowerLetter" (a, b, ..., z, aa), "upperRoman", ...; others are decimal.
std::string formatNumber(int number, std::string_view format);

// Reads w:numPr; nothing when there is none or the list is "0", which takes a paragraph out of its style's list.
std::optional<DocxNumber> readNumber(const pugi::xml_node& paragraphProperties);

}  // namespace pal::extract
