// SPDX-License-Identifier: Apache-2.0
#include "storage/transfer/markdown.h"

#include <fmt/format.h>

#include <array>
#include <ctime>

namespace pal {
namespace {

constexpr std::array<std::string_view, 4> kSpeakers{"System", "You", "Assistant", "Tool"};  // in the order of Role

std::string date(int64_t ms) {
    const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
    std::tm utc{};
    if (gmtime_r(&seconds, &utc) == nullptr) return "";
    std::array<char, 32> out{};
    std::strftime(out.data(), out.size(), "%Y-%m-%d %H:%M UTC", &utc);
    return out.data();
}

// One line: what would begin a new line or block cannot.
std::string oneLine(std::string_view text) {
    std::string out;
    for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    return out;
}

}  // namespace

std::string writeMarkdown(const SessionDocument& document) {
    std::string out = fmt::format("# {}\n", oneLine(document.name));
    for (const size_t index : pathToHead(document)) {
        const MessageDocument& message = document.messages[index];
        out += fmt::format("\n## {}", kSpeakers[static_cast<size_t>(message.role)]);
        if (message.createdMs > 0) out += ", " + date(message.createdMs);
        if (message.state != MessageState::kComplete) out += fmt::format(" ({})", messageStateName(message.state));
        out += "\n\n";
        for (const AttachmentDocument& attachment : message.attachments) {
            out += fmt::format("* {} ({}, {} bytes)\n", oneLine(attachment.name), attachmentKindName(attachment.kind),
                               document.sources[attachment.source].bytes);
        }
        if (!message.attachments.empty()) out += "\n";
        if (!message.reasoning.empty())
            out += fmt::format("<details><summary>Reasoning</summary>\n\n{}\n\n</details>\n\n", message.reasoning);
        out += message.text + "\n";
    }
    return out;
}

}  // namespace pal
