// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProxyStyle>

namespace pal::desktop {

// Fusion with edges that are seen on dark ground, too: boxes to tick, fields with arrows, lists to choose from. Colours are those of
// Theme::palette().
class ControlStyle : public QProxyStyle {
    Q_OBJECT

  public:
    ControlStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
};

}  // namespace pal::desktop
