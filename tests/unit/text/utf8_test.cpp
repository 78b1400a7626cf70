// SPDX-License-Identifier: Apache-2.0
#include "engine/text/utf8.h"

#include <gtest/gtest.h>

#include "tests/unit/text/support.h"

namespace pal {
namespace {

using test::Random;

std::string streamed(std::string_view bytes, const std::vector<size_t>& cuts) {
    StreamDecoder decoder;
    std::string out;
    size_t start = 0;
    for (const size_t cut : cuts) {
        decoder.push(bytes.substr(start, cut - start), out);
        EXPECT_TRUE(utf8::isValid(out));
        start = cut;
    }
    decoder.push(bytes.substr(start), out);
    decoder.finish(out);
    return out;
}

// The examples of the Unicode standard 15, section 3.9 (tables 3-8 to 3-11): one U+FFFD for each maximal subpart.
TEST(Utf8, ReplacesMaximalSubparts) {
    const std::string r = "\uFFFD";
    EXPECT_EQ(validUtf8("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), r + r + r + r + r + r + r + r + "A");
    EXPECT_EQ(validUtf8("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), r + r + r + r + r + r + r + r + "A");
    EXPECT_EQ(validUtf8("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), r + r + r + r + r + "A" + r + r + "B");
    EXPECT_EQ(validUtf8("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), r + r + r + r + "A");
    EXPECT_EQ(validUtf8("\xF0\x9F\x94"), r) << "an unfinished end is one replacement";
}

TEST(Utf8, EveryCodePointSurvives) {
    std::string all;
    for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c < 0xD800 || c > 0xDFFF) utf8::append(all, c);
    }
    EXPECT_TRUE(utf8::isValid(all));
    EXPECT_EQ(validUtf8(all), all);
    std::string surrogate;
    utf8::append(surrogate, 0xD800);
    EXPECT_EQ(surrogate, "\uFFFD");
}

TEST(StreamDecoder, EveryByteBoundaryGivesTheSameText) {
    const std::string text = "é🔥你\xF0\x9F\x94 \xE4\xBD!𠀀\xC3";
    const std::string whole = validUtf8(text);
    for (size_t cut = 0; cut <= text.size(); ++cut) EXPECT_EQ(streamed(text, {cut}), whole) << cut;
    std::vector<size_t> all;
    for (size_t i = 1; i < text.size(); ++i) all.push_back(i);
    EXPECT_EQ(streamed(text, all), whole);
}

TEST(StreamDecoder, RandomBytesInRandomPieces) {
    Random random(3);
    for (int i = 0; i < 20'000; ++i) {
        std::string bytes = random.below(2) == 0 ? random.bytes(random.below(20))
                                                 : test::toUtf8(test::randomCodePoints(random, 1 + random.below(10)));
        std::vector<size_t> cuts;
        for (size_t k = 0; k < bytes.size(); ++k) {
            if (random.below(3) == 0) cuts.push_back(k);
        }
        ASSERT_EQ(streamed(bytes, cuts), validUtf8(bytes));
    }
}

TEST(StreamDecoder, HoldsBackAtMostThreeBytes) {
    StreamDecoder decoder;
    std::string out;
    decoder.push("a\xF0\x9F\x94", out);
    EXPECT_EQ(out, "a");
    decoder.push("\xA5", out);
    EXPECT_EQ(out, "a🔥");
    decoder.push("\xE4", out);
    decoder.finish(out);
    EXPECT_EQ(out, "a🔥\uFFFD");
    decoder.push("\xBD", out);
    EXPECT_EQ(out, "a🔥\uFFFD\uFFFD") << "ready for a new stream";
}

}  // namespace
}  // namespace pal
