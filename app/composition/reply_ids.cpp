// SPDX-License-Identifier: Apache-2.0
#include "app/composition/reply_ids.h"

#include <algorithm>
#include <optional>

namespace pal {
namespace {

bool isStop(const Tokenizer& tokenizer, TokenId id) {
    const auto& stops = tokenizer.stopIds();
    return std::find(stops.begin(), stops.end(), id) != stops.end();
}

// Without a marker that was not finished: "<|close|>thi" without its "<|sep|>".
std::span<const TokenId> wholeMarkers(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
    const auto open = tokenizer.controlId("<|open|>");
    const auto close = tokenizer.controlId("<|close|>");
    for (size_t i = ids.size(); i > 0; --i) {
        const TokenId id = ids[i - 1];
        if (!tokenizer.isControl(id)) continue;
        return id == open || id == close ? ids.first(i - 1) : ids;
    }
    return ids;
}

// Where the control token that follows the control tokens of `ids` stands in `rendered`; nothing when `rendered` has others before it.
std::optional<size_t> nextControl(const Tokenizer& tokenizer, std::span<const TokenId> ids,
                                  std::span<const TokenId> rendered) {
    size_t at = 0;
    const auto skipText = [&] {
        while (at < rendered.size() && !tokenizer.isControl(rendered[at])) ++at;
    };
    skipText();
    for (const TokenId id : ids) {
        if (!tokenizer.isControl(id)) continue;
        if (at == rendered.size() || rendered[at] != id) return std::nullopt;
        ++at;
        skipText();
    }
    return at;
}

}  // namespace

std::vector<TokenId> replyIds(const Tokenizer& tokenizer, std::span<const TokenId> drawn,
                              std::span<const TokenId> rendered) {
    const bool whole = !drawn.empty() && !rendered.empty() && isStop(tokenizer, drawn.back());
    if (whole && drawn.back() == rendered.back()) return {drawn.begin(), drawn.end()};
    const auto unended = whole ? drawn.first(drawn.size() - 1) : drawn;
    const auto kept = wholeMarkers(tokenizer, unended);
    const auto rest = nextControl(tokenizer, kept, rendered);
    if (!rest) {
        std::vector<TokenId> out(unended.begin(), unended.end());
        if (!rendered.empty()) out.push_back(rendered.back());
        return out;
    }
    std::vector<TokenId> out(kept.begin(), kept.end());
    out.insert(out.end(), rendered.begin() + static_cast<ptrdiff_t>(*rest), rendered.end());
    return out;
}

}  // namespace pal
