// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/chat_types.h"

#include <algorithm>

namespace pal {
namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 4> kRoles{"system", "user", "assistant", "tool"};
constexpr std::array<std::string_view, 6> kStates{"complete", "streaming", "interrupted",
                                                  "stopped",  "length",    "failed"};
constexpr std::array<std::string_view, 3> kKinds{"document", "image", "video"};

template <typename Enum, size_t kCount>
std::optional<Enum> named(const std::array<std::string_view, kCount>& names, std::string_view name) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) return std::nullopt;
    return static_cast<Enum>(at - names.begin());
}

}  // namespace

std::string_view roleName(Role role) {
    return kRoles[static_cast<size_t>(role)];
}
std::optional<Role> roleNamed(std::string_view name) {
    return named<Role>(kRoles, name);
}

std::string_view messageStateName(MessageState state) {
    return kStates[static_cast<size_t>(state)];
}
std::optional<MessageState> messageStateNamed(std::string_view name) {
    return named<MessageState>(kStates, name);
}

std::string_view attachmentKindName(AttachmentKind kind) {
    return kKinds[static_cast<size_t>(kind)];
}
std::optional<AttachmentKind> attachmentKindNamed(std::string_view name) {
    return named<AttachmentKind>(kKinds, name);
}

}  // namespace pal
