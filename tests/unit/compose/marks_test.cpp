// SPDX-License-Identifier: Apache-2.0
#include "app/compose/marks.h"

#include <gtest/gtest.h>

namespace pal {
namespace {

TEST(Marks, LeadBack) {
    EXPECT_EQ(fileMark(1, "report.pdf", 12), "[file 2: report.pdf, 12 pages]");
    EXPECT_EQ(fileMark(0, "notes.txt", 1), "[file 1: notes.txt]");
    EXPECT_EQ(pageMark(0, 3, ""), "[file 1, page 3]");
    EXPECT_EQ(pageMark(0, 3, "3"), "[file 1, page 3]");
    EXPECT_EQ(pageMark(0, 3, "iv"), "[file 1, page 3, labelled iv]");

    const std::string text =
        "As " + pageMark(1, 7, "v") + " says, see " + fileMark(0, "a [draft].txt", 1) + " and [FILE 2].";
    const auto found = findCitations(text, 2);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].attachment, 1U);
    EXPECT_EQ(found[0].page, 7);
    EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin), "[file 2, page 7, labelled v]");
    EXPECT_EQ(found[1].attachment, 0U);
    EXPECT_EQ(found[1].page, 0);
    EXPECT_EQ(found[2].attachment, 1U);
}

TEST(Marks, MomentsOfAClip) {
    const auto found = findCitations("[file 1, 00:01:02.500] [file 2, 0:07] [file 2, 12 pages] [file 2, 7]", 2);
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0].seconds, 62.5);
    EXPECT_EQ(found[1].seconds, 7);
    EXPECT_EQ(found[2].seconds, std::nullopt);
    EXPECT_EQ(found[3].seconds, std::nullopt);
    for (const char* text : {"[file 1, 1:2:3:4]", "[file 1, 1:]", "[file 1, 1:x]", "[file 1, 1..2:3]"})
        for (const Citation& citation : findCitations(text, 2)) EXPECT_EQ(citation.seconds, std::nullopt) << text;
}

TEST(Marks, WhatIsNoneIsNone) {
    for (const char* text :
         {"[file 3]", "[file 0]", "[file -1]", "[file 1", "[file 1, page 0]", "[file 1, page x]",
          "[file 12345678901234567890]", "[filed 1]", "[file 1\n]", "file 1", "[file 1x]", "[", ""}) {
        EXPECT_TRUE(findCitations(text, 2).empty()) << text;
    }
    EXPECT_EQ(findCitations("[[file 1]]", 2).size(), 1U);
}

}  // namespace
}  // namespace pal
