// SPDX-License-Identifier: Apache-2.0
#include "engine/api/chat.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/text/render.h"
#include "engine/text/tool_results.h"

namespace pal {

Result<std::vector<Segment>> renderChat(const ChatRequest& request, ChatStyle style) {
    ChatRequest sorted = request;
    sortToolResults(sorted.messages);
    return style == ChatStyle::kK3 ? renderK3(sorted) : renderK2(sorted);
}

std::vector<TokenId> encodeSegments(const Tokenizer& tokenizer, std::span<const Segment> segments) {
    std::vector<TokenId> ids;
    for (const Segment& segment : segments) tokenizer.encode(segment.text, segment.special, ids);
    return ids;
}

std::string imagePrompt(uint32_t width, uint32_t height) {
    return fmt::format("<|media_begin|>image {}x{}<|media_content|><|media_pad|><|media_end|>", width, height);
}

std::string videoChunkPrompt(std::string_view timestamp) {
    return fmt::format("{}<|media_begin|>video<|media_content|><|media_pad|><|media_end|>", timestamp);
}

Result<std::vector<TokenId>> expandMediaPads(std::span<const TokenId> ids, std::span<const uint32_t> counts,
                                             TokenId pad) {
    const auto pads = static_cast<size_t>(std::count(ids.begin(), ids.end(), pad));
    if (pads != counts.size()) {
        return fail(ErrorCode::kInvalidArgument, "the prompt has {} media placeholders for {} media items", pads,
                    counts.size());
    }
    std::vector<TokenId> out;
    size_t media = 0;
    for (const TokenId id : ids) {
        if (id != pad) {
            out.push_back(id);
            continue;
        }
        if (counts[media] == 0) return fail(ErrorCode::kInvalidArgument, "media item {} has no embeddings", media);
        out.insert(out.end(), counts[media], pad);
        ++media;
    }
    return out;
}

}  // namespace pal
