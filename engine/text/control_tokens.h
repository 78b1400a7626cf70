// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal {

// The 256 control tokens behind the byte strings of a vocabulary: slot -> spelling and back, and their search in text.
class ControlTokens {
  public:
    static constexpr TokenId kCount = 256;

    // `names` gives spellings by id; other slots become "<|reserved_token_{id}|>". Errors: kFormat for an id outside
    // [base, base + 256), an empty spelling, or one that two slots share; `source` names the file in messages.
    static Result<ControlTokens> make(TokenId base, const std::map<TokenId, std::string>& names,
                                      std::string_view source);
    // The published names of a model family for a vocabulary of `base` byte strings.
    static std::map<TokenId, std::string> publishedNames(ChatStyle style, TokenId base);

    [[nodiscard]] std::string_view name(TokenId id) const { return names_[static_cast<size_t>(id - base_)]; }
    [[nodiscard]] std::optional<TokenId> find(std::string_view name) const;

    struct Match {
        size_t position = 0;  // the text's size when nothing was found
        size_t length = 0;
        TokenId id = 0;
    };
    // The first place at or after `from` that spells a control token; the longest one there.
    [[nodiscard]] Match search(std::string_view text, size_t from) const;

  private:
    struct NameHash {
        using is_transparent = void;
        size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
    };

    TokenId base_ = 0;
    std::vector<std::string> names_;
    std::unordered_map<std::string, TokenId, NameHash, std::equal_to<>> ids_;
    std::vector<size_t> lengths_;  // of all names, longest first
    std::bitset<256> firstBytes_;
};

}  // namespace pal
