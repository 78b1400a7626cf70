// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/control_style.h"

#include <QPainter>
#include <QStyleOption>

namespace pal::desktop {
namespace {

// Corners and ticks in shares of the box, whose size is the style's.
void drawTickBox(const QStyleOption& option, QPainter& painter) {
    const QPalette& palette = option.palette;
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool on = option.state.testFlag(QStyle::State_On), half = option.state.testFlag(QStyle::State_NoChange);
    const QColor accent = palette.color(enabled ? QPalette::Link : QPalette::Mid);
    const bool marked = option.state.testFlag(QStyle::State_HasFocus) || on || half;
    const QColor edge = marked ? accent : palette.color(enabled ? QPalette::PlaceholderText : QPalette::Mid);
    const QRectF box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(edge, 1));
    painter.setBrush(on || half ? accent : palette.color(QPalette::Base));
    painter.drawRoundedRect(box, box.width() / 5, box.width() / 5);
    const auto at = [&](double x, double y) { return box.topLeft() + QPointF(x * box.width(), y * box.height()); };
    painter.setPen(QPen(palette.color(QPalette::Base), box.width() / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    if (on) painter.drawPolyline(QPolygonF{at(0.25, 0.52), at(0.43, 0.7), at(0.76, 0.3)});
    if (half) painter.drawLine(at(0.28, 0.5), at(0.72, 0.5));
    painter.restore();
}

}  // namespace

ControlStyle::ControlStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void ControlStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck)
        return drawTickBox(*option, *painter);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void ControlStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                      const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control != CC_SpinBox && control != CC_ComboBox) return;
    const bool focused = option->state.testFlag(State_HasFocus);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(option->palette.color(focused ? QPalette::Link : QPalette::Mid), 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter->restore();
}

}  // namespace pal::desktop
