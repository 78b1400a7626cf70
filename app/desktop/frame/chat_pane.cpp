// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/chat_pane.h"

#include <QShortcut>
#include <QVBoxLayout>

namespace pal::desktop {

ChatPane::ChatPane(Bridge& /*bridge*/, Chat& chat, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      chat_(chat),
      transcript_(new QPlainTextEdit(this)),
      strip_(new TurnStrip(chat, theme, this)),
      composer_(new QPlainTextEdit(this)) {
    transcript_->setObjectName(QStringLiteral("transcript"));
    transcript_->setReadOnly(true);
    transcript_->setAccessibleName(tr("Transcript"));
    composer_->setAccessibleName(tr("Your message"));
    composer_->setObjectName(QStringLiteral("composer"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(transcript_, 4);
    all->addWidget(strip_);
    all->addWidget(composer_, 1);
    auto* send = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return), composer_);
    connect(send, &QShortcut::activated, this, [this] {
        chat_.ask(composer_->toPlainText(), {});
        composer_->clear();
    });
    connect(&chat_, &Chat::shown, this, &ChatPane::show);
    connect(&chat_, &Chat::grew, this, [this] {
        if (chat_.isRunningHere()) show();
    });
}

void ChatPane::show() {
    QString text;
    for (const Message& message : chat_.messages())
        text += QString::fromStdString(message.text) + QStringLiteral("\n\n");
    if (chat_.isRunningHere()) text += QString::fromStdString(chat_.running()->content);
    transcript_->setPlainText(text);
}

void ChatPane::focusComposer() {
    composer_->setFocus(Qt::ShortcutFocusReason);
}

bool ChatPane::composerHasFocus() const {
    return composer_->hasFocus();
}

void ChatPane::attach(const QStringList& /*files*/) {}

void ChatPane::focusTranscript() {
    transcript_->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace pal::desktop
