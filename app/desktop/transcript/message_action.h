// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <vector>

#include "app/desktop/transcript/transcript_message.h"

namespace pal::desktop {

// What can be done with a message.
enum class MessageAction { kCopy, kEdit, kRegenerate, kFork, kDelete, kPreviousSibling, kNextSibling };

// Those that make sense for a message as it is, in the order they are shown.
[[nodiscard]] std::vector<MessageAction> actionsOf(const TranscriptMessage& message);
[[nodiscard]] QString actionName(MessageAction action);      // translated
[[nodiscard]] QString actionIconName(MessageAction action);  // for icon()

}  // namespace pal::desktop
