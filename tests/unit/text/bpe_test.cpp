// SPDX-License-Identifier: Apache-2.0
// Byte-pair encoding against its definition, on vocabularies that no training would make.
#include "engine/text/bpe.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "tests/unit/text/support.h"

namespace pal {
namespace {

using test::Random;

std::vector<TokenId> encodeByDefinition(const Vocabulary& vocabulary, std::string_view piece) {
    std::vector<std::string> parts;
    for (const char c : piece) parts.emplace_back(1, c);
    for (;;) {
        TokenId lowest = Vocabulary::kNone;
        size_t at = 0;
        for (size_t i = 0; i + 1 < parts.size(); ++i) {
            const TokenId merged = vocabulary.find(parts[i] + parts[i + 1]);
            if (merged != Vocabulary::kNone && (lowest == Vocabulary::kNone || merged < lowest)) {
                lowest = merged;
                at = i;
            }
        }
        if (lowest == Vocabulary::kNone) break;
        parts[at] += parts[at + 1];
        parts.erase(parts.begin() + static_cast<ptrdiff_t>(at) + 1);
    }
    std::vector<TokenId> ids;
    for (const std::string& part : parts) ids.push_back(vocabulary.find(part));
    return ids;
}

std::vector<TokenId> encode(const Vocabulary& vocabulary, const Atoms& atoms, std::string_view piece) {
    std::vector<TokenId> ids;
    BpeEncoder(vocabulary, atoms).encode(piece, ids);
    return ids;
}

// Tokens over the bytes of a few code points: joined from two tokens as training does (then pieces merge deep), or cut from text at
// random bytes (then tokens straddle code points), in random order (then ids do not rise with length).
Vocabulary randomVocabulary(Random& random, std::string_view text) {
    std::vector<std::string> extra;
    std::set<std::string> seen;
    const auto add = [&](std::string token) {
        if (token.size() > 1 && token.size() < 40 && seen.insert(token).second) extra.push_back(std::move(token));
    };
    const auto cut = [&](size_t longest) {
        return std::string(text.substr(random.below(text.size()), 2 + random.below(longest)));
    };
    const size_t count = 20 + random.below(60);
    const bool straddling = random.below(2) == 0;
    for (size_t i = 0; i < text.size(); i += 3) add(std::string(text.substr(i, 2)));
    for (size_t i = 0; i < text.size(); i += 3) add(std::string(text.substr(i, 3)));
    for (size_t i = 0; i < count; ++i) {
        if (straddling && random.below(4) == 0) add(cut(6));
        if (!extra.empty()) add(random.oneOf(extra) + random.oneOf(extra));
    }
    if (random.below(2) == 0) {
        for (size_t i = extra.size(); i > 1; --i) std::swap(extra[i - 1], extra[random.below(i)]);
    }
    std::vector<std::string> tokens = test::byteTokens();
    tokens.insert(tokens.end(), extra.begin(), extra.end());
    auto vocabulary = Vocabulary::parse(test::tiktokenFile(tokens), "random");
    EXPECT_TRUE(vocabulary.has_value());
    return *vocabulary;
}

TEST(Bpe, EqualsItsDefinitionOnRandomVocabularies) {
    Random random(1);
    size_t byAtoms = 0;
    size_t byBytes = 0;
    const std::vector<std::string> characters = {"你", "好", "世", "界", "乐", "一", "中"};
    for (int round = 0; round < 200; ++round) {
        std::string text;
        for (int i = 0; i < 12; ++i) text += random.oneOf(characters);
        const Vocabulary vocabulary = randomVocabulary(random, text);
        const Atoms atoms(vocabulary);
        for (int i = 0; i < 40; ++i) {
            std::string piece;
            const size_t length = 1 + random.below(i % 10 == 0 ? 200 : 20);
            for (size_t k = 0; k < length; ++k) piece += random.oneOf(characters);
            if (random.below(8) == 0) piece.erase(random.below(piece.size()), 1);  // malformed
            if (piece.empty()) continue;
            std::vector<uint32_t> starts;
            ++(atoms.split(piece, starts) ? byAtoms : byBytes);
            ASSERT_EQ(encode(vocabulary, atoms, piece), encodeByDefinition(vocabulary, piece))
                << "round " << round << ": " << piece;
        }
    }
    EXPECT_GT(byAtoms, 500U);
    EXPECT_GT(byBytes, 500U);
}

// Every token whose bytes straddle code points must keep its text from being split into atoms.
TEST(Bpe, EqualsItsDefinitionOnTheRealVocabulary) {
    const auto file = test::sharedFile("vocab/tiktoken.model");
    PAL_SKIP_WITHOUT(file, "vocab/tiktoken.model");
    const auto vocabulary = Vocabulary::parse(test::readFile(*file), "tiktoken.model");
    ASSERT_TRUE(vocabulary.has_value());
    const Atoms atoms(*vocabulary);
    Random random(2);
    size_t byAtoms = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string piece;  // tokens and their fragments side by side make neighbours that text rarely has
        const size_t parts = 1 + random.below(8);
        for (size_t k = 0; k < parts; ++k)
            piece += vocabulary->bytes(static_cast<TokenId>(random.below(static_cast<size_t>(vocabulary->size()))));
        if (random.below(2) == 0) piece = validUtf8(piece);
        std::vector<uint32_t> starts;
        byAtoms += atoms.split(piece, starts) ? 1 : 0;
        ASSERT_EQ(encode(*vocabulary, atoms, piece), encodeByDefinition(*vocabulary, piece)) << piece;
    }
    EXPECT_GT(byAtoms, 2'000U);
}

// Tokens of two partial code points that end with one lead byte concern 4096 code points each. Few are looked for one by one; of many,
// the code points they touch are given up.
TEST(Bpe, ManyStraddlersOfOneLeadByteCostLittle) {
    for (const bool many : {false, true}) {
        std::vector<std::string> tokens = test::byteTokens();
        for (uint32_t codePoint = 0x4000; codePoint < 0x5000; ++codePoint) {
            const std::string character = test::toUtf8(std::u32string(1, static_cast<char32_t>(codePoint)));
            if (codePoint % 64 == 0) tokens.push_back(character.substr(0, 2));
            tokens.push_back(character);
        }
        for (int i = 0; i < (many ? 64 * 64 : 64); ++i) {
            tokens.push_back(std::string("\x80") + static_cast<char>(0x80 + i / 64) + static_cast<char>(0x80 + i % 64) +
                             "\xE4");
        }
        const auto vocabulary = Vocabulary::parse(test::tiktokenFile(tokens), "straddlers");
        ASSERT_TRUE(vocabulary.has_value()) << vocabulary.error().message;
        const Atoms atoms(*vocabulary);
        std::vector<uint32_t> starts;
        EXPECT_EQ(atoms.split("你世", starts), !many);
        for (const char* piece : {"你世", "\xE5\x80\x80你", "a你"})
            EXPECT_EQ(encode(*vocabulary, atoms, piece), encodeByDefinition(*vocabulary, piece)) << piece;
    }
}

TEST(Bpe, LongPiecesTakeNoQuadraticTime) {
    std::vector<std::string> tokens = test::byteTokens();
    for (size_t length = 2; length <= 64; length *= 2) tokens.emplace_back(length, 'a');
    const auto vocabulary = Vocabulary::parse(test::tiktokenFile(tokens), "a");
    const Atoms atoms(*vocabulary);
    const auto seconds = [&](size_t length) {
        const std::string piece(length, 'a');
        double best = 1e9;  // of three, so that another process cannot spoil it
        for (int i = 0; i < 3; ++i) {
            const auto start = std::chrono::steady_clock::now();
            const auto ids = encode(*vocabulary, atoms, piece);
            best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
            EXPECT_EQ(ids.size(), length / 64);
        }
        return best;
    };
    EXPECT_LT(seconds(1 << 20), 16 * 16 * seconds(1 << 16) / 2) << "16 times the text may not take 256 times the time";
}

}  // namespace
}  // namespace pal
