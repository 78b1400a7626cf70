// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// Gives the application the theme: palette, and a style sheet for what the palette cannot say (flat buttons, thin scroll bars, visible focus).
void applyTheme(const Theme& theme);

}  // namespace pal::desktop
