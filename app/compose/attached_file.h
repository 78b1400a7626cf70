// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/base/result.h"
#include "vision/documents/document_reader.h"
#include "vision/image.h"
#include "vision/media_config.h"
#include "vision/video.h"

namespace pal {

enum class AttachedKind { kText, kDocument, kImage, kVideo };

// Something a person adds to a question.
struct AttachedFile {
    AttachedKind kind = AttachedKind::kDocument;
    std::filesystem::path path;
    std::string text;  // of kText, which has no file; any bytes
    std::string name;  // how marks and messages call it

    static AttachedFile file(AttachedKind kind, const std::filesystem::path& path) {
        return {kind, path, {}, path.filename().string()};
    }
};

// What a file is, by its content: a document, a picture or a clip. Errors: kNotFound, kIo; kUnsupported when it is none of them.
Result<AttachedFile> recogniseFile(const std::filesystem::path& path);

enum class PicturePages { kName, kShow };  // pages without text: only said to be there, or shown as images

// How attachments become a message; the same for all of one message.
struct ComposeOptions {
    std::optional<MediaConfig> media;  // nothing for a model that cannot see
    ImageRequest image;
    VideoRequest video;
    DocumentOptions document;
    PicturePages picturePages = PicturePages::kName;
    VideoProgress indexing;  // of the clip that is read through for its times; may be empty
    std::stop_token stop;
};

}  // namespace pal
