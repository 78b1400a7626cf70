// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "app/composition/prompt_builder.h"
#include "app/inspect/probe_source.h"
#include "app/inspect/words.h"

namespace pal {

// The parts of a prompt that attention is summed over: the text of each message, each page, each picture and each group of frames, in
// order and without gaps from the first token to the last. Tags and marks belong to the part that they stand before, those at the end to
// the last. Neighbouring pages are joined where there would be more than ProbeRequest::kMostRegions.
[[nodiscard]] std::vector<inspect::Region> regionsOf(const PromptMap& map, const inspect::Words& words);

// Their ends, as ProbeRequest::regionEnds wants them.
[[nodiscard]] std::vector<int64_t> endsOf(const std::vector<inspect::Region>& regions);

}  // namespace pal
