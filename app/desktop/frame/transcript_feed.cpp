// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/frame/transcript_feed.h"

#include <QLocale>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/desktop/bridge/error_text.h"

namespace pal::desktop {
namespace {

using Channel = TranscriptModel::Channel;

MessageRole shownRole(Role role) {
    switch (role) {
        case Role::kUser:
            return MessageRole::kUser;
        case Role::kSystem:
            return MessageRole::kSystem;
        case Role::kAssistant:
        case Role::kTool:
            break;
    }
    return MessageRole::kAssistant;
}

MessageState shownState(pal::MessageState state) {
    switch (state) {
        case pal::MessageState::kStreaming:
            return MessageState::kStreaming;
        case pal::MessageState::kStopped:
        case pal::MessageState::kInterrupted:
            return MessageState::kStopped;
        case pal::MessageState::kFailed:
            return MessageState::kFailed;
        case pal::MessageState::kComplete:
        case pal::MessageState::kLength:
            break;
    }
    return MessageState::kDone;
}

template <typename T>
std::optional<T> numberAt(const nlohmann::json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number()) return std::nullopt;
    return at->get<T>();
}

std::optional<double> rate(int64_t tokens, double seconds) {
    if (tokens < 2 || seconds <= 0) return std::nullopt;
    return static_cast<double>(tokens - 1) / seconds;
}

MessageTiming storedTiming(const nlohmann::json& details) {
    MessageTiming timing;
    timing.firstTokenSeconds = numberAt<double>(details, "first_token_seconds");
    timing.reusedTokens = numberAt<int64_t>(details, "reused_tokens");
    timing.computedTokens = numberAt<int64_t>(details, "computed_tokens");
    timing.writtenTokens = numberAt<int64_t>(details, "output_tokens");
    const auto decode = numberAt<double>(details, "decode_seconds");
    if (timing.writtenTokens && decode) timing.tokensPerSecond = rate(*timing.writtenTokens, *decode);
    return timing;
}

std::vector<ToolUse> storedTools(const nlohmann::json& details) {
    std::vector<ToolUse> tools;
    const auto calls = details.find("tool_calls");
    if (calls == details.end() || !calls->is_array()) return tools;
    const auto text = [](const nlohmann::json& call, const char* key) {
        const auto at = call.find(key);
        return at != call.end() && at->is_string() ? QString::fromStdString(at->get<std::string>()) : QString();
    };
    for (const nlohmann::json& call : *calls)
        if (call.is_object()) tools.push_back({text(call, "name"), text(call, "arguments"), {}});
    return tools;
}

}  // namespace

TranscriptMessage transcriptMessage(const Message& message) {
    TranscriptMessage out;
    out.id = message.node.id;
    out.role = shownRole(message.node.role);
    out.state = shownState(message.node.state);
    out.time = QDateTime::fromMSecsSinceEpoch(message.node.createdMs);
    out.thinking = message.reasoning;
    out.text = message.text;
    for (const Attachment& attachment : message.attachments) {
        out.attachments << TranscriptFeed::tr("%1, %2").arg(
            QString::fromStdString(attachment.name).simplified(),
            QLocale().formattedDataSize(static_cast<qint64>(attachment.bytes)));
    }
    const nlohmann::json details = nlohmann::json::parse(message.details, nullptr, false);
    if (details.is_object()) {
        out.timing = storedTiming(details);
        out.tools = storedTools(details);
        if (const auto error = details.find("error"); error != details.end() && error->is_string())
            out.notices.push_back({Notice::Kind::kError, QString::fromStdString(error->get<std::string>())});
    }
    if (message.node.state == pal::MessageState::kInterrupted) {
        out.notices.push_back(
            {Notice::Kind::kWarning, TranscriptFeed::tr("Cut off: the program ended while this was written")});
    }
    if (message.node.state == pal::MessageState::kLength)
        out.notices.push_back({Notice::Kind::kInfo, TranscriptFeed::tr("Ended at the limit of tokens")});
    if (!message.node.readable) {
        out.notices.push_back({Notice::Kind::kError, TranscriptFeed::tr("This message is damaged and cannot be read")});
    }
    return out;
}

TranscriptFeed::TranscriptFeed(Chat& chat, TranscriptModel& model, QObject* parent)
    : QObject(parent), chat_(chat), model_(model) {
    connect(&chat_, &Chat::shown, this, &TranscriptFeed::show);
    connect(&chat_, &Chat::grew, this, &TranscriptFeed::grow);
    connect(&chat_, &Chat::ended, this, &TranscriptFeed::end);
}

