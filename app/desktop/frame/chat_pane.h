// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPlainTextEdit>
#include <QWidget>

#include "app/desktop/chat/chat.h"
#include "app/desktop/frame/turn_strip.h"
#include "app/desktop/style/theme.h"

namespace pal::desktop {

// The middle of the window: the transcript of the open session, the running turn, and the composer below.
class ChatPane : public QWidget {
    Q_OBJECT

  public:
    ChatPane(Bridge& bridge, Chat& chat, const Theme& theme, QWidget* parent = nullptr);
    void focusComposer();
    void focusTranscript();
    [[nodiscard]] bool composerHasFocus() const;
    void attach(const QStringList& files);

  private:
    void show();

    Chat& chat_;
    QPlainTextEdit* transcript_;
    TurnStrip* strip_;
    QPlainTextEdit* composer_;
};

}  // namespace pal::desktop
