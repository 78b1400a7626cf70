// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/compose/message.h"
#include "engine/api/chat.h"
#include "engine/api/session.h"
#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal {

// The composed messages of a conversation, by their place in ChatRequest::messages; the other messages are plain text.
using ComposedMessages = std::map<size_t, ComposedMessage>;

// Tokens of a prompt by what they stand for. Text is what messages say, markup the rest: tags, the system's own messages, marks of media.
struct TokenCounts {
    int64_t text = 0, image = 0, video = 0, markup = 0;
    [[nodiscard]] int64_t all() const { return text + image + video + markup; }
};

// Where one token comes from.
struct TokenOrigin {
    enum class Kind { kMarkup, kText, kImage, kVideo };
    Kind kind = Kind::kMarkup;
    size_t message = 0;                 // of ChatRequest::messages; not for kMarkup
    std::optional<size_t> attachment;   // of that message; none: the question, another message, or a mark between texts
    int page = 0;                       // from 1; 0: no document
    size_t textBegin = 0, textEnd = 0;  // kText: bytes of the page's text, else of the message's part
    std::vector<PageRegion> regions;    // kText on a page whose layout is known: the lines, in points of the page
    std::vector<VideoFrame> frames;     // kVideo: the frames of the chunk; a token stands for all of them
    int64_t patchRow = 0, patchColumn = 0;  // kImage, kVideo: the first patch of the token's square
    // kImage, kVideo: its square in original pixels, cut to the picture; zero width or height in the padding.
    double x = 0, y = 0, width = 0, height = 0;
};

// Neighbouring tokens from one place: a page's text, the text of a message with its marks, a picture, a chunk of a clip, or markup.
struct TokenStretch {
    int64_t begin = 0, end = 0;
    TokenOrigin::Kind kind = TokenOrigin::Kind::kMarkup;
    size_t message = 0;                      // as TokenOrigin
    std::optional<size_t> attachment = {};   // likewise
    int page = 0;                            // likewise
    const ComposedMedium* medium = nullptr;  // of kImage, kVideo
};

// A prompt that knows what each of its tokens is.
class MappedPrompt {
  public:
    [[nodiscard]] const Prompt& prompt() const { return prompt_; }
    // The prompt with the media that were loaded since it was mapped.
    [[nodiscard]] Prompt loaded(const ComposedMessages& composed) const;
    [[nodiscard]] const TokenCounts& counts() const { return counts_; }
    // 0 <= token < prompt().ids.size(). `composed` as given to mapPrompt.
    [[nodiscard]] TokenOrigin originOf(int64_t token, const ComposedMessages& composed) const;
    // All tokens by where they come from, in order and without gaps. Costs by the pages, not by the tokens. Borrows from `composed`, which is as
    // given to mapPrompt.
    [[nodiscard]] std::vector<TokenStretch> stretches(const ComposedMessages& composed) const;
    // Tokens of a message that are text, image or video; markup is not counted.
    [[nodiscard]] TokenCounts countsOf(size_t message) const;
    // Tokens that come from an attachment of a message: its pages' text and its media, without marks.
    [[nodiscard]] TokenCounts countsOf(size_t message, size_t attachment, const ComposedMessages& composed) const;
    // Of a document, in the order of its pages: tokens of each page's text and picture.
    [[nodiscard]] std::vector<int64_t> pageTokens(size_t message, size_t attachment,
                                                  const ComposedMessages& composed) const;

    // Puts markup behind the end.
    void append(std::span<const TokenId> markup);
    // Puts the tokens of `part` from `first` on behind the end, as those of message `message`; no medium begins before `first`. A message ends
    // there.
    void append(const MappedPrompt& part, int64_t first, size_t message);

  private:
    friend class PromptMapper;

    // Tokens [begin, end) of one segment of text or one medium; tokens in no run are markup.
    struct Run {
        int64_t begin = 0, end = 0;
        TokenOrigin::Kind kind = TokenOrigin::Kind::kText;
        size_t message = 0;
        size_t part = 0;                 // of text: content part; kReasoning for thoughts
        size_t medium = 0;               // of ComposedMessage::media
        std::vector<size_t> bytes = {};  // of text: where each token ends
    };
    static void add(const Run& run, TokenCounts& counts);
    void addRun(Run run);
    // The piece that the token's first byte lies in; null where there is none.
    static const TextPiece* pieceOf(const Run& run, int64_t token, const ComposedMessage& message);
    static void addStretches(const Run& run, const ComposedMessage& message, std::vector<TokenStretch>& out);
    static TokenOrigin textOrigin(const Run& run, int64_t token, const ComposedMessage* message);
    static TokenOrigin mediumOrigin(const Run& run, int64_t token, const ComposedMedium& medium);

    Prompt prompt_;  // media are null until they are loaded
    std::vector<Run> runs_;
    TokenCounts counts_;
};

// Renders a conversation. Boundaries stand before the last question and behind it. Media that are not loaded yet are null in the prompt.
// Errors: those of rendering, kUnsupported when the vocabulary has no media token.
Result<MappedPrompt> mapPrompt(const ChatRequest& request, const ComposedMessages& composed,
                               const Tokenizer& tokenizer);

// The same for ids that are known, such as stored ones: `ids` begin as the prompt of `request` does, and nothing is encoded. Errors:
// kConflict when they say something else; those of rendering.
Result<MappedPrompt> mapKnownPrompt(const ChatRequest& request, const ComposedMessages& composed,
                                    const Tokenizer& tokenizer, std::span<const TokenId> ids);

// What the model wrote: text between its control tokens and tags, without knowing what it says. `ids` are those of one message.
[[nodiscard]] MappedPrompt mapDrawn(std::span<const TokenId> ids, const Tokenizer& tokenizer);

// Whether the pixels of a message's media fit into `mostBytes` of memory, known before anything is decoded. Errors: kOutOfMemory with both
// numbers and what would help.
Result<> checkMediaMemory(const ComposedMessage& message, uint64_t mostBytes);

// Tokens against a context.
struct ContextRoom {
    int64_t contextTokens = 0;
    int64_t earlierTokens = 0;  // of messages before, that are not in the prompt that is checked
};
// Whether a prompt leaves room for an answer. Errors: kInvalidArgument with the numbers by kind, and for each attachment of `message` what
// it costs and what would make it cheaper.
Result<> checkFits(const MappedPrompt& prompt, size_t message, const ComposedMessages& composed,
                   const ContextRoom& room);

}  // namespace pal