TranscriptMessage TranscriptFeed::shown(const Message& message) const {
    TranscriptMessage out = transcriptMessage(message);
    std::tie(out.sibling, out.siblings) = placeAmongSiblings(message.node.id);
    if (chat_.isRunningHere() && chat_.running()->start.reply == message.node.id) {
        out.thinking = chat_.running()->reasoning;
        out.text = chat_.running()->content;
        out.state = MessageState::kStreaming;
    }
    return out;
}

std::pair<int, int> TranscriptFeed::placeAmongSiblings(MessageId message) const {
    const std::vector<MessageId>& siblings = chat_.tree().siblings(message);
    const auto at = std::find(siblings.begin(), siblings.end(), message);
    if (at == siblings.end()) return {1, 1};
    return {static_cast<int>(at - siblings.begin()) + 1, static_cast<int>(siblings.size())};
}

// Whether what is shown now is the beginning of what the chat has.
bool TranscriptFeed::continues() const {
    const int count = model_.rowCount();
    if (session_ != chat_.session() || count == 0 || count > std::ssize(chat_.messages())) return false;
    for (int row = 0; row < count; ++row)
        if (model_.message(row).id != chat_.messages()[static_cast<size_t>(row)].node.id) return false;
    return true;
}

void TranscriptFeed::show() {
    const std::vector<Message>& messages = chat_.messages();
    if (!continues()) {
        std::vector<TranscriptMessage> all;
        for (const Message& message : messages) all.push_back(shown(message));
        session_ = chat_.session();
        model_.replaceAll(std::move(all));
        return;
    }
    const int count = model_.rowCount();
    for (int row = 0; row < count; ++row) refresh(row, messages[static_cast<size_t>(row)]);
    for (size_t row = static_cast<size_t>(count); row < messages.size(); ++row)
        model_.appendMessage(shown(messages[row]));
}

void TranscriptFeed::refresh(int row, const Message& message) {
    const TranscriptMessage& before = model_.message(row);
    const auto [sibling, siblings] = placeAmongSiblings(message.node.id);
    if (before.sibling != sibling || before.siblings != siblings) model_.setSibling(before.id, sibling, siblings);
    // Putting all of a long session together again after each answer would be seen; what is told below a message only comes to the last.
    const bool last = row + 1 == model_.rowCount();
    if (!last && before.state == shownState(message.node.state) && before.text == message.text) return;
    const TranscriptMessage now = shown(message);
    if (before.state != now.state || before.text != now.text || before.notices != now.notices)
        model_.replaceMessage(now);
}

void TranscriptFeed::grow(const TurnNews& news) {
    if (!chat_.isRunningHere()) return;
    const MessageId reply = chat_.running()->start.reply;
    for (const OutputDelta& delta : news.deltas) {
        switch (delta.kind) {
            case OutputDelta::Kind::kReasoning:
                model_.appendText(reply, Channel::kThinking, delta.text);
                break;
            case OutputDelta::Kind::kContent:
                model_.appendText(reply, Channel::kText, delta.text);
                break;
            case OutputDelta::Kind::kReasoningIsContent:
                model_.thinkingIsText(reply);
                break;
            case OutputDelta::Kind::kToolCallStarted:
            case OutputDelta::Kind::kToolCall: {
                const int row = model_.rowOf(reply);
                if (row < 0) break;
                const size_t known = model_.message(row).tools.size();
                const bool started = delta.kind == OutputDelta::Kind::kToolCallStarted || known == 0;
                model_.setTool(
                    reply, started ? known : known - 1,
                    {QString::fromStdString(delta.call.name), QString::fromStdString(delta.call.arguments), {}});
                break;
            }
            case OutputDelta::Kind::kDone:
                break;
        }
    }
}

// The stored message follows; until then the numbers are those of the report.
void TranscriptFeed::end(const TurnEnd& end) {
    const TurnReport& report = end.report;
    MessageTiming timing;
    if (report.firstTokenSeconds > 0) timing.firstTokenSeconds = report.firstTokenSeconds;
    timing.tokensPerSecond = rate(report.done.generated, report.done.decodeSeconds);
    timing.reusedTokens = report.prompt.reused;
    timing.computedTokens = report.prompt.computed;
    timing.writtenTokens = report.done.generated;
    MessageState state = MessageState::kDone;
    if (report.done.cause == EndCause::kCancelled) state = MessageState::kStopped;
    if (end.error) {
        state = MessageState::kFailed;
        model_.addNotice(report.reply, {Notice::Kind::kError, errorText(*end.error)});
    }
    model_.finish(report.reply, state, timing);
}

}  // namespace pal::desktop
