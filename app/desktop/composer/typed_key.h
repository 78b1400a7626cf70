// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeyEvent>

namespace pal::desktop {

// Whether a key writes a character other than a blank, which presses buttons and opens cards.
[[nodiscard]] inline bool writes(const QKeyEvent& key) {
    const QString text = key.text();
    const bool plain = (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
    return plain && !text.isEmpty() && text.at(0).isPrint() && !text.at(0).isSpace();
}

}  // namespace pal::desktop
