// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QToolButton>

#include "app/desktop/style/icons.h"

namespace pal::desktop {

FindBar::FindBar(const Theme& theme, QWidget* parent)
    : QFrame(parent), text_(new QLineEdit(this)), found_(new QLabel(this)) {
    setObjectName(QStringLiteral("notice"));
    text_->setPlaceholderText(tr("Find in this session"));
    text_->setAccessibleName(tr("Find in this session"));
    text_->installEventFilter(this);
    const auto button = [&](const char* name, const QString& text) {
        auto* out = new QToolButton(this);
        out->setIcon(icon(QString::fromLatin1(name), theme));
        out->setToolTip(text);
        out->setAccessibleName(text);
        return out;
    };
    QToolButton* back = button("chevron-left", tr("Previous (Shift+Enter)"));
    QToolButton* on = button("chevron-right", tr("Next (Enter)"));
    QToolButton* close = button("close", tr("Close (Esc)"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.space(3), theme.space(1), theme.space(2), theme.space(1));
    row->addWidget(text_, 1);
    row->addWidget(found_);
    for (QToolButton* each : {back, on, close}) row->addWidget(each);
    connect(text_, &QLineEdit::textChanged, this, &FindBar::wanted);
    connect(back, &QToolButton::clicked, this, &FindBar::previous);
    connect(on, &QToolButton::clicked, this, &FindBar::next);
    connect(close, &QToolButton::clicked, this, &FindBar::shut);
    hide();
}

void FindBar::open() {
    show();
    text_->setFocus(Qt::ShortcutFocusReason);
    text_->selectAll();
    Q_EMIT wanted(text_->text());
}

void FindBar::shut() {
    hide();
    Q_EMIT wanted({});
    Q_EMIT closed();
}

void FindBar::setFound(int current, int count, bool searching) {
    const QLocale locale;
    if (text_->text().isEmpty()) {
        found_->clear();
    } else if (count == 0) {
        found_->setText(searching ? tr("searching…") : tr("not found"));
    } else {
        found_->setText(tr("%1 of %2").arg(locale.toString(current + 1), locale.toString(count)));
    }
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == text_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape) {
            shut();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (key->modifiers().testFlag(Qt::ShiftModifier)) {
                Q_EMIT previous();
            } else {
                Q_EMIT next();
            }
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace pal::desktop
