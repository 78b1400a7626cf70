// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QString>

#include "app/desktop/style/theme.h"

namespace pal::desktop {

// The colour that an icon is drawn in.
enum class IconColour { kText, kMuted, kAccent, kOnAccent, kWarning, kError };

// An icon of resources/desktop/icons by its file's name ("send"), drawn in the theme's colours at whatever size and scale it is needed; it
// follows the theme, so it is made once. Disabled icons are faint. `theme` outlives it. An unknown name gives a null icon.
[[nodiscard]] QIcon icon(const QString& name, const Theme& theme, IconColour colour = IconColour::kText);

}  // namespace pal::desktop
