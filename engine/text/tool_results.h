// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engine/api/chat.h"

namespace pal {

// Puts each run of tool messages into the order of the calls they answer (those of the last assistant message before it) and sets
// their toolName. A run with an id that answers none of them stays as it is. Doing it twice changes nothing.
void sortToolResults(std::vector<ChatMessage>& messages);

}  // namespace pal
