// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/inspect/view.h"

namespace pal::inspect {

// A sentence about the selection with the view that shows it.
struct StoryLine {
    std::string text;
    std::string view;
    Selection selection;  // that shows it best
};

// What happened at the selected tokens, in a few sentences made of what was measured there: where they looked, how sure the model was, what
// was new to its memory, how open its gates were. Empty where nothing was captured. Nothing is said that was not measured.
[[nodiscard]] std::vector<StoryLine> tellStory(const ViewInput& input);

}  // namespace pal::inspect
