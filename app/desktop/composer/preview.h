// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>
#include <memory>
#include <stop_token>
#include <vector>

#include "app/compose/message.h"
#include "engine/base/result.h"

namespace pal::desktop {

// One thing that the model is given of an attachment.
struct PreviewEntry {
    QString title;                 // "Page 3", "Picture", "0:01.5, 4 frames"
    QString text;                  // exactly the text, with its marks; empty for a picture
    std::optional<size_t> medium;  // of ComposedMessage::media
};

// What the model will be given of one attachment, in order. Immutable.
struct Preview {
    std::shared_ptr<const ComposedMessage> message;  // of all attachments, since marks count them
    std::vector<PreviewEntry> entries;
    std::optional<MediaConfig> media;
};

// Composes `files` as they will be sent and takes the parts of `attachment`. Blocks. Errors: those of composing.
Result<Preview> makePreview(const std::vector<AttachedFile>& files, size_t attachment,
                            const std::optional<MediaConfig>& media, const std::stop_token& stop);

// A picture, or the frames of a chunk, as the vision tower gets them. Blocks. Errors: those of decoding, kCancelled.
struct PreviewFrame {
    QString caption;  // its time; empty for a picture
    QImage image;
};
Result<std::vector<PreviewFrame>> previewFrames(const Preview& preview, size_t medium, const std::stop_token& stop);

}  // namespace pal::desktop
