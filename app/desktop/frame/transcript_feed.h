// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <utility>

#include "app/desktop/chat/chat.h"
#include "app/desktop/transcript/transcript_model.h"

namespace pal::desktop {

// Keeps the transcript's model at what the chat shows: whole sessions when another one is opened, single messages and pieces of text
// otherwise, so that the view stays where the reader is. UI thread.
class TranscriptFeed : public QObject {
    Q_OBJECT

  public:
    // Both outlive it.
    TranscriptFeed(Chat& chat, TranscriptModel& model, QObject* parent = nullptr);

  private:
    void show();
    void grow(const TurnNews& news);
    void end(const TurnEnd& end);
    void refresh(int row, const Message& message);
    [[nodiscard]] TranscriptMessage shown(const Message& message) const;
    [[nodiscard]] std::pair<int, int> placeAmongSiblings(MessageId message) const;
    [[nodiscard]] bool continues() const;

    Chat& chat_;
    TranscriptModel& model_;
    SessionId session_ = 0;
};

// A stored message as the transcript shows it, without its place among its siblings.
[[nodiscard]] TranscriptMessage transcriptMessage(const Message& message);

}  // namespace pal::desktop
