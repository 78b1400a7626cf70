// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/welcome/welcome_pane.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace pal::desktop {

WelcomePane::WelcomePane(const Theme& theme, QWidget* parent)
    : QScrollArea(parent),
      theme_(theme),
      heading_(new QLabel(tr("Ask about documents, pictures and clips"))),
      text_(new QLabel(tr("Drop files here, paste them, or attach them with Ctrl+O.\n"
                          "What is read is kept, so that you can go on tomorrow."))),
      note_(new QLabel),
      all_(new QPushButton(tr("Try all three, in about a minute"))) {
    setObjectName(QStringLiteral("welcome"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("welcomePage"));
    heading_->setObjectName(QStringLiteral("heading"));
    for (QLabel* label : {text_, note_}) label->setObjectName(QStringLiteral("muted"));
    auto* column = new QVBoxLayout(page);
    column->setSpacing(theme.space(4));
    column->addStretch(3);
    for (QLabel* label : {heading_, text_}) {
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
        column->addWidget(label);
    }
    row_ = new QHBoxLayout;
    row_->setSpacing(theme.space(3));
    row_->addStretch(1);
    for (const Sample& sample : samples()) {
        auto* card = new SampleCard(sample, theme, page);
        connect(card, &SampleCard::clicked, this, [this, sample] { Q_EMIT wanted({sample}); });
        row_->addWidget(card, 0, Qt::AlignCenter);
        cards_.push_back(card);
    }
    row_->addStretch(1);
    column->addLayout(row_);
    all_->setObjectName(QStringLiteral("tryAll"));
    connect(all_, &QPushButton::clicked, this, [this] { Q_EMIT wanted(samples()); });
    column->addWidget(all_, 0, Qt::AlignHCenter);
    note_->setTextFormat(Qt::PlainText);
    note_->setAlignment(Qt::AlignCenter);
    note_->setWordWrap(true);
    column->addWidget(note_);
    column->addStretch(4);
    setWidget(page);
    setModel(Model::kNone);
    dress();
    connect(&theme_, &Theme::changed, this, &WelcomePane::dress);
}

void WelcomePane::setModel(Model model) {
    const bool can = model != Model::kNone;
    for (SampleCard* card : cards_) card->setEnabled(can);
    all_->setEnabled(can);
    note_->setText(model == Model::kEmbedded
                       ? tr("The embedded model is a small demonstration and often wrong. It reads "
                            "English and knows only what you give it.")
                       : QString());
}

bool WelcomePane::focusFirst() {
    if (!isVisible() || !cards_.front()->isEnabled()) return false;
    cards_.front()->setFocus(Qt::ShortcutFocusReason);
    return true;
}

// The style sheet takes the labels' fonts away when they are first shown.
void WelcomePane::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    dress();
}

void WelcomePane::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    arrange();
}

// Cards stand below each other where they have no room side by side.
void WelcomePane::arrange() {
    int wide = 2 * theme_.space(4);
    for (const SampleCard* card : cards_) wide += card->sizeHint().width() + row_->spacing();
    row_->setDirection(viewport()->width() < wide ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void WelcomePane::dress() {
    heading_->setFont(theme_.heading(2));
    text_->setFont(theme_.body());
    note_->setFont(theme_.small());
    arrange();
}

}  // namespace pal::desktop
