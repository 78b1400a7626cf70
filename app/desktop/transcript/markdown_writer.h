// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include "app/desktop/transcript/block.h"

namespace pal::desktop {

enum class CopyFormat { kPlain, kMarkdown };

// [begin, end) of a block's text (blockText) as it goes to the clipboard, without a line end behind it. Formulas that are touched come as
// their LaTeX source; a list marker comes with the block's first character. kMarkdown writes what parses to the same block again.
[[nodiscard]] QString writeBlock(const Block& block, int begin, int end, CopyFormat format);

}  // namespace pal::desktop
