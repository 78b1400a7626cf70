// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/tokenizer.h"
#include "engine/text/utf8.h"

namespace pal::test {

// A file of the data that is not in this repository (the real vocabulary and texts), or nothing when it is not on this machine.
inline std::optional<std::filesystem::path> sharedFile(std::string_view name) {
    const char* root = std::getenv("PAL_SHARED");
    if (root == nullptr) return std::nullopt;
    std::filesystem::path path = std::filesystem::path(root) / name;
    return std::filesystem::exists(path) ? std::optional(path) : std::nullopt;
}

// The tokenizer of Kimi K3, or nothing as above.
inline std::optional<Tokenizer> realTokenizer() {
    const auto file = sharedFile("vocab/tiktoken.model");
    if (!file) return std::nullopt;
    auto tokenizer = Tokenizer::load(*file);
    EXPECT_TRUE(tokenizer.has_value()) << (tokenizer ? "" : tokenizer.error().message);
    return tokenizer ? std::optional(*tokenizer) : std::nullopt;
}
#define PAL_SKIP_WITHOUT(thing, what) \
    if (!(thing)) GTEST_SKIP() << "PAL_SHARED does not lead to " what

// The tokenizer of the embedded model: small, and always here.
inline Tokenizer nanoTokenizer() {
    auto tokenizer = Tokenizer::load("resources/nano/tiktoken.model", "resources/nano/tokenizer_config.json");
    EXPECT_TRUE(tokenizer.has_value()) << (tokenizer ? "" : tokenizer.error().message);
    return *tokenizer;
}

inline std::string readFile(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    EXPECT_TRUE(in.good()) << path;
    return {std::istreambuf_iterator<char>(in), {}};
}

// A folder that is removed with the object.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "pal-test-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }

    std::filesystem::path write(std::string_view name, std::string_view bytes) const {
        std::filesystem::path path = path_ / name;
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

inline std::string base64(std::string_view bytes) {
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](size_t k) {
            return k < bytes.size() ? uint32_t{static_cast<unsigned char>(bytes[k])} : 0U;
        };
        const uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        for (size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kAlphabet[bits >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

// The text of a tiktoken file with these tokens in this order.
inline std::string tiktokenFile(const std::vector<std::string>& tokens) {
    std::string out;
    for (size_t i = 0; i < tokens.size(); ++i) out += base64(tokens[i]) + ' ' + std::to_string(i) + '\n';
    return out;
}

// The 256 single bytes.
inline std::vector<std::string> byteTokens() {
    std::vector<std::string> tokens;
    for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
    return tokens;
}

// Seeded choices.
class Random {
  public:
    explicit Random(uint64_t seed) : engine_(seed) {}
    // In [0, bound).
    size_t below(size_t bound) { return static_cast<size_t>(engine_() % bound); }
    template <typename Container>
    const auto& oneOf(const Container& choices) {
        return choices[below(std::size(choices))];
    }
    std::string bytes(size_t length) {
        std::string out;
        for (size_t i = 0; i < length; ++i) out += static_cast<char>(below(256));
        return out;
    }

  private:
    std::mt19937_64 engine_;
};

// Code points that stand for every class and corner of the split pattern.
inline constexpr uint32_t kTellingCodePoints[] = {
    'a',     'b',     's',     't',     'd',     'm',     'r',     'e',     'v',     'l',     'A',     'S',     'T',
    'L',     'R',     'E',     '\'',    '\'',    '\'',    ' ',     ' ',     ' ',     '\t',    '\n',    '\r',    '\n',
    '0',     '7',     '.',     ',',     '!',     '-',     '_',     '"',     '<',     '|',     '[',     0,       1,
    0x0B,    0x0C,    0x1C,    0x1F,    0x7F,    0x85,    0xA0,    0xAD,    0xBD,    0xB2,    0xE9,    0xDF,    0xD7,
    0x17F,   0x130,   0x1C5,   0x1F88,  0x2B0,   0x300,   0x301,   0x345,   0x3A3,   0x3C3,   0x416,   0x436,   0x5D0,
    0x5B0,   0x627,   0x64B,   0x660,   0x905,   0x93F,   0x94D,   0x966,   0xE01,   0xE31,   0x10D0,  0x1C90,  0x1680,
    0x2003,  0x200B,  0x200D,  0x2019,  0x2028,  0x2029,  0x202F,  0x2160,  0x2167,  0x212A,  0x24B6,  0x2603,  0x2E80,
    0x2F00,  0x3000,  0x3001,  0x3005,  0x3007,  0x3021,  0x3038,  0x303B,  0x3042,  0x30AB,  0x30FC,  0x3131,  0x3400,
    0x4E00,  0x4F60,  0x597D,  0x4E16,  0xAC00,  0xD7A3,  0xE000,  0xF900,  0xFE0F,  0xFF11,  0xFF21,  0xFF41,  0xFFFD,
    0xFFFF,  0x10400, 0x10428, 0x16FE2, 0x16FE3, 0x16FF0, 0x1D400, 0x1D7D8, 0x1F600, 0x1F3FB, 0x20000, 0x2A6DF, 0x31350,
    0x323AF, 0xE0100, 0x10FFFF};

// Text of `length` code points: mostly telling ones, some from all of Unicode.
inline std::u32string randomCodePoints(Random& random, size_t length) {
    std::u32string out;
    while (out.size() < length) {
        const auto codePoint =
            random.below(8) != 0 ? random.oneOf(kTellingCodePoints) : static_cast<uint32_t>(random.below(0x110000));
        if (codePoint >= 0xD800 && codePoint < 0xE000) continue;
        const size_t repeats = random.below(6) == 0 ? 1 + random.below(4) : 1;
        out.append(repeats, static_cast<char32_t>(codePoint));
    }
    return out;
}

inline std::string toUtf8(std::u32string_view text) {
    std::string out;
    for (const char32_t codePoint : text) utf8::append(out, codePoint);
    return out;
}

}  // namespace pal::test
