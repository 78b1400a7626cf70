// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QMenuBar>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Every key of the window: those of its commands, menu by menu, and those that only a part of it knows.
class ShortcutList : public QDialog {
    Q_OBJECT

  public:
    ShortcutList(const QMenuBar& menus, const Theme& theme, QWidget* parent);
};

}  // namespace pal::desktop
