// SPDX-License-Identifier: Apache-2.0
// The parts that flowing documents share, and web pages, without the helper process.
#include <gtest/gtest.h>

#include "app/extract/docx_styles.h"
#include "app/extract/flow_pages.h"
#include "app/extract/html_text.h"
#include "app/extract/markdown_writer.h"
#include "app/extract/text_encoding.h"
#include "tests/support/contains.h"

namespace pal::extract {
namespace {

using test::contains;

std::string html(std::string_view page, LinkTargets links = LinkTargets::kAll) {
    const auto out = htmlToText(page, links, 1 << 20);
    return out.has_value() ? out->text : "error: " + out.error().message;
}

TEST(MarkdownWriter, BlocksListsAndQuotes) {
    MarkdownWriter writer(1 << 20);
    writer.heading(2);
    writer.text("Title");
    writer.endBlock();
    writer.text("Paragraph.");
    writer.endBlock();
    writer.beginItem("- ");
    writer.text("one");
    writer.endBlock();
    writer.beginItem("1. ");
    writer.text("inner\nsecond line");
    writer.endItem();
    writer.endItem();
    writer.beginItem("- ");
    writer.endItem();  // an empty item leaves nothing
    writer.beginItem("- ");
    writer.text("two");
    writer.endItem();
    writer.beginQuote();
    writer.text("said");
    writer.endBlock();
    writer.text("again");
    writer.endQuote();
    EXPECT_EQ(writer.take(),
              "## Title\n\nParagraph.\n\n- one\n  1. inner\n     second line\n- two\n\n> said\n>\n> again\n");
    EXPECT_TRUE(writer.empty());
}

TEST(MarkdownWriter, EmptyBlocksLeaveNothing) {
    MarkdownWriter writer(1 << 20);
    writer.heading(1);
    writer.collapsed("  \n ");
    writer.endBlock();
    writer.text("a");
    writer.endBlock();
    writer.collapsed(" ");
    writer.endBlock();
    writer.table({});
    EXPECT_EQ(writer.take(), "a\n");
}

TEST(MarkdownWriter, StopsWhenFull) {
    MarkdownWriter writer(10);
    for (int i = 0; i < 100; ++i) writer.text("12345");
    EXPECT_TRUE(writer.full());
    EXPECT_LE(writer.take().size(), 16U);
}

TEST(MarkdownWriter, CellsStayOnTheirLine) {
    EXPECT_EQ(cellText("a | b\n\nc \n"), "a \\| b<br>c");
    EXPECT_EQ(cellText(" \n"), "");
    MarkdownWriter writer(1 << 20);
    writer.table({{"a", "b"}, {"c"}});
    EXPECT_EQ(writer.take(), "| a | b |\n| --- | --- |\n| c | |\n");
}

TEST(Html, WhiteSpaceIsAsABrowserShowsIt) {
    EXPECT_EQ(html("<p> a  <b> b</b>\n c </p><p>d<br> e</p>"), "a b c\n\nd\ne\n");
    EXPECT_EQ(html("<div>a<div>b</div>c</div>"), "a\n\nb\n\nc\n");
    EXPECT_EQ(html("1 &lt; 2 &amp;&amp; x&#x4E2D;y"), "1 < 2 && x\xE4\xB8\xADy\n");
    EXPECT_EQ(html(""), "");
}

TEST(Html, RaisedAndLoweredTextIsMarked) {
    EXPECT_EQ(html("10<sup>6</sup> m, H<sub>2</sub>O, x<sup>-1</sup>"), "10^{6} m, H_{2}O, x^{-1}\n");
    EXPECT_EQ(html("a note<sup><a href='#n1'>1</a></sup>, the 1<sup>st</sup> x<sup>n</sup>"),
              "a note^{1}, the 1st x^{n}\n");
    EXPECT_EQ(html("a<sup> <b></b></sup>b"), "a b\n");
}

TEST(Html, LinksKeepTheirTargets) {
    EXPECT_EQ(html("see <a href='https://x.org/a'>this <b>page</b></a>."), "see [this page](https://x.org/a).\n");
    EXPECT_EQ(html("<a href='https://x.org'>https://x.org</a>"), "https://x.org\n");
    EXPECT_EQ(html("<a href='#part'>part</a> <a href='javascript:x()'>js</a>"), "part js\n");
    EXPECT_EQ(html("<a href='b.html'>b</a>", LinkTargets::kExternal), "b\n");
    EXPECT_EQ(html("<a href='b.html'><p>one</p><p>two</p></a>"), "one\n\ntwo (b.html)\n");
    EXPECT_EQ(html("<a href='b.html'></a>x"), "x\n");
}

TEST(Html, TablesKeepTheirColumns) {
    EXPECT_EQ(html("<table><tr><td rowspan=2>a<td>b<tr><td>c<tr><td colspan=2>d</table>"),
              "| a | b |\n| --- | --- |\n| | c |\n| d | |\n");
    EXPECT_EQ(html("<table><tr><td>only</td></tr></table>"), "only\n");
    EXPECT_EQ(html("<table><tr><td>x<td><table><tr><td>1<td>2</table></table>"), "x\n\n| 1 | 2 |\n| --- | --- |\n");
    EXPECT_FALSE(contains(html("<table><tr><td colspan=1000000000>a</table>"), "error"));
}

TEST(Html, WhatIsNotShownIsNotRead) {
    EXPECT_EQ(html("<script>1</script><style>2</style><p hidden>3</p><p style='Display : "
                   "NONE'>4</p><noscript>5</noscript>6<!-- 7 -->"),
              "6\n");
    EXPECT_EQ(html("<ruby>\xE6\xBC\xA2<rp>[</rp><rt>kan</rt><rp>]</rp></ruby>"), "\xE6\xBC\xA2 (kan)\n");
}

TEST(Docx, NumbersCountAsWordDoes) {
    EXPECT_EQ(formatNumber(4, "upperRoman"), "IV");
    EXPECT_EQ(formatNumber(1999, "lowerRoman"), "mcmxcix");
    EXPECT_EQ(formatNumber(27, "lowerLetter"), "aa");
    EXPECT_EQ(formatNumber(28, "upperLetter"), "BB");
    EXPECT_EQ(formatNumber(0, "lowerRoman"), "0");
    EXPECT_EQ(formatNumber(7, "unheard"), "7");

    pugi::xml_document xml;
    xml.load_string(
        "<n><abstractNum abstractNumId='0'><lvl ilvl='0'><start val='3'/><numFmt val='decimal'/><lvlText "
        "val='%1.'/></lvl>"
        "<lvl ilvl='1'><numFmt val='lowerLetter'/><lvlText val='%1.%2)'/></lvl></abstractNum>"
        "<num numId='1'><abstractNumId val='0'/></num><num numId='2'><abstractNumId val='0'/></num>"
        "<num numId='3'><abstractNumId val='0'/><lvlOverride ilvl='0'><startOverride "
        "val='1'/></lvlOverride></num></n>");
    DocxNumbering numbering(xml);
    EXPECT_EQ(numbering.next({"1", 0}), "3.");
    EXPECT_EQ(numbering.next({"1", 1}), "3.a)");
    EXPECT_EQ(numbering.next({"1", 1}), "3.b)");
    EXPECT_EQ(numbering.next({"2", 0}), "4.") << "both numbers are of one list";
    EXPECT_EQ(numbering.next({"2", 1}), "4.a)") << "deeper levels begin again";
    EXPECT_EQ(numbering.next({"3", 0}), "1.") << "an override counts for itself";
    EXPECT_EQ(numbering.next({"unknown", 0}), "-");
}

TEST(Encoding, MarksAndShortTexts) {
    EXPECT_EQ(decodeText("plain").encoding, "UTF-8");
    EXPECT_EQ(decodeText("").text, "");
    EXPECT_EQ(decodeText("\xEF\xBB\xBF"
                         "a")
                  .text,
              "a");
    EXPECT_EQ(decodeText(std::string_view("\xFF\xFE\x41\x00\x3D\xD8\x00\xDE", 8)).text, "A\xF0\x9F\x98\x80");
    EXPECT_EQ(decodeText(std::string_view("\x00\x41\x00\x42\x00\x0A", 6)).encoding, "UTF-16BE");
    EXPECT_EQ(decodeText("caf\xE9").text, "caf\xC3\xA9");
    const DecodedText cut = decodeText("\xD0\x94\xD0\xB0 \xD0");
    EXPECT_EQ(cut.encoding, "UTF-8");
    EXPECT_EQ(cut.invalid, 1U);
    EXPECT_EQ(cut.firstInvalid, 5U);
    EXPECT_EQ(decodeText("\xC4\xE3\xBA\xC3", "gb2312").text, "\xE4\xBD\xA0\xE5\xA5\xBD");
    EXPECT_EQ(decodeText("caf\xE9", "no such encoding").text, "caf\xC3\xA9");
    EXPECT_EQ(decodeText("caf\xC3\xA9", "iso-8859-1").text, "caf\xC3\xA9") << "valid UTF-8 is believed before a label";
}

TEST(FlowPages, NotesStandOnTheirPage) {
    FlowPages pages(1 << 20);
    pages.text("first");
    pages.writer().note(pages.addNote("note one"));
    pages.pageBreak(FlowPages::Break::kSoft);
    pages.pageBreak(FlowPages::Break::kSoft);  // nothing on the page: the layout's mark of the same break
    pages.text("second");
    pages.writer().note(pages.addNote("note two"));
    pages.pageBreak(FlowPages::Break::kHard);
    pages.picture("p.png", "");
    FlowDocument out;
    ASSERT_TRUE(pages.finish(out).has_value());
    ASSERT_EQ(out.document.pages.size(), 3U);
    EXPECT_EQ(out.document.pages[0].text, "first[^1]\n\n[^1]: note one\n");
    EXPECT_EQ(out.document.pages[1].text, "second[^2]\n\n[^2]: note two\n");
    EXPECT_TRUE(out.document.pages[2].pictureOnly);
    EXPECT_EQ(out.pictures[2], std::vector<std::string>{"p.png"});
    EXPECT_TRUE(out.document.pages[0].warnings.empty());
}

}  // namespace
}  // namespace pal::extract
