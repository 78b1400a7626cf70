// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/chat_pane.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMessageBox>
#include <QVBoxLayout>

#include "app/desktop/style/icons.h"

namespace pal::desktop {

ChatPane::ChatPane(Bridge& bridge, Chat& chat, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      bridge_(bridge),
      chat_(chat),
      theme_(theme),
      feed_(chat, model_),
      find_(new FindBar(theme, this)),
      transcript_(new TranscriptView(theme, this)),
      strip_(new TurnStrip(chat, theme, this)),
      editing_(new QFrame(this)),
      input_(new QPlainTextEdit(this)),
      send_(new QPushButton(tr("Send"), this)) {
    build(theme);
    connectTranscript();
    connectChat();
    updateMode();
}

void ChatPane::build(const Theme& theme) {
    transcript_->setObjectName(QStringLiteral("transcript"));
    transcript_->setModel(&model_);
    transcript_->setPlaceholder(
        tr("Paste or write what the model shall know, and ask about it.\n"
           "What is read is kept, so that you can go on tomorrow."));
    input_->setObjectName(QStringLiteral("composer"));
    input_->setAccessibleName(tr("Your message"));
    input_->setPlaceholderText(tr("Ask something"));
    input_->setTabChangesFocus(true);
    input_->setFixedHeight(theme.space(18));
    input_->installEventFilter(this);
    send_->setObjectName(QStringLiteral("primary"));
    send_->setIcon(icon(QStringLiteral("send"), theme_, IconColour::kOnAccent));
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
    all->addWidget(strip_);
    all->addWidget(editing_);
    auto* below = new QHBoxLayout();
    below->setContentsMargins(theme.space(3), theme.space(2), theme.space(3), theme.space(3));
    below->setSpacing(theme.space(2));
    below->addWidget(input_, 1);
    below->addWidget(send_, 0, Qt::AlignBottom);
    all->addLayout(below);
}

void ChatPane::connectTranscript() {
    connect(transcript_, &TranscriptView::editRequested, this, &ChatPane::startEdit);
    connect(transcript_, &TranscriptView::regenerateRequested, &chat_, &Chat::regenerate);
    connect(transcript_, &TranscriptView::forkRequested, &chat_, &Chat::fork);
    connect(transcript_, &TranscriptView::deleteRequested, &chat_, &Chat::leaveBranch);
    connect(transcript_, &TranscriptView::siblingRequested, &chat_, &Chat::showSibling);
    connect(transcript_, &TranscriptView::linkActivated, this, &ChatPane::openLink);
    connect(transcript_, &TranscriptView::copied, this, [this] { Q_EMIT told(tr("Copied")); });
    connect(find_, &FindBar::wanted, transcript_, &TranscriptView::find);
    connect(find_, &FindBar::next, transcript_, &TranscriptView::findNext);
    connect(find_, &FindBar::previous, transcript_, &TranscriptView::findPrevious);
    connect(find_, &FindBar::closed, this, &ChatPane::focusTranscript);
    connect(transcript_, &TranscriptView::foundChanged, find_, &FindBar::setFound);
}

void ChatPane::connectChat() {
    connect(send_, &QPushButton::clicked, this, &ChatPane::send);
    connect(input_, &QPlainTextEdit::textChanged, this, &ChatPane::updateMode);
    connect(&chat_, &Chat::shown, this, &ChatPane::updateMode);
    connect(&chat_, &Chat::ended, this, &ChatPane::updateMode);
    connect(&chat_, &Chat::refused, this, [this](const Error&, const QString& text) {
        if (input_->toPlainText().isEmpty()) input_->setPlainText(text);
        updateMode();
    });
    connect(&chat_, &Chat::started, this, [this] {
        updateMode();
        transcript_->scrollToEnd();
    });
}

void ChatPane::setModel(const std::optional<LoadedModel>& model) {
    hasModel_ = model.has_value();
    updateMode();
}

void ChatPane::updateMode() {
    send_->setEnabled(hasModel_ && !chat_.isBusy() && !input_->toPlainText().trimmed().isEmpty());
}

void ChatPane::send() {
    const QString text = input_->toPlainText();
    if (!hasModel_ || chat_.isBusy() || text.trimmed().isEmpty()) return;
    if (edited_ != 0) {
        chat_.edit(edited_, text);
    } else {
        chat_.ask(text, {});
    }
    stopEdit();
    input_->clear();
}

void ChatPane::startEdit(MessageId question) {
    for (const Message& message : chat_.messages()) {
        if (message.node.id != question || chat_.isBusy()) continue;
        edited_ = question;
        input_->setPlainText(QString::fromStdString(message.text));
        editing_->show();
        focusComposer();
    }
}

void ChatPane::stopEdit() {
    if (edited_ == 0) return;
    edited_ = 0;
    editing_->hide();
    input_->clear();
}

// Enter sends, Shift+Enter begins a line; an input method's own Enter never comes here.
bool ChatPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == input_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (enter && !key->modifiers().testFlag(Qt::ShiftModifier)) {
            send();
            return true;
        }
        if (key->key() == Qt::Key_Escape && chat_.isBusy()) {
            chat_.stop();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
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
