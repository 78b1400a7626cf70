// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/compose/prompt.h"
#include "app/composition/session_settings.h"
#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal::desktop {

// For which model and session a question is written.
struct ComposerContext {
    std::optional<Tokenizer> tokenizer;  // nothing while no model is loaded: then nothing can be counted
    std::optional<MediaConfig> media;    // nothing for a model that cannot see
    SessionSettings settings;
    int64_t contextTokens = 0;
    int64_t earlierTokens = 0;  // of the messages before, ChatRunner::earlierTokens
};

// A way to make a prompt shorter.
struct Choice {
    enum class Kind { kFewerPages, kFewerFrames, kSmallerPictures, kRemove };
    Kind kind = Kind::kRemove;
    size_t attachment = 0;
    AttachmentOptions options;  // that the attachment then has
    int64_t number = 0;         // pages or frames that stay, or tokens that a picture then takes
    int64_t saves = 0;          // tokens, at least
};

// What a question takes, exactly: the prompt is composed and encoded as it will be sent.
struct PromptCount {
    TokenCounts counts;         // of the message and what stands around all messages
    int64_t earlierTokens = 0;  // of the messages before
    int64_t contextTokens = 0;
    int64_t excess = 0;  // tokens that are too many; one token of an answer needs room, too
    std::vector<TokenCounts> attachments;
    std::vector<std::string> warnings;  // what the model will not see or should doubt
    std::vector<Choice> choices;        // when there is an excess: the mildest first, each enough on its own; else what
                                        // taking an attachment out would save

    [[nodiscard]] int64_t tokens() const { return counts.all() + earlierTokens; }
};

// `files` were read before (document, clip). Blocks, for as long as tokenizing the text takes; a stop is seen between the steps. Errors:
// those of composing; kCancelled; kInvalidArgument when there is no tokenizer.
Result<PromptCount> countPrompt(const std::vector<AttachedFile>& files, const std::string& text,
                                const ComposerContext& context, const std::stop_token& stop);

}  // namespace pal::desktop
