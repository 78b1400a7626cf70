// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/prompt_count.h"

#include <algorithm>
#include <numeric>

#include "app/compose/media_requests.h"

namespace pal::desktop {
namespace {

// What an attachment could do about an excess.
class Shortener {
  public:
    Shortener(const std::vector<AttachedFile>& files, const ComposedMessage& message, const ComposerContext& context,
              int64_t excess)
        : files_(files), message_(message), context_(context), excess_(excess) {}

    [[nodiscard]] std::vector<Choice> choices(const MappedPrompt& prompt, size_t at, const ComposedMessages& composed,
                                              const std::vector<TokenCounts>& costs) const {
        std::vector<Choice> out;
        for (size_t i = 0; i < files_.size(); ++i) {
            const auto pages = prompt.pageTokens(at, i, composed);
            for (const auto& choice : {smallerPictures(i), fewerFrames(i), fewerPages(i, pages)})
                if (choice) out.push_back(*choice);
        }
        for (size_t i = 0; i < files_.size(); ++i) {
            if (costs[i].all() >= excess_)
                out.push_back({Choice::Kind::kRemove, i, files_[i].options, 0, costs[i].all()});
        }
        if (!out.empty()) return out;
        for (size_t i = 0; i < files_.size(); ++i)
            if (costs[i].all() > 0) out.push_back({Choice::Kind::kRemove, i, files_[i].options, 0, costs[i].all()});
        return out;
    }

  private:
    [[nodiscard]] std::optional<Choice> fewerPages(size_t i, const std::vector<int64_t>& tokens) const {
        if (!message_.attachments[i].document) return std::nullopt;
        const auto& pages = message_.attachments[i].document->pages;
        int64_t saved = 0;
        size_t keep = pages.size();
        while (keep > 0 && saved < excess_) saved += tokens[--keep];
        if (keep == 0 || saved < excess_) return std::nullopt;
        AttachmentOptions options = files_[i].options;
        options.lastPage = pages[keep - 1].number;
        return Choice{Choice::Kind::kFewerPages, i, options, static_cast<int64_t>(keep), saved};
    }

    [[nodiscard]] std::optional<Choice> smallerPictures(size_t i) const {
        int64_t now = 0, largest = 0;
        std::vector<const ComposedMedium*> pictures;
        for (const ComposedMedium& medium : message_.media) {
            if (medium.attachment != i || medium.kind != ComposedMedium::Kind::kImage) continue;
            pictures.push_back(&medium);
            now += medium.rows();
            largest = std::max(largest, medium.rows());
        }
        if (now <= excess_) return std::nullopt;
        // Halving until it is enough: the size of a picture follows its tokens only roughly.
        for (int64_t each = largest - 1; each >= 1; each = each * 3 / 4) {
            const int64_t then =
                std::accumulate(pictures.begin(), pictures.end(), int64_t{0}, [&](int64_t sum, const auto* medium) {
                    const ResizePlan plan = planWithinTokens(*context_.media, context_.media->patchLimit, each,
                                                             medium->width, medium->height);
                    return sum + plan.tokens;
                });
            if (now - then < excess_) continue;
            AttachmentOptions options = files_[i].options;
            options.pictureTokens = each;
            return Choice{Choice::Kind::kSmallerPictures, i, options, each, now - then};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Choice> fewerFrames(size_t i) const {
        const auto& clip = message_.attachments[i].video;
        if (!clip || clip->tokens <= excess_) return std::nullopt;
        VideoRequest request = videoRequest(files_[i].options);
        request.maxTokens = clip->tokens - excess_;
        const auto shorter = replanVideo(*clip, *context_.media, request, files_[i].name);
        if (!shorter) return std::nullopt;
        AttachmentOptions options = files_[i].options;
        options.maxFrames = shorter->sampledFrames;
        return Choice{Choice::Kind::kFewerFrames, i, options, shorter->sampledFrames, clip->tokens - shorter->tokens};
    }

    const std::vector<AttachedFile>& files_;
    const ComposedMessage& message_;
    const ComposerContext& context_;
    int64_t excess_;
};

Result<> goesOn(const std::stop_token& stop) {
    if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "stopped while counting");
    return {};
}

}  // namespace

Result<PromptCount> countPrompt(const std::vector<AttachedFile>& files, const std::string& text,
                                const ComposerContext& context, const std::stop_token& stop) {
    if (!context.tokenizer) return fail(ErrorCode::kInvalidArgument, "no model is loaded");
    ComposeOptions options;
    options.media = context.media;
    options.stop = options.document.stop = stop;
    ChatRequest request;
    request.thinking = context.settings.thinking;
    request.effort = context.settings.effort;
    if (!context.settings.system.empty()) {
        ChatMessage& system = request.messages.emplace_back();
        system.role = "system";
        system.content.push_back({ContentPart::Kind::kText, context.settings.system});
    }
    const size_t at = request.messages.size();
    ComposedMessages composed;
    PAL_ASSIGN(composed[at], composeMessage(files, text, options));
    PAL_TRY(goesOn(stop));
    request.messages.push_back(composed[at].message);
    PAL_ASSIGN(const MappedPrompt prompt, mapPrompt(request, composed, *context.tokenizer));
    PAL_TRY(goesOn(stop));

    PromptCount out;
    out.counts = prompt.counts();
    out.earlierTokens = context.earlierTokens;
    out.contextTokens = context.contextTokens;
    out.excess = std::max<int64_t>(0, out.tokens() - context.contextTokens + 1);
    out.warnings = composed[at].warnings;
    for (size_t i = 0; i < files.size(); ++i) out.attachments.push_back(prompt.countsOf(at, i, composed));
    if (out.excess > 0) {
        const Shortener shortener(files, composed[at], context, out.excess);
        out.choices = shortener.choices(prompt, at, composed, out.attachments);
    }
    return out;
}

}  // namespace pal::desktop
