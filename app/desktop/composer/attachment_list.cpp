// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/attachment_list.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "app/desktop/composer/typed_key.h"
#include "app/desktop/style/icons.h"
#include "app/desktop/style/line_flags.h"

namespace pal::desktop {
namespace {

constexpr int kMostRows = 3;  // before the cards scroll

AttachmentItem::State stateOf(const QModelIndex& index) {
    return static_cast<AttachmentItem::State>(index.data(AttachmentModel::kStateRole).toInt());
}

}  // namespace

AttachmentDelegate::AttachmentDelegate(const Theme& theme, QObject* parent)
    : QStyledItemDelegate(parent),
      theme_(theme),
      document_(icon(QStringLiteral("document"), theme, IconColour::kMuted)),
      image_(icon(QStringLiteral("image"), theme, IconColour::kMuted)),
      video_(icon(QStringLiteral("video"), theme, IconColour::kMuted)),
      warning_(icon(QStringLiteral("warning"), theme, IconColour::kWarning)),
      cross_(icon(QStringLiteral("close"), theme, IconColour::kMuted)) {}

QSize AttachmentDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    const QFontMetrics body(theme_.body()), small(theme_.small());
    // By a digit: the mean character of a Chinese font is as wide as it is high.
    return {body.horizontalAdvance(u'0') * 32, body.height() + 2 * small.height() + theme_.space(4)};
}

QRect AttachmentDelegate::crossOf(const QRect& card, Qt::LayoutDirection direction) const {
    const int side = theme_.iconSize() + theme_.space(1);
    const QRect right(card.right() - side - theme_.space(1), card.top() + theme_.space(1), side, side);
    return QStyle::visualRect(direction, card, right);
}

void AttachmentDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Colours& colours = theme_.colours();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    const bool focused = (option.state & QStyle::State_HasFocus) != 0;
    const bool failed = stateOf(index) == AttachmentItem::State::kFailed;
    const QRectF card = QRectF(option.rect).adjusted(1, 1, -1, -1);
    painter->setPen(QPen(focused ? colours.accent : failed ? colours.error : colours.faint, focused ? 2 : 1));
    painter->setBrush(colours.raised);
    painter->drawRoundedRect(card, theme_.radius(), theme_.radius());

    const QRect inner = option.rect.adjusted(theme_.space(2), theme_.space(2), -theme_.space(2), -theme_.space(2));
    const QRect picture(inner.left(), inner.top(), inner.height(), inner.height());
    paintPicture(*painter, QStyle::visualRect(option.direction, option.rect, picture), index);
    const QRect lines(picture.right() + theme_.space(2), inner.top(), inner.right() - picture.right() - theme_.space(2),
                      inner.height());
    paintLines(*painter, lines, option, index);
    cross_.paint(painter, crossOf(option.rect, option.direction));
    painter->restore();
}

void AttachmentDelegate::paintPicture(QPainter& painter, const QRect& at, const QModelIndex& index) const {
    QPainterPath shape;
    shape.addRoundedRect(at, theme_.radius(), theme_.radius());
    painter.fillPath(shape, theme_.colours().sunken);
    const auto thumbnail = qvariant_cast<QImage>(index.data(AttachmentModel::kThumbnailRole));
    if (thumbnail.isNull()) {
        const auto kind = static_cast<AttachedKind>(index.data(AttachmentModel::kKindRole).toInt());
        const QIcon& sign = kind == AttachedKind::kImage ? image_ : kind == AttachedKind::kVideo ? video_ : document_;
        sign.paint(&painter, at.adjusted(at.width() / 4, at.height() / 4, -at.width() / 4, -at.height() / 4));
        return;
    }
    // The middle of the picture fills the square.
    const int side = std::min(thumbnail.width(), thumbnail.height());
    const QRect middle((thumbnail.width() - side) / 2, 0, side, side);
    painter.save();
    painter.setClipPath(shape);
    painter.drawImage(at, thumbnail, middle);
    painter.restore();
}

