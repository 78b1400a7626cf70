// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/transfer/session_document.h"

namespace pal {

// A message of another program's export: it names its parent, in any order, and some only hold the tree together.
struct LooseMessage {
    std::string id;
    std::string parent;                      // empty or unknown: a first message
    std::optional<MessageDocument> message;  // none: what hangs below it moves up to its parent
    std::string reasoning;                   // of a message that is left out: goes to the reply below it
};

// Puts the messages into `document`, parents before children and siblings in the order given, and the head at `head` (or its nearest
// ancestor that is a message; else the last message). A circle of parents is cut where it is first met, with a warning.
void addLooseMessages(std::vector<LooseMessage> messages, std::string_view head, SessionDocument& document);

}  // namespace pal
