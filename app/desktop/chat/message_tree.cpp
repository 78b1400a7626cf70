// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/chat/message_tree.h"

#include <algorithm>

namespace pal::desktop {

MessageTree::MessageTree(const std::vector<MessageNode>& nodes) {
    for (const MessageNode& node : nodes) {
        parents_[node.id] = node.parent;
        children_[node.parent].push_back(node.id);
    }
    for (auto& [parent, children] : children_) std::sort(children.begin(), children.end());
}

MessageId MessageTree::parent(MessageId message) const {
    const auto found = parents_.find(message);
    return found == parents_.end() ? 0 : found->second;
}

const std::vector<MessageId>& MessageTree::siblings(MessageId message) const {
    static const std::vector<MessageId> kNone;
    const auto found = children_.find(parent(message));
    return found == children_.end() ? kNone : found->second;
}

MessageId MessageTree::newestBelow(MessageId message) const {
    for (auto below = children_.find(message); below != children_.end(); below = children_.find(message))
        message = below->second.back();
    return message;
}

bool MessageTree::isAbove(MessageId ancestor, MessageId message) const {
    while (message != 0 && message != ancestor) message = parent(message);
    return message == ancestor && ancestor != 0;
}

}  // namespace pal::desktop
