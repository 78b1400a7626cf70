// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "engine/text/tokenizer_tables.h"
#include "tests/unit/text/support.h"

namespace pal {
namespace {

using test::Random;
using Ids = std::vector<TokenId>;

TEST(RealTokenizer, EncodesTheGoldenFile) {
    const auto tokenizer = test::realTokenizer();
    const auto file = test::sharedFile("golden/tokenizer.json");
    PAL_SKIP_WITHOUT(tokenizer && file, "vocab/tiktoken.model and golden/tokenizer.json");
    const auto golden = nlohmann::json::parse(test::readFile(*file));
    for (const auto& [id, name] : golden.at("named_specials").items())
        EXPECT_EQ(tokenizer->tokenBytes(std::stoi(id)), name.get<std::string>());
    size_t cases = 0;
    for (const auto& entry : golden.at("cases")) {
        const auto text = entry.at("text").get<std::string>();
        const auto special = entry.value("ordinary", false) ? SpecialTokens::kForbid : SpecialTokens::kAllow;
        const auto ids = tokenizer->encode(text, special);
        EXPECT_EQ(ids, entry.at("ids").get<Ids>()) << entry.at("name");
        EXPECT_EQ(tokenizer->decode(ids), text) << entry.at("name");
        ++cases;
    }
    EXPECT_GE(cases, 48U);
}

struct Fact {
    std::string text;
    Ids ids;
    SpecialTokens special = SpecialTokens::kAllow;
};

// Ids of the first-party tokenizer, as published with its ports.
const std::vector<Fact>& facts() {
    using namespace std::string_literals;
    constexpr auto kOrdinary = SpecialTokens::kForbid;
    static const std::vector<Fact> kFacts = {
        {"a b", {64, 291}},
        {"a  b", {64, 220, 291}},
        {"a    b", {64, 274, 291}},
        {"hello   ", {22931, 274}},
        {"   hello", {256, 40493}},
        {"a\t\t\tb", {64, 353, 3214}},
        {"a \t \t b", {64, 220, 7304, 197, 291}},
        {"a    !", {64, 274, 1282}},
        {"a    7", {64, 274, 220, 22}},
        {"line1\r\nline2", {1611, 16, 462, 1611, 17}},
        {"text   \n   more", {3501, 15403, 256, 1070}},
        {"a\n\n\n\nb", {64, 13099, 65}},
        {"你好世界", {33845, 2243}},
        {"你好hello", {33845, 22931}},
        {"你好 世界", {33845, 220, 2243}},
        {"hello你好world", {22931, 33845, 23617}},
        {"你a好b世c", {633, 64, 628, 65, 1395, 66}},
        {"日本語のテキスト", {4546, 63011, 4663, 25875, 32045, 33360}},
        {"1234567890", {6694, 12972, 16242, 15}},
        {"3.14159", {18, 13, 18702, 6276}},
        {"it's", {64072}},
        {"IT'S", {1380, 34480}},
        {"it\u2019s", {277, 824}},
        {"don't", {88709}},
        {"DON'T", {35, 1034, 64833}},
        {"YOU'VE", {128742, 6, 4571}},
        {"Hello", {19180}},
        {"HELLO", {95218, 2359}},
        {"helloWorld", {22931, 14350}},
        {"ABCdef", {55335, 1166}},
        {"naïve café über", {4768, 44187, 367, 70591, 41513}},
        {"Привет мир", {159025, 63694, 5993, 17898}},
        {"🚀🔥", {5885, 40101, 66957, 98}},
        {"a\0b\x01"
         "c"s,
         {64, 188, 65, 189, 66}},
        {"e\u0301a\u0300", {68, 37484, 64, 71043}},
        {"", {}},
        {"<|not_a_real_token|>", {27, 91, 2976, 7794, 22357, 14147, 91, 29}},
        {"<|open|>", {27, 91, 4454, 91, 29}, kOrdinary},
        {"<|close|>", {27, 91, 10794, 91, 29}, kOrdinary},
        {"<|sep|>", {27, 91, 40433, 91, 29}, kOrdinary},
        {"<|end_of_msg|>", {27, 91, 517, 5118, 14222, 91, 29}, kOrdinary},
        {"[EOS]", {58, 85521, 60}, kOrdinary},
        {"<think>", {27, 39964, 29}},
        {"before<|sep|>after", {14435, 163589, 14306}},
        {"<|reserved_token_163592|>", {163592}},
        {"<|open|>x<|sep|>[EOS]", {27, 91, 4454, 91, 29, 87, 27, 91, 40433, 91, 41282, 85521, 60}, kOrdinary},
        {"<|kimi_image_placeholder|>", {27, 91, 74, 30223, 11947, 114136, 91, 29}},
        {"image 1024x768", {4017, 220, 8040, 19, 87, 27955}},
        {"image 100x100", {4017, 220, 1570, 87, 1570}},
        {"𠀀", {172, 254, 222, 222}}};
    return kFacts;
}

TEST(RealTokenizer, EncodesThePublishedFacts) {
    const auto tokenizer = test::realTokenizer();
    PAL_SKIP_WITHOUT(tokenizer, "vocab/tiktoken.model");
    EXPECT_EQ(tokenizer->baseSize(), 163584);
    EXPECT_EQ(tokenizer->size(), 163840);
    for (const Fact& fact : facts()) {
        EXPECT_EQ(tokenizer->encode(fact.text, fact.special), fact.ids) << fact.text;
        EXPECT_EQ(tokenizer->decode(fact.ids), fact.text);
    }
    EXPECT_EQ(tokenizer->stopIds(), (Ids{163586, 163585, 163593}));
    EXPECT_EQ(tokenizer->mediaPadId(), 163605);
    EXPECT_EQ(tokenizer->style(), ChatStyle::kK3);
    EXPECT_GT(tokenizer->encode("<|reserved_token_163839|>", SpecialTokens::kAllow).size(), 1U)
        << "that slot is named [PAD]";
}

TEST(RealTokenizer, CutsBeforeAnythingElse) {
    const auto tokenizer = test::realTokenizer();
    PAL_SKIP_WITHOUT(tokenizer, "vocab/tiktoken.model");
    const Tokenizer small = TokenizerLoader::withCuts(*tokenizer, {400'000, 4});
    EXPECT_EQ(small.encode("abcdefghij", SpecialTokens::kAllow), (Ids{61858, 1183, 1050, 3694}));
    EXPECT_EQ(small.encode("a<|sep|>", SpecialTokens::kAllow).back(), tokenizer->encode(">", SpecialTokens::kForbid)[0])
        << "a cut also splits what would have been a control token";
}

TEST(RealTokenizer, LongTextsAreQuick) {
    const auto tokenizer = test::realTokenizer();
    PAL_SKIP_WITHOUT(tokenizer, "vocab/tiktoken.model");
    Random random(4);
    std::string han;
    for (int i = 0; i < 25'000; ++i) utf8::append(han, static_cast<uint32_t>(0x4E00 + random.below(0x5000)));
    for (const std::string& text :
         {std::string(400'000, 'a'), std::string(400'000, ' '), han, test::base64(random.bytes(300'000))}) {
        const auto start = std::chrono::steady_clock::now();
        const auto ids = tokenizer->encode(text, SpecialTokens::kForbid);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        EXPECT_EQ(tokenizer->decode(ids), text);
        EXPECT_LT(seconds, 2.0) << "a quadratic merge takes minutes, this takes hundredths of a second";
    }
}

TEST(Tokenizer, ArbitraryBytesSurvive) {
    const Tokenizer tokenizer = test::nanoTokenizer();
    Random random(5);
    for (int i = 0; i < 5'000; ++i) {
        const std::string bytes = random.bytes(random.below(200));
        ASSERT_EQ(tokenizer.decode(tokenizer.encode(bytes, SpecialTokens::kForbid)), bytes);
        ASSERT_EQ(tokenizer.decode(tokenizer.encode(bytes, SpecialTokens::kAllow)), bytes);
    }
    for (int i = 0; i < 5'000; ++i) {
        const std::string text = test::toUtf8(test::randomCodePoints(random, random.below(200)));
        ASSERT_EQ(tokenizer.decode(tokenizer.encode(text, SpecialTokens::kForbid)), text);
    }
}

// Remembering pieces within a call changes nothing: encoding words one call each gives the same ids.
TEST(Tokenizer, RepeatedWordsGetTheSameIds) {
    const Tokenizer tokenizer = test::nanoTokenizer();
    Random random(6);
    std::vector<std::string> words;
    for (int i = 0; i < 300; ++i) {
        std::string word = " ";
        for (size_t k = 0; k < 3 + random.below(12); ++k) word += static_cast<char>('a' + random.below(26));
        words.push_back(std::move(word));
    }
    std::string text;
    Ids expected;
    for (int i = 0; i < 20'000; ++i) {
        const std::string& word = random.oneOf(words);
        text += word;
        const Ids ids = tokenizer.encode(word, SpecialTokens::kForbid);
        expected.insert(expected.end(), ids.begin(), ids.end());
    }
    EXPECT_EQ(tokenizer.encode(text, SpecialTokens::kForbid), expected);
}

TEST(Tokenizer, ControlTokensOnlyWhereAllowed) {
    const Tokenizer tokenizer = test::nanoTokenizer();
    const TokenId base = tokenizer.baseSize();
    for (TokenId id = base; id < tokenizer.size(); ++id) {
        const std::string name(tokenizer.tokenBytes(id));
        EXPECT_EQ(tokenizer.encode(name, SpecialTokens::kAllow), Ids{id}) << name;
        EXPECT_EQ(tokenizer.controlId(name), id);
        EXPECT_TRUE(tokenizer.isControl(id));
        for (const TokenId part : tokenizer.encode("x" + name + "y", SpecialTokens::kForbid))
            EXPECT_LT(part, base) << name;
    }
    const Ids ids = tokenizer.encode("ab<|open|><|open|[EOS]<<|sep|>", SpecialTokens::kAllow);
    EXPECT_EQ(tokenizer.decode(ids), "ab<|open|><|open|[EOS]<<|sep|>");
    EXPECT_EQ(std::count_if(ids.begin(), ids.end(), [&](TokenId id) { return tokenizer.isControl(id); }), 3);
    EXPECT_EQ(tokenizer.tokenBytes(-1), "");
    EXPECT_EQ(tokenizer.tokenBytes(tokenizer.size()), "");
    EXPECT_FALSE(tokenizer.isControl(tokenizer.size()));
}

// The embedded model was trained on ids of another implementation of the same rules.
TEST(Tokenizer, AgreesWithTheTrainerOfTheEmbeddedModel) {
    const Tokenizer tokenizer = test::nanoTokenizer();
    const auto golden = nlohmann::json::parse(test::readFile("tests/data/nano/tokenizer_golden.json"));
    size_t cases = 0;
    for (const auto& entry : golden.at("cases")) {  // text, whether control tokens are allowed, ids
        const auto special = entry.at(1) == 1 ? SpecialTokens::kAllow : SpecialTokens::kForbid;
        EXPECT_EQ(tokenizer.encode(entry.at(0).get<std::string>(), special), entry.at(2).get<Ids>()) << entry;
        ++cases;
    }
    EXPECT_GT(cases, 100U);
}

}  // namespace
}  // namespace pal
