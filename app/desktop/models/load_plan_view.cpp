// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/models/load_plan_view.h"

#include <QFontMetrics>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <algorithm>

#include "app/desktop/style/line_flags.h"

namespace pal::desktop {

LoadPlanView::LoadPlanView(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LoadPlanView::setPlan(const std::optional<LoadPlan>& plan, const QString& device) {
    plan_ = plan;
    device_ = device;
    QStringList spoken{device};
    if (plan_) {
        for (const LoadPlan::Entry& entry : plan_->entries)
            spoken << tr("%1: %2").arg(LoadPlanText::name(entry.part),
                                       QLocale().formattedDataSize(static_cast<qint64>(entry.bytes)));
    }
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize LoadPlanView::sizeHint() const {
    const int line = QFontMetrics(theme_.small()).height();
    const int entries = plan_ ? std::max(5, static_cast<int>(plan_->entries.size())) : 5;
    return {theme_.space(90), line * (1 + entries) + theme_.space(6)};
}

QColor LoadPlanView::colour(LoadPlan::Part part) const {
    const Colours& c = theme_.colours();
    QColor visiting = c.codeKeyword;  // experts, too, but not here to stay
    visiting.setAlphaF(0.45F);
    switch (part) {
        case LoadPlan::Part::kWeights:
            return c.accent;
        case LoadPlan::Part::kExperts:
            return c.codeKeyword;
        case LoadPlan::Part::kPlaces:
            return visiting;
        case LoadPlan::Part::kLatents:
            return c.success;
        case LoadPlan::Part::kState:
            return c.warning;
        case LoadPlan::Part::kWorkspace:
            break;
    }
    return c.muted;
}

void LoadPlanView::paintBar(QPainter& painter, const QRectF& bar) const {
    QPainterPath frame;
    frame.addRoundedRect(bar, theme_.radius(), theme_.radius());
    painter.fillPath(frame, theme_.colours().faint);
    if (!plan_) return;
    painter.save();
    painter.setClipPath(frame);
    const double whole = double(std::max({plan_->bytes(), plan_->memoryBytes, uint64_t{1}}));
    double at = 0;
    const auto fill = [&](uint64_t bytes, const QColor& ink) {
        const double width = bar.width() * double(bytes) / whole;
        QRectF part(bar.left() + at, bar.top(), width, bar.height());
        if (isRightToLeft()) part.moveRight(bar.right() - at);
        painter.fillRect(part, ink);
        at += width;
    };
    for (const LoadPlan::Entry& entry : plan_->entries) fill(entry.bytes, colour(entry.part));
    painter.restore();
}

void LoadPlanView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme_.small());
    const QFontMetrics metrics(theme_.small());
    const int line = metrics.height();
    const Qt::LayoutDirection direction = layoutDirection();
    const auto place = [&](const QRect& r) { return QStyle::visualRect(direction, rect(), r); };
    const auto draw = [&](const QRect& rect, const QString& text) {
        painter.drawText(place(rect), lineFlags(text, Qt::AlignLeft | Qt::AlignVCenter, direction), text);
    };
    painter.setPen(theme_.colours().text);
    draw(QRect(0, 0, width(), line), metrics.elidedText(device_, Qt::ElideRight, width()));
    paintBar(painter, QRectF(0, line + theme_.space(1), width(), theme_.space(3)));
    if (!plan_) return;
    int top = line + theme_.space(5);
    for (const LoadPlan::Entry& entry : plan_->entries) {
        const int mark = line / 2;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour(entry.part));
        painter.drawRoundedRect(place(QRect(0, top + (line - mark) / 2, mark, mark)), 2, 2);
        painter.setPen(theme_.colours().text);
        const int left = mark + theme_.space(2);
        draw(QRect(left, top, width() - left, line),
             tr("%1  %2").arg(LoadPlanText::name(entry.part),
                              QLocale().formattedDataSize(static_cast<qint64>(entry.bytes))));
        top += line;
    }
}

}  // namespace pal::desktop
