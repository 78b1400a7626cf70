// SPDX-License-Identifier: Apache-2.0
#include "app/cli/session_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "app/cli/format.h"
#include "storage/chats/sha256.h"

namespace pal::cli {
namespace {

bool isUncounted(const SessionSummary& session) {
    return session.messages > 0 && session.tokens == 0;
}

}  // namespace

std::string describeCost(const OpeningCost& cost) {
    const std::string tokens = groupDigits(static_cast<uint64_t>(cost.tokens));
    const std::string time = cost.seconds ? fmt::format("about {}", formatDuration(*cost.seconds)) : "";
    if (cost.bytes == 0) {
        if (cost.tokens == 0) return "opens at once";
        return fmt::format("reads {} tokens{}{}", tokens, time.empty() ? "" : ", ", time);
    }
    const std::string parts = fmt::format("{} of stored state, {} token{} to read", formatBytes(cost.bytes), tokens,
                                          cost.tokens == 1 ? "" : "s");
    return time.empty() ? "opens with " + parts : fmt::format("opens in {} ({})", time, parts);
}

std::string describeOpening(const SessionSummary& session, const OpeningCost& cost) {
    if (!isUncounted(session)) return describeCost(cost);
    return "is read when it is opened; its tokens are not counted yet";
}

std::string nameLine(std::string name) {
    std::replace(name.begin(), name.end(), '\n', ' ');
    return name;
}

std::string describeTime(int64_t ms) {
    const auto seconds = static_cast<std::time_t>(ms / 1000);
    std::tm local{};
    std::array<char, 32> out{};
    if (localtime_r(&seconds, &local) == nullptr) return "";
    std::strftime(out.data(), out.size(), "%Y-%m-%d %H:%M", &local);
    return out.data();
}

nlohmann::json sessionJson(const SessionSummary& session, uint64_t bytes, const OpeningCost& cost) {
    return {
        {"id", session.id},
        {"name", session.name},
        {"created_ms", session.createdMs},
        {"changed_ms", session.changedMs},
        {"head", session.head},
        {"model", session.model},
        {"messages", session.messages},
        {"tokens", session.tokens},
        {"bytes", bytes},
        {"stored_tokens", session.storedTokens},
        {"stored_bytes", session.storedBytes},
        {"opening", describeOpening(session, cost)},
        {"opening_seconds", cost.seconds && !isUncounted(session) ? nlohmann::json(*cost.seconds) : nlohmann::json()}};
}

nlohmann::json messageJson(const Message& message) {
    nlohmann::json attachments = nlohmann::json::array();
    for (const Attachment& attachment : message.attachments) {
        attachments.push_back({{"name", attachment.name},
                               {"kind", attachmentKindName(attachment.kind)},
                               {"bytes", attachment.bytes},
                               {"sha256", toHex(attachment.sha256)}});
    }
    return {{"id", message.node.id},
            {"parent", message.node.parent},
            {"role", roleName(message.node.role)},
            {"state", messageStateName(message.node.state)},
            {"created_ms", message.node.createdMs},
            {"tokens", message.node.tokens},
            {"path_tokens", message.node.pathTokens},
            {"readable", message.node.readable},
            {"text", message.text},
            {"reasoning", message.reasoning},
            {"attachments", attachments}};
}

}  // namespace pal::cli
