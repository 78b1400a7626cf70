// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/compose/attached_file.h"
#include "app/compose/prompt.h"

namespace pal::desktop {

using AttachmentId = int64_t;  // never used twice in a composer

// A frame of a clip, small.
struct ClipFrame {
    double seconds = 0;
    QImage image;
};

// What is known of a file once it was read. A value, made on a worker thread.
struct AttachmentFacts {
    AttachedFile file;  // with its document or clip
    uint64_t bytes = 0;
    int64_t width = 0, height = 0;  // pixels of a picture or clip
    QImage thumbnail;
    std::vector<ClipFrame> frames;  // of a clip, evenly over its whole length
};

// Something attached to the question that is being written.
struct AttachmentItem {
    enum class State { kReading, kReady, kFailed };
    AttachmentId id = 0;
    State state = State::kReading;
    AttachmentFacts facts;
    double progress = -1;  // 0 .. 1 while it is read, negative: unknown
    QString error;         // of kFailed
    bool locked = false;   // of kFailed: a password would open it
    std::optional<TokenCounts> counts;
    QStringList warnings;
};

}  // namespace pal::desktop
