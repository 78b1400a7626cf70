// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/welcome/sample_card.h"

#include <QPainter>
#include <algorithm>

#include "app/desktop/style/icons.h"
#include "app/desktop/style/line_flags.h"

namespace pal::desktop {
namespace {

QFont titleFont(const Theme& theme) {
    QFont out = theme.body();
    out.setWeight(QFont::DemiBold);
    return out;
}

}  // namespace

SampleCard::SampleCard(const Sample& sample, const Theme& theme, QWidget* parent)
    : QAbstractButton(parent), theme_(theme), sample_(sample) {
    setObjectName(QStringLiteral("sampleCard"));
    setText(sample.title);
    setAccessibleName(sample.title);
    setAccessibleDescription(sample.question);
    setIcon(desktop::icon(sample.icon, theme, IconColour::kAccent));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

// Room for two lines of the question, and for more where it needs them. As in paintEvent().
QSize SampleCard::sizeHint() const {
    const int width = theme_.space(40), space = theme_.space(3);
    const QFontMetrics small(theme_.small());
    const QRect line(0, 0, width - 2 * space, 1 << 16);
    const int question = std::max(
        2 * small.lineSpacing(), small.boundingRect(line, Qt::AlignLeft | Qt::TextWordWrap, sample_.question).height());
    return {width, 2 * space + theme_.iconSize() * 3 / 2 + theme_.space(2) + QFontMetrics(titleFont(theme_)).height() +
                       theme_.space(1) + question + 1};
}

void SampleCard::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Colours& colours = theme_.colours();
    const bool over = isEnabled() && (underMouse() || isDown());
    painter.setPen(QPen(hasFocus() || over ? colours.accent : colours.faint, 1));
    painter.setBrush(over ? colours.raised : colours.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme_.radius(), theme_.radius());

    const int space = theme_.space(3);
    const QRect inner = rect().adjusted(space, space, -space, -space);
    const int edge = theme_.iconSize() * 3 / 2;
    const int left = isRightToLeft() ? inner.right() + 1 - edge : inner.left();
    icon().paint(&painter, QRect(left, inner.top(), edge, edge), Qt::AlignCenter,
                 isEnabled() ? QIcon::Normal : QIcon::Disabled);
    const QFont bold = titleFont(theme_);
    painter.setFont(bold);
    painter.setPen(isEnabled() ? colours.text : colours.muted);
    const int line = QFontMetrics(bold).height();
    const QRect titleAt(inner.left(), inner.top() + edge + theme_.space(2), inner.width(), line);
    painter.drawText(titleAt, lineFlags(text(), Qt::AlignLeft | Qt::AlignVCenter, layoutDirection()), text());
    painter.setFont(theme_.small());
    painter.setPen(colours.muted);
    const QRect questionAt(inner.left(), titleAt.bottom() + theme_.space(1), inner.width(),
                           inner.bottom() - titleAt.bottom() - theme_.space(1));
    painter.drawText(questionAt,
                     lineFlags(sample_.question, Qt::AlignLeft | Qt::AlignTop, layoutDirection()) | Qt::TextWordWrap,
                     sample_.question);
}

}  // namespace pal::desktop
