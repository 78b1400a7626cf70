// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

#include "app/compose/prompt.h"

namespace pal {
namespace {

// What an attachment costs and what would make it cheaper.
std::string choice(const ComposedAttachment& attachment, const TokenCounts& cost) {
    switch (attachment.kind) {
        case AttachedKind::kText:
            return fmt::format("less of {} ({} tokens)", attachment.name, cost.all());
        case AttachedKind::kDocument: {
            const size_t pages = attachment.document ? attachment.document->pages.size() : 0;
            std::string out =
                pages > 1 ? fmt::format("fewer pages of {} ({} tokens in {} pages", attachment.name, cost.all(), pages)
                          : fmt::format("less of {} ({} tokens", attachment.name, cost.all());
            if (cost.image > 0) out += fmt::format(", {} of them for pictures of pages", cost.image);
            return out + ")";
        }
        case AttachedKind::kImage:
            return fmt::format("a smaller {} ({} tokens)", attachment.name, cost.all());
        case AttachedKind::kVideo:
            return fmt::format("fewer frames of {} ({} tokens for {} frames)", attachment.name, cost.all(),
                               attachment.video ? attachment.video->sampledFrames : 0);
    }
    return {};
}

// Megabytes of ten to the sixth, rounded up.
uint64_t megabytes(uint64_t bytes) {
    return (bytes + 999'999) / 1'000'000;
}

}  // namespace

Result<> checkMediaMemory(const ComposedMessage& message, uint64_t mostBytes) {
    std::vector<uint64_t> bytes(message.attachments.size());
    uint64_t total = 0;
    for (const ComposedMedium& medium : message.media) {
        bytes[medium.attachment] += medium.patchBytes();
        total += medium.patchBytes();
    }
    if (total <= mostBytes) return {};
    std::string text =
        fmt::format("the pixels of all pictures and clips take {} MB of memory, at most {} MB are allowed",
                    megabytes(total), mostBytes / 1'000'000);
    const char* between = "; what would help: ";
    for (size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == 0) continue;
        const bool isClip = message.attachments[i].kind == AttachedKind::kVideo;
        text += fmt::format("{}{} of {} ({} MB)", between, isClip ? "fewer frames" : "smaller or fewer pictures",
                            message.attachments[i].name, megabytes(bytes[i]));
        between = ", ";
    }
    return fail(ErrorCode::kOutOfMemory, "{}", text);
}

Result<> checkFits(const MappedPrompt& prompt, size_t message, const ComposedMessages& composed,
                   const ContextRoom& room) {
    const TokenCounts& counts = prompt.counts();
    const int64_t total = std::ssize(prompt.prompt().ids) + room.earlierTokens;
    if (total < room.contextTokens) return {};  // one token of an answer has room
    std::string text = fmt::format("the prompt has {} tokens ({} text, {} image, {} video, {} markup", total,
                                   counts.text, counts.image, counts.video, counts.markup);
    if (room.earlierTokens > 0) text += fmt::format(", {} of earlier messages", room.earlierTokens);
    text += fmt::format("), the context holds {} with the answer: {} too many", room.contextTokens,
                        total - room.contextTokens + 1);
    if (const auto found = composed.find(message); found != composed.end()) {
        const char* between = "; what would help: ";
        for (size_t i = 0; i < found->second.attachments.size(); ++i) {
            text += between + choice(found->second.attachments[i], prompt.countsOf(message, i, composed));
            between = ", ";
        }
    }
    return fail(ErrorCode::kInvalidArgument, "{}", text);
}

}  // namespace pal