void AttachmentDelegate::paintLines(QPainter& painter, const QRect& at, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    const Colours& colours = theme_.colours();
    const QFontMetrics body(theme_.body()), small(theme_.small());
    const auto draw = [&](const QRect& line, const QFont& font, const QColor& colour, const QString& text,
                          Qt::TextElideMode elide) {
        painter.setFont(font);
        painter.setPen(colour);
        const QString shown = QFontMetrics(font).elidedText(text, elide, line.width());
        painter.drawText(QStyle::visualRect(option.direction, option.rect, line),
                         lineFlags(shown, Qt::AlignLeft | Qt::AlignVCenter, option.direction), shown);
    };
    const int cross = theme_.iconSize() + theme_.space(2);
    draw(QRect(at.left(), at.top(), at.width() - cross, body.height()), theme_.body(), colours.text,
         index.data().toString().simplified(), Qt::ElideMiddle);
    const QRect second(at.left(), at.top() + body.height(), at.width(), small.height());
    const QRect third = second.translated(0, small.height());
    const auto state = stateOf(index);
    const QString detail = index.data(AttachmentModel::kDetailRole).toString();
    if (state == AttachmentItem::State::kFailed) {
        painter.setFont(theme_.small());
        painter.setPen(colours.error);
        // Two lines, of which the first may end early; the tool tip has all of it.
        painter.drawText(QStyle::visualRect(option.direction, option.rect, second.united(third)),
                         static_cast<int>(QStyle::visualAlignment(option.direction, Qt::AlignLeft)) | Qt::TextWordWrap,
                         small.elidedText(detail, Qt::ElideRight, at.width() * 7 / 4));
        return;
    }
    const qint64 tokens = index.data(AttachmentModel::kTokensRole).toLongLong();
    const QString cost = tokens < 0 ? QString() : tr(" · %1 tokens").arg(QLocale().toString(tokens));
    draw(second, theme_.small(), colours.muted, detail + cost, Qt::ElideRight);
    if (state == AttachmentItem::State::kReading) {
        const double done = std::clamp(index.data(AttachmentModel::kProgressRole).toDouble(), 0.0, 1.0);
        QRectF bar(third.left(), third.center().y() - 1, third.width(), 3);
        painter.fillRect(QStyle::visualRect(option.direction, option.rect, bar.toRect()), colours.sunken);
        bar.setWidth(bar.width() * done);
        painter.fillRect(QStyle::visualRect(option.direction, option.rect, bar.toRect()), colours.accent);
        return;
    }
    const QStringList warnings = index.data(AttachmentModel::kWarningsRole).toStringList();
    if (warnings.isEmpty()) return;
    const int side = third.height();
    warning_.paint(&painter,
                   QStyle::visualRect(option.direction, option.rect, QRect(third.topLeft(), QSize(side, side))));
    const QString more = warnings.size() > 1 ? tr("%Ln warning(s)", nullptr, static_cast<int>(warnings.size()))
                                             : warnings.front().mid(index.data().toString().size()).remove(0, 2);
    draw(third.adjusted(side + theme_.space(1), 0, 0, 0), theme_.small(), colours.warning, more, Qt::ElideRight);
}

AttachmentList::AttachmentList(AttachmentModel& model, const Theme& theme, QWidget* parent)
    : QListView(parent), delegate_(new AttachmentDelegate(theme, this)), theme_(theme) {
    setModel(&model);
    setItemDelegate(delegate_);
    setFlow(QListView::LeftToRight);
    setWrapping(true);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTabKeyNavigation(false);
    setAccessibleName(tr("Attachments"));
    setAccessibleDescription(tr("Enter shows what the model will see, Delete takes the attachment out"));
    setSpacing(theme.space(1));
    viewport()->setAutoFillBackground(false);
    connect(&model, &QAbstractItemModel::rowsInserted, this, &AttachmentList::fit);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &AttachmentList::fit);
    connect(&theme, &Theme::changed, this, [this] {
        setSpacing(theme_.space(1));
        scheduleDelayedItemsLayout();
        fit();
    });
    fit();
}

void AttachmentList::fit() {
    setVisible(model()->rowCount() > 0);
    updateGeometry();
}

QSize AttachmentList::sizeHint() const {
    const QSize card = delegate_->sizeHint({}, {});
    const int wide = card.width() + 2 * spacing(), high = card.height() + 2 * spacing();
    const int columns = std::max(1, (width() - 2 * spacing()) / wide);
    const int rows = (model()->rowCount() + columns - 1) / columns;
    return {wide, std::clamp(rows, 1, kMostRows) * high + spacing()};
}

void AttachmentList::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) updateGeometry();
}

AttachmentId AttachmentList::idAt(const QModelIndex& index) const {
    return index.data(AttachmentModel::kIdRole).toLongLong();
}

void AttachmentList::activate(const QModelIndex& index) {
    if (!index.isValid()) return;
    if (stateOf(index) == AttachmentItem::State::kFailed) {
        Q_EMIT retried(idAt(index));
    } else if (stateOf(index) == AttachmentItem::State::kReady) {
        Q_EMIT opened(idAt(index));
    }
}

void AttachmentList::keyPressEvent(QKeyEvent* event) {
    const QModelIndex index = currentIndex();
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            activate(index);
            return;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            if (index.isValid()) Q_EMIT removed(idAt(index));
            return;
        default:
            if (writes(*event)) return event->ignore();  // the composer's
            QListView::keyPressEvent(event);
    }
}

void AttachmentList::mouseReleaseEvent(QMouseEvent* event) {
    QListView::mouseReleaseEvent(event);
    const QModelIndex index = indexAt(event->pos());
    if (!index.isValid() || event->button() != Qt::LeftButton) return;
    if (delegate_->crossOf(visualRect(index), layoutDirection()).contains(event->pos())) {
        Q_EMIT removed(idAt(index));
    } else {
        activate(index);
    }
}

void AttachmentList::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index = event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    if (!index.isValid()) return;
    const AttachmentId id = idAt(index);
    QMenu menu(this);
    if (stateOf(index) == AttachmentItem::State::kReady)
        menu.addAction(tr("&What the model sees…"), this, [this, id] { Q_EMIT opened(id); });
    if (stateOf(index) == AttachmentItem::State::kFailed)
        menu.addAction(index.data(AttachmentModel::kLockedRole).toBool() ? tr("&Give the password…") : tr("&Try again"),
                       this, [this, id] { Q_EMIT retried(id); });
    const bool reading = stateOf(index) == AttachmentItem::State::kReading;
    menu.addAction(reading ? tr("&Cancel") : tr("&Remove"), this, [this, id] { Q_EMIT removed(id); });
    menu.exec(event->globalPos());
}

}  // namespace pal::desktop
