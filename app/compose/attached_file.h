// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/base/result.h"
#include "vision/documents/document_reader.h"
#include "vision/media_config.h"
#include "vision/video.h"

namespace pal {

enum class AttachedKind { kText, kDocument, kImage, kVideo };

enum class PicturePages { kName, kShow };  // pages without text: only said to be there, or shown as images

// How much of an attachment the model gets. What is not given is all that there is, in the size that the model allows.
struct AttachmentOptions {
    int firstPage = 1, lastPage = 0;  // of a document; 0: the last one there is
    PicturePages picturePages = PicturePages::kName;
    std::optional<int64_t> pictureTokens;  // of each picture, or page shown as one, at most; >= 1
    std::optional<double> start, end;      // seconds of a clip; frames outside are left out
    std::optional<double> fps;             // frames to take per second of a clip, at most; > 0
    std::optional<int64_t> maxFrames;      // likewise of the whole clip; >= 1
    std::optional<int64_t> clipTokens;     // of the whole clip, at most: takes fewer frames; >= 1
    friend bool operator==(const AttachmentOptions&, const AttachmentOptions&) = default;
};

class FoundPictures;

// Something a person adds to a question.
struct AttachedFile {
    AttachedKind kind = AttachedKind::kDocument;
    std::filesystem::path path;
    std::string text;  // of kText, which has no file; any bytes, nothing when `document` has it
    std::string name;  // how marks and messages call it
    AttachmentOptions options = {};
    std::shared_ptr<const Document> document = nullptr;  // all pages, where they were read before; else `path` is read
    std::shared_ptr<const VideoPlan> clip = nullptr;     // of kVideo, where it was planned before for the same model
    std::shared_ptr<FoundPictures> pictures = nullptr;   // of a document whose message is composed more than once
    std::string content = {};  // names the bytes of `path`, such as their hash; for deferMedia()

    static AttachedFile file(AttachedKind kind, const std::filesystem::path& path) {
        return {kind, path, {}, path.filename().string()};
    }
};

// What a file is, by its content: a document, a picture or a clip. Errors: kNotFound, kIo; kUnsupported when it is none of them.
Result<AttachedFile> recogniseFile(const std::filesystem::path& path);

// For whom and by what attachments become a message; the same for all of one message.
struct ComposeOptions {
    std::optional<MediaConfig> media;  // nothing for a model that cannot see
    DocumentOptions document;          // its pages are those of AttachmentOptions
    VideoProgress indexing;            // of the clip that is read through for its times; may be empty
    std::stop_token stop;
};

// The media of the model in `folder`, or nothing when it has no vision. Errors: those of reading its files.
Result<std::optional<MediaConfig>> mediaConfigOf(const std::filesystem::path& folder);

}  // namespace pal
