// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/inspect/figure_widget.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace pal::desktop {

FigureWidget::FigureWidget(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);  // the figure covers it
    setMinimumSize(theme.space(40), theme.space(30));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    setAccessibleName(spoken());
}

void FigureWidget::setFigure(inspect::Figure figure, QImage image) {
    figure_ = std::move(figure);
    image_ = std::move(image);
    if (cursor_) {
        const auto& panels = figure_.panels;
        const bool there = cursor_->panel < panels.size() && cursor_->row < panels[cursor_->panel].rows.size() &&
                           cursor_->column < panels[cursor_->panel].columns.size();
        if (!there) cursor_.reset();
    }
    speak();
    update();
}

QString FigureWidget::spoken() const {
    if (!cursor_) {
        if (figure_.title.empty()) return tr("Nothing is shown yet");
        const QString title = QString::fromStdString(figure_.title);
        return figure_.message.empty() ? title : tr("%1. %2").arg(title, QString::fromStdString(figure_.message));
    }
    return QString::fromStdString(inspect::describeCell(figure_, *cursor_));
}

void FigureWidget::speak() {
    setAccessibleName(spoken());  // tells listeners when it changed
    QStringList caption;
    for (const std::string& line : figure_.caption) caption << QString::fromStdString(line);
    setAccessibleDescription(caption.join(u' '));
}

const inspect::Panel* FigureWidget::firstPanel() const {
    return figure_.panels.empty() ? nullptr : &figure_.panels.front();
}

void FigureWidget::moveCursor(int columns, int rows) {
    if (figure_.panels.empty() || figure_.panels.front().values.empty()) return;
    if (!cursor_) {
        const inspect::Panel& panel = figure_.panels.front();
        cursor_ = inspect::CellPlace{0, static_cast<size_t>(std::max<int64_t>(0, panel.chosenRow)),
                                     static_cast<size_t>(std::max<int64_t>(0, panel.chosenColumn))};
    } else {
        cursor_ = inspect::nextCell(figure_, *cursor_, columns, rows);
    }
    speak();
    update();
}

void FigureWidget::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    // After a change of size there is less or more of it until the next figure comes.
    const QSizeF size = image_.deviceIndependentSize();
    if (size.width() < width() || size.height() < height()) painter.fillRect(rect(), theme_.colours().surface);
    painter.drawImage(QPointF(0, 0), image_);
    if (cursor_) {
        const inspect::Rect rect = inspect::cellRect(figure_.panels[cursor_->panel], cursor_->row, cursor_->column);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_.colours().text, 3));
        const QRectF frame = QRectF(rect.x, rect.y, rect.width, rect.height).adjusted(-1, -1, 1, 1);
        painter.drawRect(frame);
        painter.setPen(QPen(theme_.colours().surface, 1));
        painter.drawRect(frame);
    }
    if (hasFocus()) {
        painter.setPen(theme_.colours().accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void FigureWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    Q_EMIT resized();
}

void FigureWidget::keyPressEvent(QKeyEvent* event) {
    const int step = event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1;
    constexpr int kFar = 1 << 30;
    switch (event->key()) {
        case Qt::Key_Left:
            return moveCursor(-step, 0);
        case Qt::Key_Right:
            return moveCursor(step, 0);
        case Qt::Key_Up:
            return moveCursor(0, -step);
        case Qt::Key_Down:
            return moveCursor(0, step);
        case Qt::Key_Home:
            return moveCursor(-kFar, 0);
        case Qt::Key_End:
            return moveCursor(kFar, 0);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!cursor_) return;
            if (event->modifiers().testFlag(Qt::ShiftModifier)) {
                Q_EMIT opened(inspect::targetOf(figure_, *cursor_));
            } else if (event->modifiers().testFlag(Qt::AltModifier)) {
                Q_EMIT chosenSecond(inspect::targetOf(figure_, *cursor_));
            } else {
                Q_EMIT chosen(inspect::targetOf(figure_, *cursor_));
            }
            return;
        case Qt::Key_Plus:
            Q_EMIT zoomed(1.5, 0.5);
            return;
        case Qt::Key_Minus:
            Q_EMIT zoomed(1 / 1.5, 0.5);
            return;
        case Qt::Key_0:
            Q_EMIT shownAll();
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

void FigureWidget::mousePressEvent(QMouseEvent* event) {
    pressed_ = last_ = event->position();
    dragging_ = false;
}

void FigureWidget::mouseMoveEvent(QMouseEvent* event) {
    const bool pulled = (event->position() - pressed_).manhattanLength() >= 6;
    const inspect::Panel* panel = firstPanel();
    if (!event->buttons().testFlag(Qt::LeftButton) || panel == nullptr || (!dragging_ && !pulled)) return;
    dragging_ = true;
    Q_EMIT panned((last_.x() - event->position().x()) / panel->area.width);
    last_ = event->position();
}

void FigureWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (std::exchange(dragging_, false) || event->button() != Qt::LeftButton) return;
    const auto place = inspect::cellAt(figure_, event->position().x(), event->position().y());
    if (!place) return;
    cursor_ = place;
    speak();
    update();
    const inspect::Target target = inspect::targetOf(figure_, *place);
    if (event->modifiers().testFlag(Qt::AltModifier)) {
        Q_EMIT chosenSecond(target);
    } else {
        Q_EMIT chosen(target);
    }
}

void FigureWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto place = inspect::cellAt(figure_, event->position().x(), event->position().y());
    if (place) Q_EMIT opened(inspect::targetOf(figure_, *place));
}

void FigureWidget::wheelEvent(QWheelEvent* event) {
    const inspect::Panel* panel = firstPanel();
    const int turned = event->angleDelta().y();
    if (panel == nullptr || turned == 0) return event->ignore();
    const double at = (event->position().x() - panel->area.x) / panel->area.width;
    Q_EMIT zoomed(std::pow(1.0015, turned), std::clamp(at, 0.0, 1.0));
}

bool FigureWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto place = inspect::cellAt(figure_, help->pos().x(), help->pos().y());
        if (!place) {
            QToolTip::hideText();
            event->ignore();
            return true;
        }
        QStringList lines{QString::fromStdString(inspect::describeCell(figure_, *place))};
        for (const std::string& line : figure_.caption) lines << QString::fromStdString(line);
        QToolTip::showText(help->globalPos(), lines.join(u'\n'), this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace pal::desktop
