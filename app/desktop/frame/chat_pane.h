// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPlainTextEdit>
#include <QPushButton>
#include <QWidget>
#include <optional>

#include "app/desktop/chat/chat.h"
#include "app/desktop/frame/find_bar.h"
#include "app/desktop/frame/transcript_feed.h"
#include "app/desktop/frame/turn_strip.h"
#include "app/desktop/style/theme.h"
#include "app/desktop/transcript/transcript_view.h"

namespace pal::desktop {

// The middle of the window: the transcript of the open session, the running turn, and where a question is written below. Turns what is asked
// for there into what the chat does. UI thread.
class ChatPane : public QWidget {
    Q_OBJECT

  public:
    ChatPane(Bridge& bridge, Chat& chat, const Theme& theme, QWidget* parent = nullptr);

    // What is loaded; nothing while no model is.
    void setModel(const std::optional<LoadedModel>& model);
    // Writes the question again below; sending makes a sibling.
    void startEdit(MessageId question);
    void openFind() { find_->open(); }

    void focusComposer() { input_->setFocus(Qt::OtherFocusReason); }
    void focusTranscript() { transcript_->setFocus(Qt::ShortcutFocusReason); }
    [[nodiscard]] bool composerHasFocus() const { return input_->hasFocus(); }
    [[nodiscard]] TranscriptView& transcript() { return *transcript_; }

  Q_SIGNALS:
    void failed(const pal::Error& error);
    void told(const QString& text);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void build(const Theme& theme);
    void connectTranscript();
    void connectChat();
    void updateMode();
    void send();
    void stopEdit();
    void openLink(const QUrl& url);

    Bridge& bridge_;
    Chat& chat_;
    const Theme& theme_;
    TranscriptModel model_;
    TranscriptFeed feed_;
    FindBar* find_;
    TranscriptView* transcript_;
    TurnStrip* strip_;
    QFrame* editing_;
    QPlainTextEdit* input_;
    QPushButton* send_;
    bool hasModel_ = false;
    MessageId edited_ = 0;  // the question that is written again
};

}  // namespace pal::desktop
