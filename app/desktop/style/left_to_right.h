// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QGuiApplication>
#include <QString>

namespace pal::desktop {

// A path or the name of keys keeps its order where texts run from right to left: "Ctrl+;" would be read ";+Ctrl" there.
[[nodiscard]] inline QString leftToRight(const QString& text) {
    const QString mark(QChar(0x200E));
    return QGuiApplication::isRightToLeft() ? mark + text + mark : text;
}

}  // namespace pal::desktop
