// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "app/desktop/chat/chat.h"
#include "app/desktop/composer/composer.h"
#include "app/desktop/frame/draft_keeper.h"
#include "app/desktop/frame/find_bar.h"
#include "app/desktop/frame/transcript_feed.h"
#include "app/desktop/frame/turn_strip.h"
#include "app/desktop/style/theme.h"
#include "app/desktop/transcript/transcript_view.h"
#include "app/desktop/welcome/guided_tour.h"
#include "app/desktop/welcome/welcome_pane.h"

namespace pal::desktop {

// The middle of the window: the transcript of the open session, the running turn, and where a question is written below. Turns what is asked
// for there into what the chat does. UI thread.
class ChatPane : public QWidget {
    Q_OBJECT

  public:
    ChatPane(Bridge& bridge, Chat& chat, const Theme& theme, QWidget* parent = nullptr);

    // What is loaded; nothing while no model is.
    void setModel(const std::optional<LoadedModel>& model);
    // Opens the session that a message is in, and shows it there.
    void openAt(SessionId session, MessageId message);
    // Writes the question again below; sending makes a sibling.
    void startEdit(MessageId question);
    // Of an open data folder: what was written in its sessions and not sent.
    void loadDrafts() { keeper_.load(); }
    // What is written now is kept at once, not soon.
    void keepDraft();
    void openFind() { find_->open(); }
    // Shows what the model was given at a place of an attachment (citationTarget) of a message of the session.
    void openCitation(const QString& target, MessageId message);

    // Files beside the question that is being written.
    void attach(const QStringList& files) { composer_->addFiles(files); }
    void chooseFiles() { composer_->chooseFiles(); }
    void askPassword() { composer_->askPassword(); }
    void takeDrop(const QMimeData& dropped) { composer_->take(dropped); }

    void focusComposer() { composer_->focusInput(); }
    void focusTranscript();
    [[nodiscard]] bool composerHasFocus() const;
    [[nodiscard]] TranscriptView& transcript() { return *transcript_; }

  Q_SIGNALS:
    void failed(const pal::Error& error);
    void told(const QString& text);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void build(const Theme& theme);
    void connectTranscript();
    void connectChat();
    void updateMode();
    void updateContext();
    void showMessages();
    void changeDraft();
    [[nodiscard]] SessionDraft draft() const;
    void showDraft(SessionDraft draft);
    void showBeneath();
    void takeBack();
    void startTour(const std::vector<Sample>& samples);
    void send(const ComposedRequest& request);
    void ask(const ComposerDraft& sent, const std::vector<NewAttachment>& attachments);
    void stopEdit();
    void leaveMessage(MessageId message);
    void openLink(const QUrl& url);

    Bridge& bridge_;
    Chat& chat_;
    const Theme& theme_;
    TranscriptModel model_;
    TranscriptFeed feed_;
    FindBar* find_;
    TranscriptView* transcript_;
    WelcomePane* welcome_;
    TurnStrip* strip_;
    QFrame* editing_;
    Composer* composer_;
    GuidedTour tour_;
    std::optional<LoadedModel> loaded_;
    bool attaching_ = false;  // what was sent is being kept
    DraftKeeper keeper_;
    QTimer keepSoon_;
    SessionId draftOf_ = 0;  // whose draft is in the composer
    MessageId edited_ = 0;   // the question that is written again
    ComposerDraft beneath_;  // the next question, while the composer has that one or a sample
    SessionDraft sent_;      // comes back when it is refused
    SessionId sentFrom_ = 0;
    size_t cited_ = 0;  // marks up to this attachment are references
};

}  // namespace pal::desktop
