// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/command_palette.h"

#include <QKeyEvent>
#include <QPixmap>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "app/desktop/frame/window_actions.h"
#include "app/desktop/style/left_to_right.h"

namespace pal::desktop {

int fuzzyScore(const QString& pattern, const QString& text) {
    int score = 0;
    qsizetype at = -1;
    for (const QChar letter : pattern) {
        if (letter.isSpace()) continue;
        const qsizetype next = text.indexOf(letter, at + 1, Qt::CaseInsensitive);
        if (next < 0) return -1;
        if (next == at + 1) score += 3;
        if (next == 0 || !text.at(next - 1).isLetterOrNumber()) score += 4;
        at = next;
        ++score;
    }
    return score;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent), actions_(actions), query_(new QLineEdit(this)), list_(new QListWidget(this)) {
    setWindowTitle(tr("Commands"));
    query_->setPlaceholderText(tr("Type a command"));
    query_->setAccessibleName(tr("Command"));
    list_->setAccessibleName(tr("Matching commands"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* all = new QVBoxLayout(this);
    all->addWidget(query_);
    all->addWidget(list_);
    resize(fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 22);
    query_->installEventFilter(this);
    connect(query_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(query_, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(list_, &QListWidget::itemActivated, this, &CommandPalette::run);
    filter({});
}

void CommandPalette::filter(const QString& text) {
    std::vector<std::pair<int, QAction*>> found;
    for (QAction* action : actions_) {
        const int score = fuzzyScore(text, plainName(action->text()));
        if (score >= 0 && action->isEnabled()) found.emplace_back(score, action);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    list_->clear();
    const int side = style()->pixelMetric(QStyle::PM_ListViewIconSize, nullptr, list_);
    QPixmap blank(side, side);  // keeps the names in one column
    blank.fill(Qt::transparent);
    for (const auto& [score, action] : found) {
        QString line = plainName(action->text());
        if (const QString keys = action->shortcut().toString(QKeySequence::NativeText); !keys.isEmpty())
            line += QStringLiteral("    %1").arg(leftToRight(keys));
        auto* item = new QListWidgetItem(action->icon().isNull() ? QIcon(blank) : action->icon(), line, list_);
        item->setData(Qt::UserRole, QVariant::fromValue(action));
    }
    list_->setCurrentRow(0);
}

void CommandPalette::run() {
    const QListWidgetItem* item = list_->currentItem();
    accept();
    if (item == nullptr) return;
    // After the palette is gone, so that the command finds the window as it was.
    QMetaObject::invokeMethod(item->data(Qt::UserRole).value<QAction*>(), &QAction::trigger, Qt::QueuedConnection);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == query_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int rows = list_->count();
        if (rows > 0 && (key == Qt::Key_Down || key == Qt::Key_Up)) {
            list_->setCurrentRow((list_->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace pal::desktop
