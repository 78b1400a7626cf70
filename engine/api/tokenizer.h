// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace pal {

// Row of the embedding: 0 .. baseSize()-1 are byte strings (the tiktoken rank), the 256 after them control tokens.
using TokenId = int32_t;

// Which conversation format a vocabulary is made for; decided by the names of its control tokens.
enum class ChatStyle {
    kK3,  // XTML elements: <|open|> <|close|> <|sep|> <|end_of_msg|>
    kK2,  // Kimi K2 and Kimi-Linear: <|im_user|> <|im_assistant|> <|im_system|> <|im_middle|> <|im_end|>
};

// Whether text that spells a control token becomes that token. Only text written by this program may say kAllow.
enum class SpecialTokens { kForbid, kAllow };

// Byte-level BPE over a tiktoken vocabulary with the split pattern of Kimi K2/K3. Any byte string encodes, and decodes to itself.
// Cheap to copy (shares its tables), immutable: any thread may use it.
class Tokenizer {
  public:
    // Reads a tiktoken file: lines "base64 rank" with dense ranks from 0. Control names come from `added_tokens_decoder` of
    // `config` (a tokenizer_config.json) when given, else they are the published ones of `fallback`; unnamed slots are
    // "<|reserved_token_{id}|>". Errors: kNotFound, kIo, kFormat with file and line.
    static Result<Tokenizer> load(const std::filesystem::path& vocabulary,
                                  const std::optional<std::filesystem::path>& config = std::nullopt,
                                  ChatStyle fallback = ChatStyle::kK3);
    // tiktoken.model of a checkpoint folder with its tokenizer_config.json, generation_config.json and config.json as far as they
    // are there (the last names the style when there are no control names, and the media placeholder).
    static Result<Tokenizer> loadModelFolder(const std::filesystem::path& folder);

    // Text to ids; appends with `out`. Invalid UTF-8 is encoded byte by byte. Linear up to a logarithm in the text's length.
    [[nodiscard]] std::vector<TokenId> encode(std::string_view text, SpecialTokens special) const;
    void encode(std::string_view text, SpecialTokens special, std::vector<TokenId>& out) const;

    // The bytes of a token, for a control token its spelling; empty for ids outside the vocabulary. Lives as long as any copy.
    [[nodiscard]] std::string_view tokenBytes(TokenId id) const;
    // Concatenated token bytes: arbitrary bytes, see StreamDecoder and validUtf8 for text.
    [[nodiscard]] std::string decode(std::span<const TokenId> ids) const;

    [[nodiscard]] TokenId baseSize() const;  // number of byte-string tokens
    [[nodiscard]] TokenId size() const;      // baseSize() + 256
    [[nodiscard]] bool isControl(TokenId id) const { return id >= baseSize() && id < size(); }
    [[nodiscard]] std::optional<TokenId> controlId(std::string_view name) const;
    [[nodiscard]] ChatStyle style() const;

    // Ids that end a reply: eos_token_id of generation_config.json or config.json, the end-of-message token, [EOS] and [EOT].
    [[nodiscard]] const std::vector<TokenId>& stopIds() const;
    // The token that stands for one image embedding, where the vocabulary has one.
    [[nodiscard]] std::optional<TokenId> mediaPadId() const;
    // XXH3-128 of the vocabulary file and all control names: part of a model's fingerprint.
    [[nodiscard]] std::array<uint64_t, 2> fingerprint() const;

  private:
    struct Tables;
    explicit Tokenizer(std::shared_ptr<const Tables> tables) : tables_(std::move(tables)) {}
    friend struct TokenizerLoader;

    std::shared_ptr<const Tables> tables_;
};

// Bytes that arrive in pieces, out as valid UTF-8: malformed sequences become U+FFFD (as Python's "replace"), at most 3 bytes of an
// unfinished code point are held back. Confined to one thread.
class StreamDecoder {
  public:
    // Appends what is complete to `out`.
    void push(std::string_view bytes, std::string& out);
    // End of the stream: U+FFFD for an unfinished code point; ready for a new stream.
    void finish(std::string& out);

  private:
    std::string held_;
};

// The whole of `bytes` as valid UTF-8, malformed sequences replaced.
[[nodiscard]] std::string validUtf8(std::string_view bytes);

}  // namespace pal
