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
    QString title;                       // "Page 3", "Text, part 2 of 9", "Picture", "0:01.5, 4 frames"
    QString text;                        // exactly the text, with its marks, some ten KB at most; empty for a picture
    std::optional<size_t> medium;        // of ComposedMessage::media
    int page = 0;                        // of a document, from 1; else 0
    std::optional<double> seconds = {};  // of a clip: its first frame
};

// What someone wants to see of an attachment.
struct PreviewPlace {
    int page = 0;                        // from 1; 0: no page
    std::optional<double> seconds = {};  // of a clip
};

// What the model will be given of one attachment, in order. Immutable.
struct Preview {
    std::shared_ptr<const ComposedMessage> message;  // of all attachments, since marks count them
    std::vector<PreviewEntry> entries;
    std::optional<MediaConfig> media;
};

// Composes `files` as they will be sent and takes the parts of `attachment`; `reading` is how documents were read. Blocks. Errors: those of
// composing.
Result<Preview> makePreview(const std::vector<AttachedFile>& files, size_t attachment,
                            const std::optional<MediaConfig>& media, const std::stop_token& stop,
                            const DocumentOptions& reading = {});

// The entry with a page or moment, or nothing.
[[nodiscard]] std::optional<size_t> entryAt(const Preview& preview, const PreviewPlace& place);

// A picture, or the frames of a chunk, as the vision tower gets them. Blocks. Errors: those of decoding, kCancelled.
struct PreviewFrame {
    QString caption;  // its time; empty for a picture
    QImage image;
};
Result<std::vector<PreviewFrame>> previewFrames(const Preview& preview, size_t medium, const std::stop_token& stop);

}  // namespace pal::desktop
