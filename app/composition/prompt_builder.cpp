// SPDX-License-Identifier: Apache-2.0
#include "app/composition/prompt_builder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/composition/reply_ids.h"
#include "storage/transfer/session_copy.h"

namespace pal {
namespace {

ChatMessage systemMessage(const std::string& text) {
    ChatMessage message;
    message.role = "system";
    message.content.push_back({ContentPart::Kind::kText, text});
    return message;
}

// Text as the format knows it, without attachments: enough for what is only context of another message.
ChatMessage plainMessage(const PromptMessage& message) {
    ChatMessage out;
    out.role = roleName(message.role);
    out.content.push_back({ContentPart::Kind::kText, message.text});
    out.reasoning = message.reasoning;
    out.toolCalls = message.toolCalls;
    return out;
}

// Of the path, what a message may depend on: a tool's result belongs to the calls before it.
std::span<const PromptMessage> contextOf(std::span<const PromptMessage> before, const std::string& role) {
    if (role != "tool") return {};
    for (size_t i = before.size(); i > 0; --i)
        if (before[i - 1].role == Role::kAssistant) return before.subspan(i - 1);
    return before;
}

bool startsWith(std::span<const TokenId> whole, std::span<const TokenId> part) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

std::vector<TokenId> joined(std::span<const TokenId> first, std::span<const TokenId> second) {
    std::vector<TokenId> out(first.begin(), first.end());
    out.insert(out.end(), second.begin(), second.end());
    return out;
}

std::vector<ToolCall> toolCallsFrom(const std::string& details) {
    std::vector<ToolCall> out;
    const auto object = nlohmann::json::parse(details, nullptr, false);
    if (!object.is_object() || !object.contains("tool_calls") || !object["tool_calls"].is_array()) return out;
    for (const auto& call : object["tool_calls"]) {
        if (!call.is_object()) continue;
        const auto text = [&](const char* key) {
            return call.contains(key) && call[key].is_string() ? call[key].get<std::string>() : "";
        };
        out.push_back({text("id"), text("name"), text("arguments")});
    }
    return out;
}

}  // namespace

Result<std::vector<TokenId>> PromptBuilder::encode(const SessionSettings& settings, std::vector<ChatMessage> messages,
                                                   GenerationPrompt generation) const {
    ChatRequest request;
    request.thinking = settings.thinking;
    request.effort = settings.effort;
    request.generationPrompt = generation;
    if (!settings.system.empty()) request.messages.push_back(systemMessage(settings.system));
    for (ChatMessage& message : messages) request.messages.push_back(std::move(message));
    PAL_ASSIGN(const std::vector<Segment> segments, renderChat(request, tokenizer_.style()));
    return encodeSegments(tokenizer_, segments);
}

Result<const PromptBuilder::Frame*> PromptBuilder::frame(const SessionSettings& settings) {
    const std::string key =
        fmt::format("{} {} {}", idsKey(settings), static_cast<int>(settings.effort), settings.system);
    if (key == frameKey_) return &frame_;
    PAL_ASSIGN(std::vector<TokenId> head, encode(settings, {}, GenerationPrompt::kNone));
    PAL_ASSIGN(const std::vector<TokenId> asked, encode(settings, {}, GenerationPrompt::kAdd));
    if (!startsWith(asked, head)) return fail(ErrorCode::kInternal, "the chat format puts the reply elsewhere");
    ChatMessage empty;
    empty.role = roleName(Role::kAssistant);
    PAL_ASSIGN(const std::vector<TokenId> message, rendered(settings, {}, empty));
    frame_.opening.assign(asked.begin() + std::ssize(head), asked.end());
    frame_.head = std::move(head);
    frame_.end = message.empty() ? -1 : message.back();
    frameKey_ = key;
    return &frame_;
}

Result<std::vector<TokenId>> PromptBuilder::rendered(const SessionSettings& settings,
                                                     std::span<const PromptMessage> before,
                                                     const ChatMessage& message) const {
    std::vector<ChatMessage> messages;
    for (const PromptMessage& context : contextOf(before, message.role)) messages.push_back(plainMessage(context));
    PAL_ASSIGN(const std::vector<TokenId> without, encode(settings, messages, GenerationPrompt::kNone));
    messages.push_back(message);
    PAL_ASSIGN(const std::vector<TokenId> with, encode(settings, std::move(messages), GenerationPrompt::kNone));
    if (!startsWith(with, without))
        return fail(ErrorCode::kUnsupported, "a {} message changes the prompt before it", message.role);
    return std::vector<TokenId>(with.begin() + std::ssize(without), with.end());
}

Result<PromptPiece> PromptBuilder::piece(const SessionSettings& settings, std::span<const PromptMessage> before,
                                         const PromptMessage& message) {
    PAL_ASSIGN(const Frame* around, frame(settings));
    const bool sees = std::any_of(message.attachments.begin(), message.attachments.end(),
                                  [](const Attachment& attachment) { return !attachment.extraction; });
    const bool reply = message.role == Role::kAssistant;
    bool kept =
        message.ids && (message.ids->vocabulary == idsKey(settings) || (reply && saysTheSame(settings, message)));
    // The usual case costs nothing: the ids are there, and a reply that came to its end needs no closing.
    if (kept && !reply && !sees) return PromptPiece{message.ids->ids, {}};
    if (kept && reply && !message.ids->ids.empty() && message.ids->ids.back() == around->end)
        return PromptPiece{joined(around->opening, message.ids->ids), {}};

    std::vector<MediaContent> media;
    PAL_ASSIGN(const ChatMessage chat, chatMessage(message, media));
    PromptPiece out;
    for (const MediaContent& content : media)
        for (const MediaContent::Part& part : content.parts) out.media.push_back(part.input);
    PAL_ASSIGN(const std::vector<uint32_t> rows, mediaRows(media));
    // Another model may see the same picture in other sizes.
    if (kept && sees) {
        const auto pad = tokenizer_.mediaPadId();
        const auto wanted = std::accumulate(rows.begin(), rows.end(), int64_t{0});
        kept = pad && std::count(message.ids->ids.begin(), message.ids->ids.end(), *pad) == wanted;
    }
    if (kept && !reply) {
        out.ids = message.ids->ids;
        return out;
    }
    PAL_ASSIGN(std::vector<TokenId> ids, rendered(settings, before, chat));
    PAL_ASSIGN(out.ids, expand(std::move(ids), rows));
    const auto opening = static_cast<size_t>(std::ssize(around->opening));
    if (kept && startsWith(out.ids, around->opening))
        out.ids = joined(around->opening, replyIds(tokenizer_, message.ids->ids, std::span(out.ids).subspan(opening)));
    return out;
}

// Imported ids may be anything; those of a reply are taken when they read as what is shown.
bool PromptBuilder::saysTheSame(const SessionSettings& settings, const PromptMessage& message) const {
    if (message.ids->vocabulary != std::string(kImportedIds) + idsKey(settings)) return false;
    OutputParser parser(tokenizer_, settings.thinking == Thinking::kOn ? OutputStart::kThink : OutputStart::kResponse);
    std::vector<OutputDelta> deltas;
    for (const TokenId id : message.ids->ids) parser.push(id, deltas);
    parser.finish(deltas);
    const ParsedMessage& read = parser.message();
    return read.content == message.text && read.reasoning == message.reasoning && read.toolCalls.empty();
}

std::string PromptBuilder::idsKey(const SessionSettings& settings) const {
    const auto hash = tokenizer_.fingerprint();
    return fmt::format("{:016x}{:016x}-{}", hash[0], hash[1], settings.thinking == Thinking::kOn ? "think" : "answer");
}

Result<std::vector<PromptMessage>> PromptBuilder::load(MessageId head) const {
    std::vector<PromptMessage> out;
    if (head == 0) return out;
    PAL_ASSIGN(const std::vector<Message> path, database_.messages().path(head));
    for (const Message& message : path) {
        if (!message.node.readable)
            return fail(ErrorCode::kCorrupt, "message {} cannot be read; fork before it", message.node.id);
        PAL_ASSIGN(std::optional<MessageIds> ids, database_.messages().ids(message.node.id));
        const bool empty = message.text.empty() && message.reasoning.empty() && (!ids || ids->ids.empty());
        if (message.node.role == Role::kAssistant && empty) continue;
        out.push_back({message.node.role, message.text, message.reasoning, toolCallsFrom(message.details),
                       message.attachments, std::move(ids)});
    }
    return out;
}

// Attachments in their order, then the text.
Result<ChatMessage> PromptBuilder::chatMessage(const PromptMessage& message, std::vector<MediaContent>& media) {
    ChatMessage out = plainMessage(message);
    out.content.clear();
    std::string text;
    for (const Attachment& attachment : message.attachments) {
        if (attachment.extraction) {
            PAL_ASSIGN(const Extraction extraction, database_.sources().extraction(*attachment.extraction));
            text += extraction.text + "\n\n";
            continue;
        }
        if (attachment.kind == AttachmentKind::kDocument)
            return fail(ErrorCode::kUnsupported, "{}: its text was never read", attachment.name);
        auto content = media_.read(attachment);
        if (!content) return fail(content.error().withContext(attachment.name));
        if (!text.empty()) out.content.push_back({ContentPart::Kind::kText, std::exchange(text, {})});
        for (const MediaContent::Part& part : content->parts)
            out.content.push_back({ContentPart::Kind::kImage, part.prompt});
        media.push_back(std::move(*content));
    }
    out.content.push_back({ContentPart::Kind::kText, text + message.text});
    return out;
}

Result<std::vector<uint32_t>> PromptBuilder::mediaRows(const std::vector<MediaContent>& media) const {
    std::vector<uint32_t> rows;
    for (const MediaContent& content : media) {
        for (const MediaContent::Part& part : content.parts) {
            PAL_ASSIGN(const int64_t count, engine_.mediaRows(*part.input));
            rows.push_back(static_cast<uint32_t>(count));
        }
    }
    return rows;
}

Result<std::vector<TokenId>> PromptBuilder::expand(std::vector<TokenId> ids, const std::vector<uint32_t>& rows) const {
    if (rows.empty()) return ids;
    const auto pad = tokenizer_.mediaPadId();
    if (!pad) return fail(ErrorCode::kUnsupported, "the vocabulary has no token for pictures");
    return expandMediaPads(ids, rows, *pad);
}

}  // namespace pal
