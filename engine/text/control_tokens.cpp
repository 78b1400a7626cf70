// SPDX-License-Identifier: Apache-2.0
#include "engine/text/control_tokens.h"

#include <fmt/format.h>

#include <set>
#include <span>

namespace pal {
namespace {

constexpr size_t kMaxNameBytes = 256;

// Name of the control token at an offset behind the byte strings. Facts of the published tokenizer_config.json files.
struct PublishedName {
    TokenId offset;
    const char* name;
};
constexpr PublishedName kK3Names[] = {
    {0, "[BOS]"},
    {1, "[EOS]"},
    {2, "<|end_of_msg|>"},
    {3, "<|open|>"},
    {4, "<|close|>"},
    {5, "<|sep|>"},
    {6, "[start_header_id]"},
    {7, "[end_header_id]"},
    {9, "[EOT]"},
    {18, "<|media_begin|>"},
    {19, "<|media_content|>"},
    {20, "<|media_end|>"},
    {21, "<|media_pad|>"},
    {65, "<osagent_mode>"},
    {254, "[UNK]"},
    {255, "[PAD]"},
};
constexpr PublishedName kK2Names[] = {
    {0, "[BOS]"},
    {1, "[EOS]"},
    {2, "<|im_end|>"},
    {3, "<|im_user|>"},
    {4, "<|im_assistant|>"},
    {6, "<|start_header_id|>"},
    {7, "<|end_header_id|>"},
    {9, "[EOT]"},
    {10, "<|im_system|>"},
    {11, "<|tool_calls_section_begin|>"},
    {12, "<|tool_calls_section_end|>"},
    {13, "<|tool_call_begin|>"},
    {14, "<|tool_call_argument_begin|>"},
    {15, "<|tool_call_end|>"},
    {17, "<|im_middle|>"},
    {254, "[UNK]"},
    {255, "[PAD]"},
};

}  // namespace

std::map<TokenId, std::string> ControlTokens::publishedNames(ChatStyle style, TokenId base) {
    std::map<TokenId, std::string> names;
    const std::span<const PublishedName> table =
        style == ChatStyle::kK3 ? std::span<const PublishedName>(kK3Names) : std::span<const PublishedName>(kK2Names);
    for (const PublishedName& entry : table) names.emplace(base + entry.offset, entry.name);
    return names;
}

Result<ControlTokens> ControlTokens::make(TokenId base, const std::map<TokenId, std::string>& names,
                                          std::string_view source) {
    ControlTokens out;
    out.base_ = base;
    for (TokenId id = base; id < base + kCount; ++id) {
        const auto named = names.find(id);
        out.names_.push_back(named != names.end() ? named->second : fmt::format("<|reserved_token_{}|>", id));
    }
    for (const auto& [id, name] : names) {
        if (id < base || id >= base + kCount) {
            return fail(ErrorCode::kFormat, "{}: added token {} is outside the control slots {} to {}", source, id,
                        base, base + kCount - 1);
        }
        if (name.size() > kMaxNameBytes) {
            return fail(ErrorCode::kFormat, "{}: added token {} has {} bytes, at most {} are allowed", source, id,
                        name.size(), kMaxNameBytes);
        }
        if (name.empty()) return fail(ErrorCode::kFormat, "{}: added token {} has no text", source, id);
    }
    std::set<size_t, std::greater<>> lengths;
    for (size_t i = 0; i < out.names_.size(); ++i) {
        const std::string_view name = out.names_[i];
        const TokenId id = base + static_cast<TokenId>(i);
        const auto [first, isNew] = out.ids_.emplace(name, id);
        if (!isNew) {
            return fail(ErrorCode::kFormat, "{}: control tokens {} and {} are both spelled '{}'", source, first->second,
                        id, name);
        }
        lengths.insert(name.size());
        out.firstBytes_.set(static_cast<unsigned char>(name[0]));
    }
    out.lengths_.assign(lengths.begin(), lengths.end());
    return out;
}

std::optional<TokenId> ControlTokens::find(std::string_view name) const {
    const auto found = ids_.find(name);
    return found != ids_.end() ? std::optional(found->second) : std::nullopt;
}

ControlTokens::Match ControlTokens::search(std::string_view text, size_t from) const {
    for (size_t i = from; i < text.size(); ++i) {
        if (!firstBytes_.test(static_cast<unsigned char>(text[i]))) continue;
        for (const size_t length : lengths_) {
            if (length > text.size() - i) continue;
            if (const auto id = find(text.substr(i, length))) return {i, length, *id};
        }
    }
    return {text.size(), 0, 0};
}

}  // namespace pal
