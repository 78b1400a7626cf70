// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Version, licence, third-party notices, and that nothing is sent anywhere.
class About : public QDialog {
    Q_OBJECT

  public:
    About(const Theme& theme, QWidget* parent);
};

}  // namespace pal::desktop
