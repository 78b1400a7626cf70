// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/frame_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/desktop/composer/attachment_model.h"

namespace pal::desktop {
namespace {

constexpr double kShortest = 0.05;  // seconds between the handles

}  // namespace

FrameStrip::FrameStrip(const Theme& theme, std::vector<ClipFrame> frames, double seconds, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      frames_(std::move(frames)),
      seconds_(std::max(seconds, kShortest)),
      end_(seconds_) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Part of the clip"));
    connect(&theme, &Theme::changed, this, [this] { updateGeometry(); });
    describe();
}

void FrameStrip::describe() {
    setAccessibleDescription(
        tr("From %1 to %2 of %3").arg(durationText(start_), durationText(end_), durationText(seconds_)));
    update();
}

void FrameStrip::setRange(double start, double end) {
    start_ = std::clamp(start, 0.0, seconds_ - kShortest);
    end_ = std::clamp(end, start_ + kShortest, seconds_);
    describe();
}

void FrameStrip::setTaken(std::vector<double> seconds) {
    taken_ = std::move(seconds);
    update();
}

QSize FrameStrip::sizeHint() const {
    return {theme_.space(70), theme_.space(18)};
}

QSize FrameStrip::minimumSizeHint() const {
    return {theme_.space(48), theme_.space(18)};
}

double FrameStrip::toX(double seconds) const {
    const double margin = theme_.space(2), wide = width() - 2 * margin;
    const double at = seconds / seconds_ * wide;
    return isRightToLeft() ? width() - margin - at : margin + at;
}

double FrameStrip::toSeconds(double x) const {
    const double margin = theme_.space(2), wide = width() - 2 * margin;
    const double at = isRightToLeft() ? width() - margin - x : x - margin;
    return std::clamp(at / wide, 0.0, 1.0) * seconds_;
}

void FrameStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const Colours& colours = theme_.colours();
    const double marks = theme_.space(2), top = 2, high = height() - marks - 4;
    const double left = std::min(toX(0), toX(seconds_)), wide = std::abs(toX(seconds_) - toX(0));
    painter.fillRect(QRectF(left, top, wide, high), colours.sunken);
    const double each = frames_.empty() ? wide : wide / static_cast<double>(frames_.size());
    for (size_t i = 0; i < frames_.size(); ++i) {
        const size_t place = isRightToLeft() ? frames_.size() - 1 - i : i;
        const QRectF cell(left + each * static_cast<double>(place), top, each, high);
        // The middle of the frame, as much as the cell shows.
        const QSizeF whole = frames_[i].image.size();
        const double scale = std::max(cell.width() / whole.width(), cell.height() / whole.height());
        const QSizeF part = cell.size() / scale;
        painter.drawImage(
            cell, frames_[i].image,
            QRectF(QPointF((whole.width() - part.width()) / 2, (whole.height() - part.height()) / 2), part));
    }
    painter.setPen(colours.faint);  // a light frame on a light window has an edge
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(left, top, wide, high));
    QColor veil = colours.window;
    veil.setAlphaF(0.75F);
    const double a = std::min(toX(start_), toX(end_)), b = std::max(toX(start_), toX(end_));
    painter.fillRect(QRectF(left, top, a - left, high), veil);
    painter.fillRect(QRectF(b, top, left + wide - b, high), veil);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.accent);
    for (const double seconds : taken_) painter.drawEllipse(QPointF(toX(seconds), height() - marks / 2), 1.5, 1.5);
    for (const Handle handle : {Handle::kStart, Handle::kEnd}) {
        const double x = toX(handle == Handle::kStart ? start_ : end_);
        const bool current = hasFocus() && handle == handle_;
        const double half = current ? 4 : 2.5;
        painter.setBrush(colours.accent);
        painter.drawRoundedRect(QRectF(x - half, top - 2, 2 * half, high + 4), 2, 2);
    }
}

void FrameStrip::move(double seconds) {
    const double start = handle_ == Handle::kStart ? std::min(seconds, end_ - kShortest) : start_;
    const double end = handle_ == Handle::kEnd ? std::max(seconds, start_ + kShortest) : end_;
    if (start == start_ && end == end_) return;
    setRange(start, end);
    Q_EMIT rangeChanged(start_, end_);
}

void FrameStrip::mousePressEvent(QMouseEvent* event) {
    const double x = event->position().x();
    handle_ = std::abs(x - toX(start_)) <= std::abs(x - toX(end_)) ? Handle::kStart : Handle::kEnd;
    move(toSeconds(x));
}

void FrameStrip::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) move(toSeconds(event->position().x()));
}

void FrameStrip::keyPressEvent(QKeyEvent* event) {
    const double step = std::max(seconds_ / 100, kShortest) * (isRightToLeft() ? -1 : 1);
    const double now = handle_ == Handle::kStart ? start_ : end_;
    switch (event->key()) {
        case Qt::Key_Left:
            return move(std::clamp(now - step, 0.0, seconds_));
        case Qt::Key_Right:
            return move(std::clamp(now + step, 0.0, seconds_));
        case Qt::Key_Up:
        case Qt::Key_Down:
            handle_ = handle_ == Handle::kStart ? Handle::kEnd : Handle::kStart;
            return update();
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace pal::desktop
