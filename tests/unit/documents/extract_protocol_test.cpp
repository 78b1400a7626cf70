// SPDX-License-Identifier: Apache-2.0
#include "vision/documents/extract_protocol.h"

#include <gtest/gtest.h>

#include "tests/support/contains.h"

namespace pal::extract {
namespace {

using test::contains;

DocumentPage samplePage() {
    DocumentPage page;
    page.number = 1;
    page.label = "iv";
    page.text = "Grüße \"quoted\"\n\xE5\xB1\xB1";
    page.warnings = {"a warning"};
    page.pictureOnly = true;
    page.pictures = 2;
    page.figures = {{10.5, 20, 300, 200}};
    page.width = 595.28;
    page.height = 841.89;
    page.imageWidth = 1240;
    page.imageHeight = 1754;
    page.map = {{0, 8, {1, 2, 3, 4}}, {9, 12, {5.25, 6, 7, 8}}};
    return page;
}

std::string sampleOutput() {
    Start start;
    start.document.kind = DocumentKind::kPdf;
    start.document.title = "Title";
    start.document.pageCount = 3;
    start.pages = 1;
    const PageImage image{2, 1, {1, 2, '\n', 4, 5, 6}};
    const EmbeddedPicture picture{7, "media/a.png", {'\n', '{', '\n'}};
    return startLine(start) + pageLine(samplePage()) + imageLine(image) + pictureLine(picture) +
           endLine({"of the whole"});
}

TEST(ExtractProtocol, ComesThroughInPiecesOfAnySize) {
    const std::string output = sampleOutput();
    for (size_t piece = 1; piece <= output.size(); piece = piece * 2 + 1) {
        Decoder decoder(1 << 20);
        for (size_t at = 0; at < output.size(); at += piece) {
            const auto fed = decoder.feed(std::string_view(output).substr(at, piece));
            ASSERT_TRUE(fed.has_value()) << fed.error().message;
        }
        EXPECT_TRUE(decoder.ended());
        EXPECT_EQ(decoder.document().kind, DocumentKind::kPdf);
        EXPECT_EQ(decoder.document().title, "Title");
        EXPECT_EQ(decoder.document().pageCount, 3);
        EXPECT_EQ(decoder.document().warnings, std::vector<std::string>{"of the whole"});
        ASSERT_EQ(decoder.document().pages.size(), 1U);
        const DocumentPage& page = decoder.document().pages[0];
        const DocumentPage sample = samplePage();
        EXPECT_EQ(page.label, sample.label);
        EXPECT_EQ(page.text, sample.text);
        EXPECT_EQ(page.warnings, sample.warnings);
        EXPECT_TRUE(page.pictureOnly);
        EXPECT_EQ(page.pictures, 2);
        ASSERT_EQ(page.figures.size(), 1U);
        EXPECT_DOUBLE_EQ(page.figures[0].x, 10.5);
        EXPECT_DOUBLE_EQ(page.figures[0].height, 200);
        EXPECT_DOUBLE_EQ(page.height, 841.89);
        EXPECT_EQ(page.imageHeight, 1754);
        ASSERT_EQ(page.map.size(), 2U);
        EXPECT_EQ(page.map[1].begin, 9U);
        EXPECT_DOUBLE_EQ(page.map[1].region.x, 5.25);
        ASSERT_EQ(decoder.images().size(), 1U);
        EXPECT_EQ(decoder.images()[0].rgb, (std::vector<uint8_t>{1, 2, '\n', 4, 5, 6}));
        ASSERT_EQ(decoder.pictures().size(), 1U);
        EXPECT_EQ(decoder.pictures()[0].page, 7);
        EXPECT_EQ(decoder.pictures()[0].file, (std::vector<uint8_t>{'\n', '{', '\n'}));
    }
}

TEST(ExtractProtocol, ErrorsComeThrough) {
    Decoder decoder(1 << 20);
    ASSERT_TRUE(decoder.feed(errorLine({ErrorCode::kFormat, "it is broken"})).has_value());
    ASSERT_TRUE(decoder.error().has_value());
    EXPECT_EQ(decoder.error()->code, ErrorCode::kFormat);
    EXPECT_EQ(decoder.error()->message, "it is broken");
    EXPECT_FALSE(decoder.ended());
    EXPECT_FALSE(decoder.feed("{\"end\":{\"warnings\":[]}}\n").has_value());
}

// Each line is wrong in one way.
TEST(ExtractProtocol, NothingIsTrusted) {
    Start start;
    start.pages = 1;
    const std::string good = startLine(start);
    DocumentPage page = samplePage();
    page.map = {{0, 100, {}}};
    const std::string outOfText = pageLine(page);
    page.map = {{4, 6, {}}, {2, 8, {}}};
    const std::string outOfOrder = pageLine(page);
    const std::vector<std::string> bad{
        "\n",
        "{}\n",
        "[1]\n",
        "nonsense\n",
        "{\"end\":{\"warnings\":[]},\"more\":1}\n",
        pageLine(samplePage()),
        good + good,
        good + outOfText,
        good + outOfOrder,
        good + "{\"page\":{\"number\":-1}}\n",
        good + "{\"page\":{\"number\":1,\"label\":7}}\n",
        good + endLine({}),  // a page is missing
        good + pageLine(samplePage()) + pageLine(samplePage()),
        std::string("{\"end\":{\"warnings\":[[[[[[[]]]]]]]}}\n"),
        "{\"image\":{\"width\":4000,\"height\":4001,\"bytes\":48012000}}\n",
        "{\"image\":{\"width\":2,\"height\":2,\"bytes\":11}}\n",
        "{\"picture\":{\"name\":\"a\",\"bytes\":99999999}}\n",
        "{\"picture\":{\"name\":\"a\",\"bytes\":1}}\nab",
        "{\"error\":{\"code\":\"unheard\",\"message\":\"\"}}\n",
    };
    for (const std::string& output : bad) {
        Decoder decoder(1 << 20);
        const auto fed = decoder.feed(output);
        ASSERT_FALSE(fed.has_value()) << output;
        EXPECT_EQ(fed.error().code, ErrorCode::kInternal) << output;
    }
    Decoder small(10);
    EXPECT_EQ(small.feed(good).error().code, ErrorCode::kOutOfMemory);
}

// Bytes alone are no bound: a short line could take many times its length of the reader's memory.
TEST(ExtractProtocol, ALineHasAnEndOfValues) {
    Start start;
    start.pages = 1;
    const auto lists = [](size_t count) {
        std::string line = "{\"page\":{\"map\":[[]";
        for (size_t i = 1; i < count; ++i) line += ",[]";
        return line + "]}}\n";
    };
    Decoder decoder(1 << 26);
    ASSERT_TRUE(decoder.feed(startLine(start)).has_value());
    const auto fed = decoder.feed(lists(4'100'000));
    ASSERT_FALSE(fed.has_value());
    EXPECT_EQ(fed.error().code, ErrorCode::kInternal);
    EXPECT_TRUE(contains(fed.error().message, "more than 4000000 values")) << fed.error().message;

    // A page of many lines is none of that.
    DocumentPage page;
    page.number = 1;
    page.text.assign(500'000, 'x');
    for (uint64_t i = 0; i < page.text.size(); ++i) page.map.push_back({i, i + 1, {1, 2, 3, 4}});
    Decoder large(1 << 26);
    ASSERT_TRUE(large.feed(startLine(start)).has_value());
    const auto whole = large.feed(pageLine(page));
    EXPECT_TRUE(whole.has_value()) << whole.error().message;
}

TEST(ExtractProtocol, BytesThatAreNoUtf8DoNotBreakIt) {
    Decoder decoder(1 << 20);
    ASSERT_TRUE(decoder
                    .feed(errorLine({ErrorCode::kFormat,
                                     "a\xFF"
                                     "b"}))
                    .has_value());
    EXPECT_EQ(decoder.error()->message,
              "a\xEF\xBF\xBD"
              "b");
}

}  // namespace
}  // namespace pal::extract
