// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/chat_pane.h"

#include <QApplication>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/composition/attachments.h"
#include "app/desktop/composer/source_dialog.h"
#include "app/desktop/transcript/citations.h"

namespace pal::desktop {
namespace {

constexpr int kKeepDelay = 400;  // ms after the last change

// What was written while the rest was on its way.
ComposerDraft unsent(ComposerDraft now, const ComposerDraft& sent) {
    if (now.text.startsWith(sent.text)) now.text.remove(0, sent.text.size());
    std::erase_if(now.attachments, [&](const AttachmentItem& item) {
        return std::any_of(sent.attachments.begin(), sent.attachments.end(),
                           [&](const AttachmentItem& gone) { return gone.id == item.id; });
    });
    return now;
}

}  // namespace

ChatPane::ChatPane(Bridge& bridge, Chat& chat, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      bridge_(bridge),
      chat_(chat),
      theme_(theme),
      feed_(chat, model_),
      find_(new FindBar(theme, this)),
      transcript_(new TranscriptView(theme, this)),
      welcome_(new WelcomePane(theme, this)),
      strip_(new TurnStrip(chat, theme, this)),
      editing_(new QFrame(this)),
      composer_(new Composer(theme, this)),
      tour_(chat, *composer_),
      keeper_(bridge) {
    build(theme);
    connectTranscript();
    connectChat();
    showMessages();
    updateMode();
}

void ChatPane::build(const Theme& theme) {
    transcript_->setObjectName(QStringLiteral("transcript"));
    transcript_->setModel(&model_);
    composer_->setObjectName(QStringLiteral("composer"));
    editing_->setObjectName(QStringLiteral("notice"));
    auto* text = new QLabel(tr("You write a question again. The old one stays beside it."), editing_);
    auto* cancel = new QPushButton(tr("Cancel"), editing_);
    auto* row = new QHBoxLayout(editing_);
    row->setContentsMargins(theme.space(3), theme.space(1), theme.space(2), theme.space(1));
    row->addWidget(text, 1);
    row->addWidget(cancel);
    editing_->hide();
    connect(cancel, &QPushButton::clicked, this, &ChatPane::stopEdit);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(find_);
    all->addWidget(transcript_, 1);
    all->addWidget(welcome_, 1);
    all->addWidget(strip_);
    all->addWidget(editing_);
    all->addWidget(composer_);
}

void ChatPane::connectTranscript() {
    connect(transcript_, &TranscriptView::editRequested, this, &ChatPane::startEdit);
    connect(transcript_, &TranscriptView::regenerateRequested, &chat_, &Chat::regenerate);
    connect(transcript_, &TranscriptView::forkRequested, &chat_, &Chat::fork);
    connect(transcript_, &TranscriptView::deleteRequested, this, &ChatPane::leaveMessage);
    connect(transcript_, &TranscriptView::siblingRequested, &chat_, &Chat::showSibling);
    connect(transcript_, &TranscriptView::linkActivated, this, &ChatPane::openLink);
    connect(transcript_, &TranscriptView::citationActivated, this, &ChatPane::openCitation);
    connect(welcome_, &WelcomePane::wanted, this, &ChatPane::startTour);
    connect(&tour_, &GuidedTour::ended, this, &ChatPane::showBeneath);
    connect(&tour_, &GuidedTour::failed, this, &ChatPane::failed);
    connect(transcript_, &TranscriptView::copied, this, [this] { Q_EMIT told(tr("Copied")); });
    connect(find_, &FindBar::wanted, transcript_, &TranscriptView::find);
    connect(find_, &FindBar::next, transcript_, &TranscriptView::findNext);
    connect(find_, &FindBar::previous, transcript_, &TranscriptView::findPrevious);
    connect(find_, &FindBar::closed, this, &ChatPane::focusTranscript);
    connect(transcript_, &TranscriptView::foundChanged, find_, &FindBar::setFound);
}

void ChatPane::connectChat() {
    connect(composer_, &Composer::sendRequested, this, &ChatPane::send);
    keepSoon_.setSingleShot(true);
    keepSoon_.setInterval(kKeepDelay);
    connect(&keepSoon_, &QTimer::timeout, this, &ChatPane::keepDraft);
    connect(composer_, &Composer::changed, this, [this] { keepSoon_.start(); });
    connect(&keeper_, &DraftKeeper::failed, this, &ChatPane::failed);
    connect(&keeper_, &DraftKeeper::loaded, this, [this](const QString& pasted) {
        composer_->setPasteFolder(pasted);
        showDraft(joined(keeper_.take(draftOf_), draft()));
    });
    connect(composer_, &Composer::stopRequested, &chat_, &Chat::stop);
    connect(composer_, &Composer::passwordsGiven, this, [this](const QString& passwords) {
        bridge_.engine(
            this,
            [passwords = passwords.toStdString()](EngineDesk& desk) -> Result<> {
                if (desk.place() != nullptr) desk.place()->setDocumentPassword(passwords);
                return {};
            },
            [](const Result<>&) {});
    });
    connect(&chat_, &Chat::shown, this, [this] {
        showMessages();
        changeDraft();
        updateMode();
        updateContext();
    });
    connect(&chat_, &Chat::summaryChanged, this, [this] {
        if (!chat_.isBusy()) updateContext();  // else when the answer is there
    });
    connect(&chat_, &Chat::ended, this, &ChatPane::updateMode);
    connect(&chat_, &Chat::refused, this, [this] {
        takeBack();
        updateMode();
    });
    connect(&chat_, &Chat::started, this, [this](const TurnStart& start) {
        sent_ = {};
        keeper_.release();
        if (sentFrom_ == 0 && draftOf_ == 0 && chat_.session() == 0) {
            draftOf_ = start.session;
            keeper_.keep(0, {});
        }
        keepDraft();
        updateMode();
        transcript_->scrollToEnd();
    });
}

// What is there before the first message gives way to it.
void ChatPane::showMessages() {
    size_t most = 0;
    for (const Message& message : chat_.messages()) most = std::max(most, message.attachments.size());
    if (most != cited_) transcript_->setCitationPattern(citationPattern(most));
    cited_ = most;
    const bool none = chat_.messages().empty();
    const bool focused = transcript_->hasFocus();
    welcome_->setVisible(none);
    transcript_->setVisible(!none);
    if (none && focused) focusComposer();
}

void ChatPane::focusTranscript() {
    if (transcript_->isVisible()) {
        transcript_->setFocus(Qt::ShortcutFocusReason);
    } else if (!welcome_->focusFirst()) {
        focusComposer();
    }
}

void ChatPane::setModel(const std::optional<LoadedModel>& model) {
    loaded_ = model;
    using Model = WelcomePane::Model;
    welcome_->setModel(!model ? Model::kNone : model->embedded ? Model::kEmbedded : Model::kOther);
    updateMode();
    updateContext();
}

void ChatPane::updateMode() {
    using Mode = Composer::Mode;
    const bool can = loaded_ && !attaching_;
    composer_->setMode(chat_.isBusy() ? Mode::kAnswering : can ? Mode::kReady : Mode::kNoModel);
}

// How much of the context is taken, exactly, is known to the engine's side.
void ChatPane::updateContext() {
    ComposerContext context;
    context.settings = settingsFrom(chat_.summary().settings);
    if (loaded_) {
        context.tokenizer = loaded_->tokenizer;
        context.media = loaded_->media;
        context.contextTokens = loaded_->info.contextTokens;
    }
    composer_->setContext(context);
    const SessionId session = chat_.session();
    const MessageId head = chat_.head();
    if (!loaded_ || session == 0 || head == 0) return;
    bridge_.engine(
        this,
        [session, head](EngineDesk& desk) -> Result<int64_t> {
            if (!desk.hasModel()) return fail(ErrorCode::kBusy, "no model is loaded");
            return desk.place()->runner().earlierTokens(session, head);
        },
        [this, context, head](const Result<int64_t>& tokens) {
            if (!tokens || !loaded_ || chat_.head() != head) return;
            ComposerContext now = context;
            now.earlierTokens = *tokens;
            composer_->setContext(now);
        });
}

// Every session keeps what is being written in it.
void ChatPane::changeDraft() {
    if (chat_.session() == draftOf_) return;
    keepDraft();
    draftOf_ = chat_.session();
    showDraft(keeper_.take(draftOf_));
}

void ChatPane::keepDraft() {
    keepSoon_.stop();
    keeper_.keep(draftOf_, draft());
}

SessionDraft ChatPane::draft() const {
    if (edited_ != 0) return {beneath_, edited_, composer_->draft()};
    return {tour_.holdsComposer() ? beneath_ : joined(beneath_, composer_->draft()), 0, {}};
}

void ChatPane::showDraft(SessionDraft draft) {
    edited_ = draft.edited;
    editing_->setVisible(edited_ != 0);
    beneath_ = edited_ != 0 ? std::exchange(draft.question, {}) : ComposerDraft();
    composer_->setDraft(edited_ != 0 ? std::move(draft.again) : std::move(draft.question));
}

// The next question, where nothing else is written any more.
void ChatPane::showBeneath() {
    if (edited_ == 0 && composer_->draft().empty()) composer_->setDraft(std::exchange(beneath_, {}));
}

// What was refused is written again, before what was written since.
void ChatPane::takeBack() {
    keeper_.release();
    SessionDraft sent = std::exchange(sent_, {});
    if (sent.edited == 0 && sent.question.empty()) return;
    if (sentFrom_ == draftOf_) return showDraft(joined(std::move(sent), draft()));
    keeper_.keep(sentFrom_, joined(std::move(sent), keeper_.take(sentFrom_)));
}

void ChatPane::startTour(const std::vector<Sample>& samples) {
    if (tour_.isRunning() || chat_.isBusy() || attaching_) return;
    beneath_ = joined(std::exchange(beneath_, {}), composer_->draft());
    composer_->clear();
    tour_.start(samples);
}

void ChatPane::send(const ComposedRequest& request) {
    if (!loaded_ || chat_.isBusy() || attaching_) return;
    attaching_ = true;
    updateMode();
    bridge_.errand(
        this,
        [files = request.attachments](LibraryDesk& desk) -> Result<std::vector<NewAttachment>> {
            std::vector<NewAttachment> out;
            for (const AttachedFile& file : files) {
                PAL_ASSIGN(NewAttachment kept, pal::attach(desk.library, file));
                out.push_back(std::move(kept));
            }
            return out;
        },
        [this, session = chat_.session(), edited = edited_,
         sent = composer_->draft()](const Result<std::vector<NewAttachment>>& kept) {
            attaching_ = false;
            if (!kept) {
                Q_EMIT failed(kept.error());
            } else if (chat_.session() == session && edited_ == edited) {  // else it waits there as a draft
                ask(sent, *kept);
            }
            updateMode();
        });
}

void ChatPane::ask(const ComposerDraft& sent, const std::vector<NewAttachment>& attachments) {
    const MessageId edited = std::exchange(edited_, 0);
    editing_->hide();
    if (!tour_.holdsComposer()) sent_ = edited != 0 ? SessionDraft{{}, edited, sent} : SessionDraft{sent, 0, {}};
    sentFrom_ = draftOf_;
    keeper_.hold(sentFrom_);
    composer_->setDraft(unsent(composer_->draft(), sent));  // first: refused() brings the draft back
    if (!tour_.isRunning()) showBeneath();
    if (edited != 0) {
        chat_.edit(edited, sent.text, attachments);
    } else {
        chat_.ask(sent.text, attachments);
    }
}

void ChatPane::openAt(SessionId session, MessageId message) {
    connect(
        &chat_, &Chat::shown, this, [this, message] { transcript_->scrollToMessage(message); },
        Qt::SingleShotConnection);
    chat_.openAt(session, message);
}

void ChatPane::startEdit(MessageId question) {
    for (const Message& message : chat_.messages()) {
        if (message.node.id != question || chat_.isBusy()) continue;
        showDraft({draft().question, question, {QString::fromStdString(message.text), {}}});
        focusComposer();
    }
}

void ChatPane::leaveMessage(MessageId message) {
    if (chat_.tree().parent(message) == 0) {
        Q_EMIT told(tr("A session's first message goes with the session. Ctrl+Shift+Backspace deletes that."));
    } else {
        chat_.leaveBranch(message);
    }
}

void ChatPane::stopEdit() {
    if (edited_ != 0) showDraft({std::exchange(beneath_, {}), 0, {}});
}

bool ChatPane::composerHasFocus() const {
    return composer_->isAncestorOf(QApplication::focusWidget());
}

void ChatPane::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && chat_.isBusy()) return chat_.stop();
    QWidget::keyPressEvent(event);
}

