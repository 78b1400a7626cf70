// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/composer/context_meter.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <array>

#include "app/desktop/style/line_flags.h"

namespace pal::desktop {
namespace {

QString number(int64_t value) {
    return QLocale().toString(static_cast<qlonglong>(value));
}

}  // namespace

ContextMeter::ContextMeter(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Context"));
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
    describe();
}

void ContextMeter::setCount(const std::optional<PromptCount>& count) {
    if (count) count_ = *count;
    describe();
}

void ContextMeter::setContextTokens(int64_t contextTokens, int64_t earlierTokens) {
    count_.contextTokens = contextTokens;
    count_.earlierTokens = earlierTokens;
    describe();
}

void ContextMeter::describe() {
    setVisible(count_.contextTokens > 0);
    setAccessibleDescription(text() + u'\n' + breakdown());
    setToolTip(breakdown());
    updateGeometry();
    update();
}

QString ContextMeter::text() const {
    if (count_.contextTokens <= 0) return {};
    return tr("%1 of %2 tokens").arg(number(count_.tokens()), number(count_.contextTokens));
}

QString ContextMeter::breakdown() const {
    QStringList lines;
    const auto line = [&](const QString& what, int64_t tokens) {
        if (tokens > 0) lines.push_back(tr("%1: %2").arg(what, number(tokens)));
    };
    line(tr("Text"), count_.counts.text);
    line(tr("Pictures"), count_.counts.image);
    line(tr("Clips"), count_.counts.video);
    line(tr("Markup of the format"), count_.counts.markup);
    line(tr("Earlier messages"), count_.earlierTokens);
    if (count_.excess > 0) {
        lines.push_back(tr("%1 too many").arg(number(count_.excess)));
    } else {
        line(tr("Room for the reply"), count_.contextTokens - count_.tokens());
    }
    return lines.join(u'\n');
}

QSize ContextMeter::sizeHint() const {
    const QFontMetrics metrics(theme_.small());
    return {metrics.horizontalAdvance(text()) + theme_.space(2), metrics.height() + theme_.space(2)};
}

QSize ContextMeter::minimumSizeHint() const {
    return sizeHint();
}

void ContextMeter::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = theme_.colours();
    const double height = theme_.space(1) * 0.75;
    const QRectF bar(1, 1, width() - 2, height);
    QPainterPath outline;
    outline.addRoundedRect(bar, height / 2, height / 2);
    painter.fillPath(outline, colours.sunken);
    painter.setClipPath(outline);
    const std::array<std::pair<int64_t, QColor>, 5> parts{{{count_.earlierTokens, colours.muted},
                                                           {count_.counts.text, colours.accent},
                                                           {count_.counts.image, colours.success},
                                                           {count_.counts.video, colours.codeKeyword},
                                                           {count_.counts.markup, colours.faint}}};
    const double all = static_cast<double>(std::max(count_.contextTokens, count_.tokens()));
    double at = 0;
    for (const auto& [tokens, colour] : parts) {
        const double wide = all > 0 ? bar.width() * static_cast<double>(tokens) / all : 0;
        const double left = isRightToLeft() ? bar.right() - at - wide : bar.left() + at;
        painter.fillRect(QRectF(left, bar.top(), wide, bar.height()), count_.excess > 0 ? colours.error : colour);
        at += wide;
    }
    painter.setClipping(false);
    painter.setPen(QPen(hasFocus() ? colours.accent : colours.faint, 1));
    painter.drawPath(outline);
    painter.setFont(theme_.small());
    painter.setPen(count_.excess > 0 ? colours.error : colours.muted);
    const QRectF below(0, height + 2, width(), this->height() - height - 2);
    painter.drawText(below, lineFlags(text(), Qt::AlignVCenter | Qt::AlignRight, layoutDirection()), text());
}

void ContextMeter::showBreakdown() {
    QToolTip::showText(mapToGlobal(QPoint(0, -theme_.space(4))), breakdown(), this);
}

void ContextMeter::mousePressEvent(QMouseEvent* event) {
    showBreakdown();
    event->accept();
}

void ContextMeter::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return) {
        showBreakdown();
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace pal::desktop
