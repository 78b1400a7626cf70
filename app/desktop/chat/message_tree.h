// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "storage/chats/chat_types.h"

namespace pal::desktop {

// The shape of a session: who answers whom. Ids grow with time, so the newest child is the one with the highest.
class MessageTree {
  public:
    MessageTree() = default;
    explicit MessageTree(const std::vector<MessageNode>& nodes);

    // 0 for a first message, and for one that is not known.
    [[nodiscard]] MessageId parent(MessageId message) const;
    // Messages with the same parent, itself among them, oldest first.
    [[nodiscard]] const std::vector<MessageId>& siblings(MessageId message) const;
    // Where a branch ends that is followed by its newest children.
    [[nodiscard]] MessageId newestBelow(MessageId message) const;
    // Whether `ancestor` is `message` or above it.
    [[nodiscard]] bool isAbove(MessageId ancestor, MessageId message) const;

  private:
    std::unordered_map<MessageId, MessageId> parents_;
    std::unordered_map<MessageId, std::vector<MessageId>> children_;
};

}  // namespace pal::desktop
