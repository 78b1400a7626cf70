// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/sessions/session_delegate.h"

#include <QDateTime>
#include <QFontMetrics>
#include <QPainter>

#include "app/desktop/sessions/session_lines.h"
#include "app/desktop/sessions/session_tree.h"
#include "app/desktop/style/icons.h"
#include "app/desktop/style/line_flags.h"

namespace pal::desktop {
namespace {

bool isFolder(const QModelIndex& index) {
    return index.data(SessionTree::kIdRole).toLongLong() == 0;
}

}  // namespace

QSize SessionDelegate::sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& index) const {
    const int name = QFontMetrics(theme_.body()).height();
    const int line = QFontMetrics(theme_.small()).height();
    return {theme_.space(20), isFolder(index) ? name + theme_.space(2) : name + line + theme_.space(3)};
}

void SessionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Colours& colours = theme_.colours();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect card = option.rect.adjusted(1, 1, -1, -1);
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    if (chosen || option.state.testFlag(QStyle::State_MouseOver)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(chosen ? colours.selection : colours.raised);
        painter->drawRoundedRect(card, theme_.radius(), theme_.radius());
    }
    if (option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
        painter->setPen(QPen(colours.accent, 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(card, theme_.radius(), theme_.radius());
    }
    const int side = theme_.space(2);
    paintText(painter, card.adjusted(side, theme_.space(1), -side, -theme_.space(1)), option, index);
    painter->restore();
}

void SessionDelegate::paintText(QPainter* painter, const QRect& inside, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    const Colours& colours = theme_.colours();
    const Qt::LayoutDirection direction = option.direction;
    const auto place = [&](const QRect& rect) { return QStyle::visualRect(direction, inside, rect); };
    const auto draw = [&](const QRect& rect, const QString& text) {
        painter->drawText(place(rect), lineFlags(text, Qt::AlignLeft | Qt::AlignVCenter, direction), text);
    };
    const QFontMetrics nameMetrics(theme_.body());
    const QFontMetrics lineMetrics(theme_.small());

    QRect name(inside.left(), inside.top(), inside.width(), nameMetrics.height());
    if (isFolder(index)) {
        const int size = theme_.iconSize();
        const QRect mark(inside.left(), inside.center().y() - size / 2, size, size);
        icon(QStringLiteral("folder"), theme_, IconColour::kMuted).paint(painter, place(mark));
        name.setLeft(mark.right() + theme_.space(1));
    } else if (const QVariant when = index.data(SessionTree::kWhenRole); when.isValid() && !when.isNull()) {
        const QString time = SessionLines::when(when.toLongLong(), QDateTime::currentMSecsSinceEpoch());
        const int width = lineMetrics.horizontalAdvance(time);
        painter->setFont(theme_.small());
        painter->setPen(colours.muted);
        draw(QRect(name.right() - width, name.top(), width + 1, name.height()), time);
        name.setRight(name.right() - width - theme_.space(2));
    }
    if (running_ != 0 && index.data(SessionTree::kIdRole).toLongLong() == running_) {
        const int size = theme_.space(2);
        painter->setPen(Qt::NoPen);
        painter->setBrush(colours.accent);
        painter->drawEllipse(place(QRect(name.left(), name.center().y() - size / 2, size, size)));
        name.setLeft(name.left() + size + theme_.space(1));
    }
    painter->setFont(theme_.body());
    painter->setPen(colours.text);
    draw(name, nameMetrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, name.width()));
    const QString line = index.data(SessionTree::kLineRole).toString();
    if (line.isEmpty()) return;
    const QRect below(inside.left(), name.bottom() + 1, inside.width(), lineMetrics.height());
    painter->setFont(theme_.small());
    painter->setPen(colours.muted);
    draw(below, lineMetrics.elidedText(line, Qt::ElideRight, below.width()));
}

void SessionDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                           const QModelIndex& /*index*/) const {
    QRect rect = option.rect;
    rect.setHeight(std::max(editor->sizeHint().height(), QFontMetrics(theme_.body()).height() + theme_.space(2)));
    editor->setGeometry(rect);
}

}  // namespace pal::desktop
