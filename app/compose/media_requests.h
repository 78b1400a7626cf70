// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/compose/attached_file.h"
#include "vision/image.h"
#include "vision/video.h"

namespace pal {

// What the readers of documents, pictures and clips are asked for an attachment, the same when it is planned and when it is decoded.

[[nodiscard]] inline MediaSource sourceOf(const AttachedFile& attachment) {
    // What lies under the name of its content tells a person nothing.
    return {attachment.content.empty() ? attachment.path.string() : attachment.name, attachment.path, {}};
}

[[nodiscard]] inline DocumentOptions documentRequest(const AttachedFile& attachment, const DocumentOptions& reading) {
    DocumentOptions request = reading;
    if (!attachment.content.empty()) request.name = attachment.name;
    request.firstPage = attachment.options.firstPage;
    request.lastPage = attachment.options.lastPage;
    return request;
}

[[nodiscard]] inline ImageRequest imageRequest(const AttachmentOptions& options) {
    ImageRequest request;
    request.maxTokens = options.pictureTokens;
    return request;
}

[[nodiscard]] inline VideoRequest videoRequest(const AttachmentOptions& options) {
    VideoRequest request;
    request.start = options.start;
    request.end = options.end;
    request.fps = options.fps;
    request.maxFrames = options.maxFrames;
    request.maxTokens = options.clipTokens;
    return request;
}

}  // namespace pal