// A mark counts the attachments of one message: the nearest question with so many.
void ChatPane::openCitation(const QString& target, MessageId message) {
    const auto place = citationOf(target);
    if (!place) return;
    const std::vector<Message>& messages = chat_.messages();
    auto at = std::find_if(messages.rbegin(), messages.rend(), [&](const Message& m) { return m.node.id == message; });
    at = std::find_if(at, messages.rend(), [&](const Message& m) { return m.attachments.size() > place->attachment; });
    if (at == messages.rend()) return;
    bridge_.errand(
        this,
        [attachments = at->attachments](LibraryDesk& desk) {
            return attachedFiles(attachments, desk.library.sources(), desk.reader);
        },
        [this, place = *place](Result<std::vector<AttachedFile>> files) {
            if (!files) {
                Q_EMIT failed(files.error());
                return;
            }
            const std::optional<MediaConfig> media = loaded_ ? loaded_->media : std::nullopt;
            auto* dialog =
                new SourceDialog(std::move(*files), place.attachment, media, {place.page, place.seconds}, theme_, this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->open();
        });
}

void ChatPane::openLink(const QUrl& url) {
    QMessageBox box(QMessageBox::Question, tr("Open this address?"),
                    tr("It is opened by the program that your system has for it."),
                    QMessageBox::Open | QMessageBox::Cancel, this);
    box.setInformativeText(url.toDisplayString());
    box.setTextFormat(Qt::PlainText);
    if (box.exec() == QMessageBox::Open) QDesktopServices::openUrl(url);
}

}  // namespace pal::desktop
