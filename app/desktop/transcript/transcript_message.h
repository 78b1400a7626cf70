// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pal::desktop {

enum class MessageRole { kUser, kAssistant, kSystem };
enum class MessageState { kStreaming, kDone, kStopped, kFailed };

// A call of a tool, and what came back.
struct ToolUse {
    QString name;
    QString arguments;  // JSON or any text
    QString result;     // empty until there is one
    friend bool operator==(const ToolUse&, const ToolUse&) = default;
};

struct Notice {
    enum class Kind { kInfo, kWarning, kError };
    Kind kind = Kind::kInfo;
    QString text;
    friend bool operator==(const Notice&, const Notice&) = default;
};

// How an answer came about; what is not known is left out.
struct MessageTiming {
    std::optional<double> firstTokenSeconds;
    std::optional<double> tokensPerSecond;
    std::optional<double> thinkingSeconds;
    std::optional<int64_t> reusedTokens;    // of the prompt, from a stored state
    std::optional<int64_t> computedTokens;  // of the prompt
    std::optional<int64_t> writtenTokens;
    friend bool operator==(const MessageTiming&, const MessageTiming&) = default;
};

// A message as the transcript shows it. Texts of the model and the user are UTF-8 as they were stored; anything else in them is shown as U+FFFD.
struct TranscriptMessage {
    int64_t id = 0;  // unique in a transcript
    MessageRole role = MessageRole::kAssistant;
    QString author;  // "Kimi K3"; empty: the role's name
    MessageState state = MessageState::kDone;
    QDateTime time;
    std::string thinking;
    std::string text;
    std::vector<ToolUse> tools;
    QStringList attachments;  // a line for each: "report.pdf, 12 pages, 8,410 tokens"
    int sibling = 1, siblings = 1;
    MessageTiming timing;
    std::vector<Notice> notices;
};

}  // namespace pal::desktop
