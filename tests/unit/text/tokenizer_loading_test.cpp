// SPDX-License-Identifier: Apache-2.0
// Vocabulary files and configs, well-formed and hostile: one clear error each.
#include <gtest/gtest.h>

#include "tests/unit/text/support.h"

namespace pal {
namespace {

using test::byteTokens;
using test::TemporaryFolder;
using test::tiktokenFile;

std::string errorOf(const Result<Tokenizer>& result) {
    return result ? "loaded" : result.error().message;
}

// The error of a vocabulary with these bytes, without the folder's name.
std::string vocabularyError(std::string_view bytes) {
    const TemporaryFolder folder;
    const auto path = folder.write("v", bytes);
    std::string message = errorOf(Tokenizer::load(path));
    if (message.starts_with(path.string())) message.erase(0, path.string().size());
    return message;
}

std::string configError(std::string_view json) {
    const TemporaryFolder folder;
    const auto path = folder.write("c", json);
    std::string message = errorOf(Tokenizer::load(folder.write("v", tiktokenFile(byteTokens())), path));
    if (message.starts_with(path.string())) message.erase(0, path.string().size());
    return message;
}

TEST(Vocabulary, LoadsAndNamesSlots) {
    const TemporaryFolder folder;
    const auto path = folder.write("v", tiktokenFile(byteTokens()));
    const auto k3 = Tokenizer::load(path);
    ASSERT_TRUE(k3.has_value()) << errorOf(k3);
    EXPECT_EQ(k3->size(), 512);
    EXPECT_EQ(k3->controlId("<|end_of_msg|>"), 258);
    EXPECT_EQ(k3->tokenBytes(264), "<|reserved_token_264|>");
    EXPECT_EQ(k3->stopIds(), (std::vector<TokenId>{258, 257, 265}));
    const auto k2 = Tokenizer::load(path, std::nullopt, ChatStyle::kK2);
    ASSERT_TRUE(k2.has_value());
    EXPECT_EQ(k2->style(), ChatStyle::kK2);
    EXPECT_EQ(k2->controlId("<|im_end|>"), 258);
    EXPECT_EQ(k2->mediaPadId(), std::nullopt);
    EXPECT_NE(k2->fingerprint(), k3->fingerprint()) << "control names are part of the identity";
}

TEST(Vocabulary, TheLastLineNeedsNoLineEnd) {
    const TemporaryFolder folder;
    std::string file = tiktokenFile(byteTokens());
    file.pop_back();
    EXPECT_TRUE(Tokenizer::load(folder.write("v", file)).has_value());
}

TEST(Vocabulary, HostileFiles) {
    const std::string good = tiktokenFile(byteTokens());
    EXPECT_EQ(vocabularyError("AA==\n"), ":1: not of the form 'base64 rank'");
    EXPECT_EQ(vocabularyError("A?== 0\n"), ":1: not base64 before the blank");
    EXPECT_EQ(vocabularyError("AA= 0\n"), ":1: not base64 before the blank");
    EXPECT_EQ(vocabularyError(" 0\n"), ":1: not base64 before the blank");
    EXPECT_EQ(vocabularyError("==== 0\n"), ":1: not base64 before the blank");
    EXPECT_EQ(vocabularyError("AB== 0\n"), ":1: not base64 before the blank") << "stray bits";
    EXPECT_EQ(vocabularyError("AA== x\n"), ":1: the rank is not a decimal number");
    EXPECT_EQ(vocabularyError("AA== 0\r\n"), ":1: the rank is not a decimal number");
    EXPECT_EQ(vocabularyError("AA== -1\n"), ":1: the rank is not a decimal number");
    EXPECT_EQ(vocabularyError("AA== 99999999999999999999999\n"), ":1: the rank is not a decimal number");
    EXPECT_EQ(vocabularyError("AA== 1\n"), ":1: rank 1, expected 0 (ranks are dense and in order)");
    EXPECT_EQ(vocabularyError(good + good), ":257: rank 0, expected 256 (ranks are dense and in order)");
    EXPECT_EQ(vocabularyError(good + "AA== 256\n"), ":257: the same bytes as on line 1");
    EXPECT_EQ(vocabularyError("AA== 0\nAQ== 1\n"), ": no token for the single byte 0x02 among 2 tokens");
    EXPECT_EQ(vocabularyError(good + "\n"), ":257: not of the form 'base64 rank'");
    EXPECT_EQ(vocabularyError(std::string(1000, '\0')), ":1: not of the form 'base64 rank'");
    EXPECT_EQ(vocabularyError(std::string(1 << 20, 'A')), ":1: line of 1048576 bytes, tokens are at most 65535");
    EXPECT_NE(vocabularyError("").find("empty"), std::string::npos);
    EXPECT_EQ(Tokenizer::load("/nowhere/v").error().code, ErrorCode::kNotFound);
}

TEST(Vocabulary, SparseFilesTakeNoMemory) {
    const TemporaryFolder folder;
    const auto path = folder.write("v", "");
    constexpr uintmax_t kSize = (uintmax_t{256} << 20) + 1;
    std::filesystem::resize_file(path, kSize);
    const auto result = Tokenizer::load(path);
    EXPECT_EQ(errorOf(result), path.string() + ": 268435457 bytes, at most 268435456 are allowed");
}

TEST(TokenizerConfig, NamesComeFromIt) {
    const TemporaryFolder folder;
    std::string json = R"({"added_tokens_decoder": {)";
    int id = 300;  // not where the published files have them
    for (const char* name : {"<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>", "<|media_pad|>"}) {
        json += (id == 300 ? "\"" : ", \"") + std::to_string(id) + R"(": {"content": ")" + name + "\"}";
        ++id;
    }
    json += "}}";
    const auto tokenizer = Tokenizer::load(folder.write("v", tiktokenFile(byteTokens())), folder.write("c", json));
    ASSERT_TRUE(tokenizer.has_value()) << errorOf(tokenizer);
    EXPECT_EQ(tokenizer->controlId("<|open|>"), 300);
    EXPECT_EQ(tokenizer->mediaPadId(), 304);
    EXPECT_EQ(tokenizer->controlId("[BOS]"), std::nullopt);
    EXPECT_EQ(tokenizer->stopIds(), std::vector<TokenId>{303});
}

TEST(TokenizerConfig, HostileFiles) {
    const auto decoder = [](const std::string& entries) {
        return configError(R"({"added_tokens_decoder": )" + entries + "}");
    };
    EXPECT_EQ(configError("{"), ": JSON line 1, column 2: expected a key in quotes");
    EXPECT_EQ(configError("[]"), ": the top level is not an object");
    EXPECT_EQ(configError("{\n \"a\": \xFF}"), ": JSON line 2, column 7: expected a value");
    EXPECT_EQ(configError("{\"a\": \"\xFF\"}"), ": JSON line 1, column 8: not UTF-8");
    EXPECT_EQ(configError(std::string(100'000, '[')), ": JSON line 1, column 257: nested deeper than 256 levels");
    EXPECT_EQ(decoder("[]"), ": added_tokens_decoder is not an object");
    EXPECT_EQ(decoder(R"({"x": {"content": "a"}})"), ": added_tokens_decoder key 'x' is not a token id");
    EXPECT_EQ(decoder(R"({"-1": {"content": "a"}})"), ": added_tokens_decoder key '-1' is not a token id");
    EXPECT_EQ(decoder(R"({"256": 3})"), ": added_tokens_decoder[256] has no string 'content'");
    EXPECT_EQ(decoder(R"({"256": {"content": 3}})"), ": added_tokens_decoder[256] has no string 'content'");
    EXPECT_EQ(decoder(R"({"256": {"content": ""}})"), ": added token 256 has no text");
    EXPECT_EQ(decoder(R"({"255": {"content": "a"}})"), ": added token 255 is outside the control slots 256 to 511");
    EXPECT_EQ(decoder(R"({"512": {"content": "a"}})"), ": added token 512 is outside the control slots 256 to 511");
    EXPECT_EQ(decoder(R"({"256": {"content": "a"}, "0256": {"content": "b"}})"),
              ": added_tokens_decoder names token 256 twice");
    EXPECT_EQ(decoder(R"({"256": {"content": "a"}, "257": {"content": "a"}})"),
              ": control tokens 256 and 257 are both spelled 'a'");
    EXPECT_EQ(decoder(R"({"256": {"content": "a"}})"),
              ": the control tokens are neither those of Kimi K3 nor of Kimi K2");
    EXPECT_EQ(decoder("{\"256\": {\"content\": \"" + std::string(300, 'x') + "\"}}"),
              ": added token 256 has 300 bytes, at most 256 are allowed");
}

TEST(TokenizerConfig, SizesAreLimited) {
    const TemporaryFolder folder;
    const auto path = folder.write("c", "{");
    std::filesystem::resize_file(path, (uintmax_t{16} << 20) + 1);
    EXPECT_EQ(errorOf(Tokenizer::load(folder.write("v", tiktokenFile(byteTokens())), path)),
              path.string() + ": 16777217 bytes of JSON, at most 16777216 are allowed");
}

TEST(ModelFolder, ReadsStopsStyleAndPad) {
    const TemporaryFolder folder;
    folder.write("tiktoken.model", tiktokenFile(byteTokens()));
    const auto bare = Tokenizer::loadModelFolder(folder.path());
    ASSERT_TRUE(bare.has_value()) << errorOf(bare);
    EXPECT_EQ(bare->style(), ChatStyle::kK3);
    folder.write("config.json",
                 R"({"model_type": "kimi_linear", "eos_token_id": 7, "media_placeholder_token_id": null})");
    const auto linear = Tokenizer::loadModelFolder(folder.path());
    ASSERT_TRUE(linear.has_value()) << errorOf(linear);
    EXPECT_EQ(linear->style(), ChatStyle::kK2);
    EXPECT_EQ(linear->stopIds().front(), 7);
    folder.write("generation_config.json", R"({"eos_token_id": [258, 9]})");
    folder.write("config.json", R"({"model_type": "kimi_k3", "eos_token_id": 7, "media_placeholder_token_id": 300})");
    const auto k3 = Tokenizer::loadModelFolder(folder.path());
    ASSERT_TRUE(k3.has_value()) << errorOf(k3);
    EXPECT_EQ(k3->stopIds(), (std::vector<TokenId>{258, 9, 257, 265})) << "generation_config.json comes first";
    EXPECT_EQ(k3->mediaPadId(), 300);
    folder.write("generation_config.json", R"({"eos_token_id": 512})");
    EXPECT_NE(errorOf(Tokenizer::loadModelFolder(folder.path())).find("eos_token_id is not a token id below 512"),
              std::string::npos);
    folder.write("generation_config.json", R"({"eos_token_id": "2"})");
    EXPECT_FALSE(Tokenizer::loadModelFolder(folder.path()).has_value());
    folder.write("generation_config.json", "{}");
    folder.write("config.json", R"({"media_placeholder_token_id": 9999})");
    EXPECT_NE(errorOf(Tokenizer::loadModelFolder(folder.path())).find("media_placeholder_token_id"), std::string::npos);
}

// A cache entry whose files were removed holds links to nowhere: loading without what they stood for would pick other stop tokens.
TEST(ModelFolder, LinksToNowhereAreNamed) {
    for (const char* name : {"config.json", "generation_config.json", "tokenizer_config.json", "tiktoken.model"}) {
        const TemporaryFolder folder;
        folder.write("tiktoken.model", tiktokenFile(byteTokens()));
        std::filesystem::remove(folder.path() / name);
        std::filesystem::create_symlink("gone", folder.path() / name);
        EXPECT_EQ(errorOf(Tokenizer::loadModelFolder(folder.path())),
                  (folder.path() / name).string() + ": the link leads to 'gone', which is not there");
    }
}

TEST(ModelFolder, TheEmbeddedModelHasTheSameControlTokensAtTheSameOffsets) {
    const Tokenizer nano = test::nanoTokenizer();
    const TemporaryFolder folder;
    const auto bytesOnly = Tokenizer::load(folder.write("v", tiktokenFile(byteTokens())));
    ASSERT_TRUE(bytesOnly.has_value());
    for (const char* name :
         {"[BOS]", "<|end_of_msg|>", "<|open|>", "<|close|>", "<|sep|>", "<|media_begin|>", "<|media_pad|>"}) {
        ASSERT_TRUE(nano.controlId(name).has_value()) << name;
        EXPECT_EQ(*nano.controlId(name) - nano.baseSize(), *bytesOnly->controlId(name) - bytesOnly->baseSize()) << name;
    }
}

}  // namespace
}  // namespace pal
