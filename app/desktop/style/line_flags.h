// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStyle>

namespace pal::desktop {

// Flags for QPainter::drawText() of a line: at the side where a window of that direction has it, but read in the text's own direction, so that
// numbers and punctuation of a language that runs the other way stay in their places.
[[nodiscard]] inline int lineFlags(const QString& text, Qt::Alignment alignment, Qt::LayoutDirection window) {
    const Qt::Alignment side = QStyle::visualAlignment(window, alignment) | Qt::AlignAbsolute;
    return int(side) | int(text.isRightToLeft() ? Qt::TextForceRightToLeft : Qt::TextForceLeftToRight);
}

}  // namespace pal::desktop
