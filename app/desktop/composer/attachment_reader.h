// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "app/desktop/composer/attachment_item.h"
#include "engine/base/result.h"
#include "vision/media_config.h"

namespace pal::desktop {

// What a person attaches, before anything is known but a path, a text or an image from the clipboard.
struct AttachmentOrder {
    AttachedFile file;  // kText: the text; else a path, whose bytes decide what it is
    QImage image;       // from the clipboard: is written to `file.path` first
    std::optional<MediaConfig> media;
    DocumentOptions reading;  // helper, password and limits
};

// Reads a document's whole text, a picture's or a clip's header and a few small frames. Blocks: for a worker thread. `progress` gets 0 .. 1 on
// the calling thread. Errors: those of recognising and reading; kUnsupported for pictures and clips when the model cannot see.
Result<AttachmentFacts> readAttachment(const AttachmentOrder& order, const std::function<void(double)>& progress,
                                       const std::stop_token& stop);

}  // namespace pal::desktop
