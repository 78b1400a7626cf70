// SPDX-License-Identifier: Apache-2.0
// The hand-written split pattern against ICU's regular expressions and character database (both of Unicode 15.0).
#include "engine/text/pretokenizer.h"

#include <gtest/gtest.h>
#include <unicode/regex.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <memory>

#include "engine/text/unicode_class.h"
#include "tests/unit/text/support.h"

namespace pal {
namespace {

using test::Random;

// The pattern of the reference. ICU's \s is narrower than White_Space, so it is spelled out; nested sets are how ICU writes `&&`.
constexpr const char16_t* kPattern =
    uR"([\p{Script=Han}]+)"
    uR"(|[^\r\n\p{L}\p{N}]?[[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]&&[^\p{Script=Han}]]*[[\p{Ll}\p{Lm}\p{Lo}\p{M}]&&[^\p{Script=Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    uR"(|[^\r\n\p{L}\p{N}]?[[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]&&[^\p{Script=Han}]]+[[\p{Ll}\p{Lm}\p{Lo}\p{M}]&&[^\p{Script=Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    uR"(|\p{N}{1,3})"
    uR"(| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*)"
    uR"(|\p{White_Space}*[\r\n]+)"
    uR"(|\p{White_Space}+(?!\P{White_Space}))"
    uR"(|\p{White_Space}+)";

class IcuSplitter {
  public:
    IcuSplitter() {
        UErrorCode status = U_ZERO_ERROR;
        pattern_.reset(icu::RegexPattern::compile(icu::UnicodeString(kPattern), 0, status));
        EXPECT_TRUE(U_SUCCESS(status)) << u_errorName(status);
    }

    std::vector<std::string> split(std::u32string_view text) const {
        const auto input = icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(text.data()),
                                                         static_cast<int32_t>(text.size()));
        UErrorCode status = U_ZERO_ERROR;
        const std::unique_ptr<icu::RegexMatcher> matcher(pattern_->matcher(input, status));
        std::vector<std::string> pieces;
        int32_t position = 0;
        while (matcher->find(status)) {
            EXPECT_EQ(matcher->start(status), position) << "a gap between matches";
            position = matcher->end(status);
            matcher->group(status).toUTF8String(pieces.emplace_back());
        }
        EXPECT_EQ(position, input.length());
        EXPECT_TRUE(U_SUCCESS(status));
        return pieces;
    }

  private:
    std::unique_ptr<icu::RegexPattern> pattern_;
};

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> pieces;
    for (size_t position = 0; position < text.size();) {
        const size_t end = pretokenizer::pieceEnd(text, position);
        EXPECT_GT(end, position);
        pieces.emplace_back(text.substr(position, end - position));
        position = end;
    }
    return pieces;
}

TEST(Pretokenizer, EqualsIcuOnRandomStrings) {
    const IcuSplitter icu;
    Random random(20'261'129);
    size_t pieces = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::u32string text = test::randomCodePoints(random, 1 + random.below(24));
        const auto expected = icu.split(text);
        pieces += expected.size();
        ASSERT_EQ(split(test::toUtf8(text)), expected) << "string " << i << ": " << test::toUtf8(text);
    }
    EXPECT_GT(pieces, 500'000U) << "the strings are not as mixed as meant";
}

TEST(Pretokenizer, ClassesEqualIcuForEveryCodePoint) {
    using namespace unicode;
    for (UChar32 c = 0; c <= 0x10FFFF; ++c) {
        UErrorCode status = U_ZERO_ERROR;
        const bool han = uscript_getScript(c, &status) == USCRIPT_HAN;
        const uint32_t category = U_GET_GC_MASK(c);
        const uint32_t both = U_GC_LM_MASK | U_GC_LO_MASK | U_GC_M_MASK;
        unsigned expected = han ? kHan : 0;
        if (!han && (category & (U_GC_LU_MASK | U_GC_LT_MASK | both)) != 0) expected |= kUpper;
        if (!han && (category & (U_GC_LL_MASK | both)) != 0) expected |= kLower;
        if ((category & U_GC_L_MASK) != 0) expected |= kLetter;
        if ((category & U_GC_N_MASK) != 0) expected |= kNumber;
        if (u_isUWhiteSpace(c)) expected |= kSpace | kPythonSpace;
        if (c >= 0x1C && c <= 0x1F) expected |= kPythonSpace;
        if (c == '\r' || c == '\n') expected |= kNewline;
        ASSERT_EQ(classOf(static_cast<uint32_t>(c)), expected) << "U+" << std::hex << c;
    }
}

TEST(Pretokenizer, Pieces) {
    using Pieces = std::vector<std::string>;
    EXPECT_EQ(split("HELLO ABCdef helloWorld"), (Pieces{"HELLO", " ABCdef", " hello", "World"}));
    EXPECT_EQ(split("it's IT'S it\u2019s"), (Pieces{"it's", " IT'S", " it", "\u2019s"}));
    EXPECT_EQ(split("x'\u017Fy"), (Pieces{"x'\u017F", "y"})) << "long s folds to s";
    EXPECT_EQ(split("a    b  \n  c  "), (Pieces{"a", "   ", " b", "  \n", " ", " c", "  "}));
    EXPECT_EQ(split("1234567"), (Pieces{"123", "456", "7"}));
    EXPECT_EQ(split("你好hello世界"), (Pieces{"你好", "hello", "世界"}));
    EXPECT_EQ(split("\xFF\x80z \xE4\xBD"), (Pieces{"\xFF\x80", "z", " \xE4\xBD"})) << "malformed bytes are symbols";
}

// What the cutter must do, said as plainly as the reference says it.
std::vector<std::string> cutPlainly(std::u32string_view text, pretokenizer::CutLimits limits) {
    const auto isSpace = [](char32_t c) { return (unicode::classOf(c) & unicode::kPythonSpace) != 0; };
    std::vector<std::string> slices;
    for (size_t block = 0; block < text.size(); block += limits.block) {
        const std::u32string_view s = text.substr(block, limits.block);
        size_t start = 0;
        size_t run = 0;
        bool kind = isSpace(s[0]);
        for (size_t i = 0; i < s.size(); ++i) {
            if (isSpace(s[i]) != kind) {
                run = 1;
                kind = !kind;
            } else if (++run > limits.run) {
                slices.push_back(test::toUtf8(s.substr(start, i - start)));
                start = i;
                run = 1;
            }
        }
        slices.push_back(test::toUtf8(s.substr(start)));
    }
    return slices;
}

TEST(Pretokenizer, CutsAsTheReference) {
    Random random(7);
    for (int i = 0; i < 20'000; ++i) {
        const std::u32string text = test::randomCodePoints(random, 1 + random.below(40));
        const pretokenizer::CutLimits limits{1 + random.below(30), 1 + random.below(6)};
        const std::string bytes = test::toUtf8(text);
        pretokenizer::Cutter cutter(bytes, limits);
        std::vector<std::string> slices;
        for (auto slice = cutter.next(); !slice.empty(); slice = cutter.next()) slices.emplace_back(slice);
        ASSERT_EQ(slices, cutPlainly(text, limits)) << bytes << " block " << limits.block << " run " << limits.run;
    }
}

}  // namespace
}  // namespace pal
