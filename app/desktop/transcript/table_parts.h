// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "app/desktop/transcript/block.h"

namespace pal::desktop {

// A table as blocks of a few dozen rows, so that no more than what is seen of it is laid out; one block for a short table. The columns of all
// parts are alike: each part knows the texts that may need the most room in them (Block::widest).
[[nodiscard]] std::vector<Block> tableParts(Block table);

}  // namespace pal::desktop
