// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/refusal_bar.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPushButton>
#include <algorithm>

namespace pal::desktop {
namespace {

constexpr size_t kMostChoices = 5;

QString number(int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

}  // namespace

QString choiceText(const Choice& choice, const AttachedFile& file) {
    const QString name = QString::fromStdString(file.name), saves = number(choice.saves);
    switch (choice.kind) {
        case Choice::Kind::kFewerPages:
            if (choice.options.firstPage == choice.options.lastPage)
                return RefusalBar::tr("Only page %1 of %2: %3 tokens less")
                    .arg(choice.options.firstPage)
                    .arg(name, saves);
            return RefusalBar::tr("Only pages %1–%2 of %3: %4 tokens less")
                .arg(choice.options.firstPage)
                .arg(choice.options.lastPage)
                .arg(name, saves);
        case Choice::Kind::kFewerFrames:
            return RefusalBar::tr("Only %Ln frame(s) of %1: %2 tokens less", nullptr, static_cast<int>(choice.number))
                .arg(name, saves);
        case Choice::Kind::kSmallerPictures:
            return RefusalBar::tr("A smaller %1: %2 tokens less").arg(name, saves);
        case Choice::Kind::kRemove:
            break;
    }
    return RefusalBar::tr("Without %1: %2 tokens less").arg(name, saves);
}

RefusalBar::RefusalBar(const Theme& theme, QWidget* parent) : QFrame(parent), theme_(theme) {
    setObjectName(QStringLiteral("refusal"));
    setAccessibleName(tr("Too long"));
    auto* layout = new QVBoxLayout(this);
    message_ = new QLabel(this);
    message_->setTextFormat(Qt::PlainText);
    message_->setWordWrap(true);
    buttons_ = new QVBoxLayout;
    layout->addWidget(message_);
    layout->addLayout(buttons_);
    connect(&theme, &Theme::changed, this, &RefusalBar::dress);
    dress();
    hide();
}

void RefusalBar::dress() {
    const Colours& colours = theme_.colours();
    const int space = theme_.space(2);
    layout()->setContentsMargins(space, space, space, space);
    layout()->setSpacing(theme_.space(1));
    buttons_->setSpacing(theme_.space(1));
    setStyleSheet(QStringLiteral("QFrame#refusal { background: %1; border: 1px solid %2; border-radius: %3px; }")
                      .arg(colours.raised.name(), colours.error.name())
                      .arg(theme_.radius()));
    QPalette palette = message_->palette();
    palette.setColor(QPalette::WindowText, colours.error);
    message_->setPalette(palette);
}

void RefusalBar::setCount(const PromptCount& count, const std::vector<AttachedFile>& files) {
    while (QLayoutItem* item = buttons_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    if (count.excess > 0) {
        message_->setText(tr("%1 tokens too many: this would take %2, the context holds %3 with the answer.")
                              .arg(number(count.excess), number(count.tokens()), number(count.contextTokens)));
        for (size_t i = 0; i < std::min(count.choices.size(), kMostChoices); ++i) {
            const Choice& choice = count.choices[i];
            auto* button =
                new QPushButton(choiceText(choice, files[choice.attachment]).replace(u'&', QStringLiteral("&&")), this);
            button->setAutoDefault(false);
            button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
            connect(button, &QPushButton::clicked, this, [this, choice] { Q_EMIT chosen(choice); });
            buttons_->addWidget(button);
        }
        if (count.choices.empty()) {
            message_->setText(message_->text() + u' ' +
                              tr("Shorten the text, take attachments out, or choose a larger context."));
        }
    }
    setVisible(count.excess > 0);
}

}  // namespace pal::desktop
