// SPDX-License-Identifier: Apache-2.0
#include "app/extract/pdf_text.h"

#include <gtest/gtest.h>

#include "app/extract/pdf_table.h"
#include "app/extract/text_cleanup.h"

namespace pal::extract {
namespace {

// Words of one line from x on, each character 5 points wide, 10 high, spaces between them.
void addLine(std::vector<PdfWord>& words, double x, double y, std::u16string_view text) {
    size_t at = 0;
    while (at < text.size()) {
        const size_t end = std::min(text.find(u' ', at), text.size());
        const std::u16string word(text.substr(at, end - at));
        words.push_back({word,
                         {x + 5.0 * static_cast<double>(at), y, 5.0 * static_cast<double>(word.size()), 10},
                         0,
                         end < text.size()});
        at = end + 1;
    }
}

std::string assemble(std::initializer_list<std::u16string_view> lines) {
    std::vector<PdfWord> words;
    double y = 100;
    for (const std::u16string_view line : lines) {
        addLine(words, 50, y, line);
        y += 12;
    }
    return assemblePage(words).text;
}

TEST(PdfText, LinesAndBlocks) {
    std::vector<PdfWord> words;
    addLine(words, 50, 100, u"one two");
    addLine(words, 50, 112, u"three");
    addLine(words, 50, 160, u"four");
    const PageText page = assemblePage(words);
    EXPECT_EQ(page.text, "one two\nthree\n\nfour\n");
    ASSERT_EQ(page.map.size(), 3U);
    EXPECT_EQ(page.text.substr(page.map[0].begin, page.map[0].end - page.map[0].begin), "one two");
    EXPECT_DOUBLE_EQ(page.map[0].region.width, 35);
    EXPECT_EQ(page.characters, 15U);
}

TEST(PdfText, DoubleSpacedTextIsOneBlock) {
    std::vector<PdfWord> words;
    for (int i = 0; i < 5; ++i) addLine(words, 50, 100 + 22 * i, u"a line of it");
    addLine(words, 50, 260, u"next");
    EXPECT_EQ(assemblePage(words).text,
              "a line of it\na line of it\na line of it\na line of it\na line of it\n\nnext\n");
}

TEST(PdfText, DividedWordsAreWhole) {
    EXPECT_EQ(assemble({u"some infor-", u"mation here"}), "some information here\n");
    EXPECT_EQ(assemble({u"a well-", u"known well-known one"}), "a well-known well-known one\n");
    EXPECT_EQ(assemble({u"sepa\u00AD", u"rated wo\u00ADrd"}), "separated word\n");
    EXPECT_EQ(assemble({u"in 1990-", u"1994 and A-", u"Bomb"}), "in 1990-\n1994 and A-\nBomb\n");
    EXPECT_EQ(assemble({u"a dash -", u"stays"}), "a dash -\nstays\n");
}

TEST(PdfText, TurnedTextIsReadAlongItsLine) {
    std::vector<PdfWord> words;
    words.push_back({u"up", {100, 300, 10, 20}, 3, true});
    words.push_back({u"wards", {100, 240, 10, 50}, 3, false});
    words.push_back({u"down", {200, 100, 10, 40}, 1, true});
    words.push_back({u"wards", {200, 150, 10, 50}, 1, false});
    EXPECT_EQ(assemblePage(words).text, "up wards\n\ndown wards\n");
}

TEST(PdfText, ColumnsAreReadOneAfterTheOther) {
    std::vector<PdfWord> words;
    addLine(words, 50, 80, u"a heading as wide as both of the columns that follow it, which are two");
    for (int i = 0; i < 4; ++i) addLine(words, 50, 100 + 12 * i, u"left column text of some length");
    for (int i = 0; i < 4; ++i) addLine(words, 250, 100 + 12 * i, u"right column text of some length");
    addLine(words, 50, 170, u"left end");  // poppler may see it after the right column
    addLine(words, 250, 170, u"right end");
    const std::string text = assemblePage(words).text;
    EXPECT_LT(text.find("heading"), text.find("left column"));
    EXPECT_LT(text.find("left column"), text.find("left end"));
    EXPECT_LT(text.find("left end"), text.find("right column"));
    EXPECT_LT(text.find("right column"), text.find("right end"));
}

TEST(PdfText, SectionsOfColumnsStayApart) {
    std::vector<PdfWord> words;
    for (const int top : {100, 300}) {
        addLine(words, 50, top - 20,
                top == 100 ? u"the first heading as wide as both of its columns"
                           : u"the second heading as wide as both of its columns");
        for (int i = 0; i < 4; ++i) addLine(words, 50, top + 12 * i, top == 100 ? u"one left" : u"two left");
        for (int i = 0; i < 4; ++i) addLine(words, 200, top + 12 * i, top == 100 ? u"one right" : u"two right");
    }
    const std::string text = assemblePage(words).text;
    EXPECT_LT(text.find("one left"), text.find("one right"));
    EXPECT_LT(text.find("one right"), text.find("second heading"));
    EXPECT_LT(text.find("second heading"), text.find("two left"));
}

TEST(PdfTable, RowsStayTogether) {
    std::vector<PdfWord> words;
    // By columns, as reading order has them.
    for (const auto& [x, cells] : {std::pair{50, std::array{u"Year", u"1990", u"1991", u"1992"}},
                                   std::pair{150, std::array{u"Sum", u"17", u"", u"19"}},
                                   std::pair{250, std::array{u"Note", u"a", u"b", u"c"}}}) {
        for (size_t row = 0; row < cells.size(); ++row) {
            if (*cells[row] != 0) addLine(words, x, 100 + 15.0 * static_cast<double>(row), cells[row]);
        }
    }
    EXPECT_EQ(assemblePage(words).text,
              "Year                Sum                 Note\n"
              "1990                17                  a\n"
              "1991                                    b\n"
              "1992                19                  c\n");
}

TEST(PdfTable, TextColumnsAreNoTable) {
    std::vector<PdfWord> words;
    for (int column = 0; column < 2; ++column) {
        for (int row = 0; row < 8; ++row)
            addLine(words, 50 + 250 * column, 100 + 12 * row, u"[1] a line of prose as papers have them");
    }
    EXPECT_TRUE(findTables(words).empty());
    // Two short lines side by side are no table either: it takes three rows.
    words.clear();
    for (int row = 0; row < 2; ++row) {
        addLine(words, 50, 100 + 12 * row, u"left");
        addLine(words, 250, 100 + 12 * row, u"right");
    }
    EXPECT_TRUE(findTables(words).empty());
}

TEST(TextCleanup, LettersInsteadOfForms) {
    EXPECT_EQ(cleanCharacters(u"o\uFB03ce \uFB01").text, u"office fi");
    EXPECT_EQ(cleanCharacters(u"\u2F00\u2F42\u2ED1").text, u"\u4E00\u6587\u9577");
    EXPECT_EQ(cleanCharacters(u"\uFEDB\uFE98\uFE8E\uFE8F").text, u"\u0643\u062A\u0627\u0628");
    EXPECT_EQ(cleanCharacters(u"\uFB2A").text, u"\u05E9\u05C1");  // shin with dot
    EXPECT_EQ(cleanCharacters(u"e\u0301").text, u"\u00E9");
    EXPECT_EQ(cleanCharacters(u"a\u00A0b\u2009c").text, u"a b c");
    EXPECT_EQ(cleanCharacters(u"\u202Bx\u202C\u200F\uFEFF").text, u"x");
    EXPECT_EQ(cleanCharacters(u"\uF0B7 item").text, u"\u2022 item");
    // What carries meaning stays.
    EXPECT_EQ(cleanCharacters(u"x\u00B2 \u00BD \u2460 \u2122 \uFF0C\u2026").text,
              u"x\u00B2 \u00BD \u2460 \u2122 \uFF0C\u2026");
}

TEST(TextCleanup, WhatMeansNothingIsCounted) {
    const CleanText clean = cleanCharacters(
        u"a\uE000\uFFFD\x03"
        u"b");
    EXPECT_EQ(clean.text, u"a\uFFFD\uFFFDb");
    EXPECT_EQ(clean.unknown, 3U);
}

TEST(TextCleanup, RightToLeftLinesComeInReadingOrder) {
    // "abc" stands for letters placed from left to right: the last one read stands first.
    EXPECT_EQ(logicalOrder(u"\u05DD\u05D5\u05DC\u05E9"), u"\u05E9\u05DC\u05D5\u05DD");
    EXPECT_EQ(logicalOrder(u"\u05D2 12 \u05D1\u05D0"), u"\u05D0\u05D1 12 \u05D2");
    // A left-to-right line with one word from the right: the word alone turns.
    EXPECT_EQ(logicalOrder(u"the word \u05D1\u05D0 here"), u"the word \u05D0\u05D1 here");
    // Brackets open first, whichever way the writer mapped them.
    EXPECT_EQ(logicalOrder(u"(\u05D1) \u05D0"), u"\u05D0 (\u05D1)");
    EXPECT_EQ(logicalOrder(u")\u05D1( \u05D0"), u"\u05D0 (\u05D1)");
    EXPECT_FALSE(hasRightToLeft(u"caf\u00E9 \u4E2D"));
    EXPECT_TRUE(hasRightToLeft(u"a \u0628"));
}

}  // namespace
}  // namespace pal::extract
