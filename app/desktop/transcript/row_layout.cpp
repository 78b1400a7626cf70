// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/transcript/row_layout.h"

namespace pal::desktop {

int RowLayout::offsetAt(QPointF /*point*/) const {
    return 0;
}

QRectF RowLayout::caret(int /*offset*/) const {
    return {};
}

void RowLayout::paintFocus(QPainter& painter, const Theme& theme, const RowPaint& state) const {
    if (state.focused < 0 || static_cast<size_t>(state.focused) >= hots_.size()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.colours().accent, 2));
    for (const QRectF& rect : hots_[static_cast<size_t>(state.focused)].rects)
        painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), 4, 4);
    painter.restore();
}

}  // namespace pal::desktop
