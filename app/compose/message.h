// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/compose/attached_file.h"
#include "engine/api/chat.h"
#include "engine/api/media_input.h"
#include "engine/base/result.h"
#include "vision/image.h"
#include "vision/video.h"

namespace pal {

// Where a piece of a composed text comes from. Bytes [begin, end) of the text of content part `part`; pieces are in order and cover
// every byte.
struct TextPiece {
    enum class From { kMark, kPage, kQuestion };
    From from = From::kMark;
    size_t part = 0;
    size_t begin = 0, end = 0;
    size_t attachment = 0;  // of kPage
    int page = 0;           // of kPage, from 1; the piece is the page's whole text
};

// One picture, or one chunk of a clip, of a message: what it costs is known from the start, its pixels come with loadMedia().
struct ComposedMedium {
    enum class Kind { kImage, kVideoChunk };
    Kind kind = Kind::kImage;
    size_t part = 0;  // content part of the message
    size_t attachment = 0;
    int page = 0;                   // of a document: the page is shown as picture, or one of its pictures; else 0
    size_t picture = 0;             // which of the page's pictures (readPictures), from 1; 0: the page itself
    int64_t width = 0, height = 0;  // original pixels
    ResizePlan resize;
    int64_t patchSize = 0;           // pixels per patch and side
    int64_t mergeSize = 0;           // patches per token and side
    std::vector<VideoFrame> frames;  // of a chunk
    std::shared_ptr<const MediaInput> input;

    [[nodiscard]] int64_t rows() const { return resize.tokens; }
    // Of MediaInput::patches.
    [[nodiscard]] uint64_t patchBytes() const {
        const auto count = static_cast<int64_t>(frames.empty() ? 1 : frames.size());
        return static_cast<uint64_t>(count * resize.rows * resize.columns * 3 * patchSize * patchSize) * sizeof(float);
    }
};

// What an attachment gave.
struct ComposedAttachment {
    std::string name;
    AttachedKind kind = AttachedKind::kText;
    std::optional<Document> document;  // its pages are text or shown
    std::optional<ImagePlan> image;
    std::optional<VideoPlan> video;
    // Of a document: pages with something that their text does not tell, and what showing that costs or would cost.
    int64_t pictureTokens = 0;
    std::vector<int> picturePages;
};

// Attachments and a question as one message of the user.
struct ComposedMessage {
    ChatMessage message;
    std::vector<ComposedAttachment> attachments;
    std::vector<TextPiece> texts;
    std::vector<ComposedMedium> media;  // in the order of their parts
    std::vector<std::string> warnings;  // sentences about what the model will not see or should doubt
};

// Reads documents, probes pictures and clips (pictures in documents are decoded once where they will be shown; a damaged one is left out
// with a warning), and puts everything in the given order, the question last. All text is there, nothing is cut. Marks (marks.h) stand
// before files and pages unless the only text is one page. Blocks: call it from a worker thread. Errors: those of reading; kUnsupported
// for media when the model cannot see, or for clips when it knows none.
Result<ComposedMessage> composeMessage(std::span<const AttachedFile> attachments, std::string_view question,
                                       const ComposeOptions& options);

// Gives every medium of a message an input whose pixels are decoded when the engine reads them (LaterPatches), from the files of
// `attachments`, which must then be there; each has its `content`. Decodes nothing and keeps no pixels.
void deferMedia(ComposedMessage& message, std::span<const AttachedFile> attachments, const ComposeOptions& options);

// Decodes the pixels of a message's media. `attachments` and `options` are those it was composed of. `progress` gets the number of media
// that are ready, on the calling thread; it may be empty. Blocks. Errors: those of decoding, kCancelled.
Result<> loadMedia(ComposedMessage& message, std::span<const AttachedFile> attachments, const ComposeOptions& options,
                   const std::function<void(size_t done, size_t total)>& progress, std::stop_token stop);

}  // namespace pal
