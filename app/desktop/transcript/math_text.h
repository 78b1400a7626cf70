// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

#include "app/desktop/transcript/block.h"

namespace pal::desktop {

// A formula as one line of readable text: \alpha becomes α, x^2 raises the 2, \frac{a}{b} is a/b, \sqrt{x} is √(x), \text{..} is upright.
// `latex` comes without its delimiters; each span carries kSpanMath and `target`. What has no such form (matrices, commands that are not
// known) keeps its LaTeX source. Linear in `latex`; nesting below 32 levels is kept as source.
[[nodiscard]] InlineText mathText(const QString& latex, const QString& target);

}  // namespace pal::desktop
