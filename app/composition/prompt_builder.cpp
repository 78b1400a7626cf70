// SPDX-License-Identifier: Apache-2.0
#include "app/composition/prompt_builder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/composition/attachment_settings.h"
#include "app/composition/attachments.h"
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
std::span<const PromptMessage> contextOf(std::span<const PromptMessage> before, Role role) {
    if (role != Role::kTool) return {};
    for (size_t i = before.size(); i > 0; --i)
        if (before[i - 1].role == Role::kAssistant) return before.subspan(i - 1);
    return before;
}

// Of a document only where pages are shown.
bool seesMedia(const Attachment& attachment) {
    return !attachment.extraction || attachmentOptionsFrom(attachment.options).picturePages == PicturePages::kShow;
}

// Composing such a message means opening its files.
bool holdsPictures(const ComposedMessage& message) {
    const auto holds = [](const ComposedAttachment& attachment) { return !attachment.picturePages.empty(); };
    return !message.media.empty() || std::any_of(message.attachments.begin(), message.attachments.end(), holds);
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

bool seesAnyMedia(const std::vector<Attachment>& attachments) {
    return std::any_of(attachments.begin(), attachments.end(), seesMedia);
}

tl::unexpected<Error> unreadable(MessageId message) {
    return fail(ErrorCode::kCorrupt, "message {} cannot be read; fork before it", message);
}

// A reply that failed before its first token.
bool failedAtOnce(const Message& message, const MessageIds* ids) {
    const bool empty = message.text.empty() && message.reasoning.empty() && (ids == nullptr || ids->ids.empty());
    return message.node.role == Role::kAssistant && empty;
}

// Takes the ids.
PromptMessage promptMessage(const Message& message, MessageIds* ids) {
    PromptMessage out{
        message.node.id,     message.node.role, message.text, message.reasoning, toolCallsFrom(message.details),
        message.attachments, std::nullopt};
    if (ids != nullptr) out.ids = std::move(*ids);
    return out;
}

}  // namespace

ChatRequest PromptBuilder::request(const SessionSettings& settings, std::span<const PromptMessage> context) const {
    ChatRequest request;
    request.thinking = settings.thinking;
    request.effort = settings.effort;
    request.generationPrompt = GenerationPrompt::kNone;
    if (!settings.system.empty()) request.messages.push_back(systemMessage(settings.system));
    for (const PromptMessage& message : context) request.messages.push_back(plainMessage(message));
    return request;
}

Result<std::vector<TokenId>> PromptBuilder::encode(ChatRequest request, GenerationPrompt generation) const {
    request.generationPrompt = generation;
    PAL_ASSIGN(const std::vector<Segment> segments, renderChat(request, tokenizer_.style()));
    return encodeSegments(tokenizer_, segments);
}

Result<const PromptBuilder::Frame*> PromptBuilder::frame(const SessionSettings& settings) {
    const std::string key =
        fmt::format("{} {} {}", idsKey(settings), static_cast<int>(settings.effort), settings.system);
    if (key == frameKey_) return &frame_;
    PAL_ASSIGN(std::vector<TokenId> head, encode(request(settings, {}), GenerationPrompt::kNone));
    PAL_ASSIGN(const std::vector<TokenId> asked, encode(request(settings, {}), GenerationPrompt::kAdd));
    if (!startsWith(asked, head)) return fail(ErrorCode::kInternal, "the chat format puts the reply elsewhere");
    ChatRequest replied = request(settings, {});
    replied.messages.emplace_back().role = roleName(Role::kAssistant);
    PAL_ASSIGN(const std::vector<TokenId> message, encode(std::move(replied), GenerationPrompt::kNone));
    frame_.opening.assign(asked.begin() + std::ssize(head), asked.end());
    frame_.end = message.size() > head.size() ? message.back() : -1;
    frame_.head = std::move(head);
    frameKey_ = key;
    return &frame_;
}

Result<PromptBuilder::NewPiece> PromptBuilder::newPiece(const SessionSettings& settings,
                                                        std::span<const PromptMessage> before,
                                                        const PromptMessage& message) {
    PAL_ASSIGN(const Frame* around, frame(settings));
    const std::span<const PromptMessage> context = contextOf(before, message.role);
    ChatRequest whole = request(settings, context);
    std::vector<TokenId> without = around->head;
    if (!context.empty()) {
        PAL_ASSIGN(without, encode(whole, GenerationPrompt::kNone));
    }
    NewPiece out;
    out.message = whole.messages.size();
    if (message.role == Role::kUser) {
        PAL_ASSIGN(const Composed composed, compose(message));
        whole.messages.push_back(composed->message);
        out.composed[out.message] = *composed;
    } else {
        whole.messages.push_back(plainMessage(message));
    }
    PAL_ASSIGN(out.mapped, mapPrompt(whole, out.composed, tokenizer_));
    out.first = std::ssize(without);
    if (!startsWith(out.mapped.prompt().ids, without))
        return fail(ErrorCode::kUnsupported, "a {} message changes the prompt before it", roleName(message.role));
    return out;
}

// The usual case costs nothing: the ids are there, are the piece as they are, and a reply that came to its end needs no closing.
bool PromptBuilder::isPiece(const SessionSettings& settings, const Frame& around, Role role, const MessageIds& ids,
                            bool sees) const {
    if (sees || ids.vocabulary != idsKey(settings)) return false;
    if (role != Role::kAssistant) return true;
    return !ids.ids.empty() && ids.ids.back() == around.end && !drewPlaceholder(ids.ids);
}

// A model may have drawn a placeholder, which no prompt can have without its medium; such a reply is rendered from its text.
bool PromptBuilder::drewPlaceholder(std::span<const TokenId> ids) const {
    const auto pad = tokenizer_.mediaPadId();
    return pad && std::find(ids.begin(), ids.end(), *pad) != ids.end();
}

Result<PromptPiece> PromptBuilder::piece(const SessionSettings& settings, std::span<const PromptMessage> before,
                                         const PromptMessage& message) {
    PAL_ASSIGN(const Frame* around, frame(settings));
    const bool sees = seesAnyMedia(message.attachments);
    const bool reply = message.role == Role::kAssistant;
    if (message.ids && isPiece(settings, *around, message.role, *message.ids, sees))
        return PromptPiece{reply ? joined(around->opening, message.ids->ids) : message.ids->ids, {}};
    const bool usable = message.ids && !(reply && drewPlaceholder(message.ids->ids));
    const bool kept =
        usable && (message.ids->vocabulary == idsKey(settings) || (reply && saysTheSame(settings, message)));
    if (kept && reply && !message.ids->ids.empty() && message.ids->ids.back() == around->end)
        return PromptPiece{joined(around->opening, message.ids->ids), {}};
    if (kept && sees) {
        PAL_ASSIGN(const Composed composed, compose(message));
        // Another model may see the same picture in other sizes.
        int64_t rows = 0;
        PromptPiece out{message.ids->ids, {}};
        for (const ComposedMedium& medium : composed->media) {
            rows += medium.rows();
            out.media.push_back(medium.input);
        }
        const auto pad = tokenizer_.mediaPadId();
        if (pad && std::count(out.ids.begin(), out.ids.end(), *pad) == rows) return out;
    }
    PAL_ASSIGN(const NewPiece fresh, newPiece(settings, before, message));
    PromptPiece out{fresh.ids(), fresh.mapped.prompt().media};
    const auto opening = static_cast<size_t>(std::ssize(around->opening));
    if (kept && reply && startsWith(out.ids, around->opening))
        out.ids = joined(around->opening, replyIds(tokenizer_, message.ids->ids, std::span(out.ids).subspan(opening)));
    return out;
}

Result<Prompt> PromptBuilder::prompt(const SessionSettings& settings, std::span<const PromptMessage> path) {
    PAL_ASSIGN(const Frame* around, frame(settings));
    Prompt out;
    size_t most = around->head.size() + around->opening.size();
    for (const PromptMessage& message : path)
        most += around->opening.size() + (message.ids ? message.ids->ids.size() : message.text.size());
    out.ids.reserve(most);
    out.ids = around->head;
    if (!out.ids.empty()) out.boundaries.push_back(std::ssize(out.ids));
    for (size_t i = 0; i < path.size(); ++i) {
        PAL_ASSIGN(const PromptPiece part, piece(settings, path.first(i), path[i]));
        out.ids.insert(out.ids.end(), part.ids.begin(), part.ids.end());
        out.media.insert(out.media.end(), part.media.begin(), part.media.end());
        out.boundaries.push_back(std::ssize(out.ids));
    }
    out.ids.insert(out.ids.end(), around->opening.begin(), around->opening.end());
    return out;
}

Result<int64_t> PromptBuilder::tokens(const SessionSettings& settings, MessageId head) {
    if (head == 0) return int64_t{0};
    PAL_ASSIGN(const Frame* around, frame(settings));
    PAL_ASSIGN(const std::vector<MessageNode> nodes, database_.messages().branch(head));
    PAL_ASSIGN(const SessionId session, database_.messages().sessionOf(head));
    PAL_ASSIGN(const std::vector<MessageId> attached, database_.messages().withAttachments(session));
    std::vector<MessageId> messages;
    for (const MessageNode& node : nodes) {
        if (!node.readable) return unreadable(node.id);
        messages.push_back(node.id);
    }
    int64_t sum = 0;
    PAL_TRY(database_.messages().eachIds(messages, [&](size_t i, MessageIds* ids) -> Result<> {
        const MessageNode& node = nodes[i];
        const bool sees = std::binary_search(attached.begin(), attached.end(), node.id);
        if (ids != nullptr && isPiece(settings, *around, node.role, *ids, sees)) {
            sum += std::ssize(ids->ids) + (node.role == Role::kAssistant ? std::ssize(around->opening) : 0);
            return {};
        }
        PAL_ASSIGN(const Message message, database_.messages().get(node.id));
        if (failedAtOnce(message, ids)) return {};
        std::vector<PromptMessage> before;
        if (node.role == Role::kTool && node.parent != 0) {
            PAL_ASSIGN(before, load(node.parent));
        }
        const PromptMessage one = promptMessage(message, ids);
        PAL_ASSIGN(const PromptPiece part, piece(settings, before, one));
        sum += std::ssize(part.ids);
        return {};
    }));
    return sum;
}

Result<PromptMap> PromptBuilder::map(const SessionSettings& settings, std::span<const PromptMessage> path) {
    PromptMap out;
    PAL_ASSIGN(const Frame* around, frame(settings));
    out.prompt.append(around->head);
    for (size_t i = 0; i < path.size(); ++i) {
        out.messages.push_back(path[i].id);
        PAL_ASSIGN(const PromptPiece part, piece(settings, path.first(i), path[i]));
        PAL_ASSIGN(const MappedPrompt mapped, mapPiece(settings, path[i], part.ids, out.composed, i));
        out.prompt.append(mapped, std::ssize(mapped.prompt().ids) - std::ssize(part.ids), i);
    }
    out.prompt.append(around->opening);
    return out;
}

Result<MappedPrompt> PromptBuilder::mapPiece(const SessionSettings& settings, const PromptMessage& message,
                                             std::span<const TokenId> ids, ComposedMessages& composed, size_t index) {
    if (message.role != Role::kUser) return mapDrawn(ids, tokenizer_);
    PAL_ASSIGN(const Composed made, compose(message));
    PAL_ASSIGN(const Frame* around, frame(settings));
    ChatRequest whole = request(settings, {});
    const ComposedMessages one{{whole.messages.size(), *made}};
    whole.messages.push_back(made->message);
    auto mapped = mapKnownPrompt(whole, one, tokenizer_, joined(around->head, ids));
    if (!mapped && mapped.error().code == ErrorCode::kConflict) return mapDrawn(ids, tokenizer_);
    if (mapped && !made->attachments.empty()) composed[index] = *made;
    return mapped;
}

Result<PromptBuilder::Composed> PromptBuilder::compose(const PromptMessage& message) {
    if (const auto known = seen_.find(message.id); known != seen_.end()) return known->second;
    PAL_ASSIGN(const std::vector<AttachedFile> files, attachedFiles(message.attachments, sources_, database_));
    ComposeOptions options;
    options.media = media_;
    options.document.password = password_;
    PAL_ASSIGN(ComposedMessage composed, composeMessage(files, message.text, options));
    if (!composed.media.empty()) deferMedia(composed, files, options);
    const bool remember = message.id != 0 && holdsPictures(composed);
    auto out = std::make_shared<const ComposedMessage>(std::move(composed));
    if (remember) seen_[message.id] = out;
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
    std::vector<MessageId> messages;
    for (const Message& message : path) {
        if (!message.node.readable) return unreadable(message.node.id);
        messages.push_back(message.node.id);
    }
    PAL_TRY(database_.messages().eachIds(messages, [&](size_t i, MessageIds* ids) {
        if (!failedAtOnce(path[i], ids)) out.push_back(promptMessage(path[i], ids));
        return Result<>();
    }));
    return out;
}

Result<PromptMap> promptMapOf(PromptBuilder& prompts, ChatDatabase& reader, SessionId session, MessageId head) {
    PAL_ASSIGN(const SessionSummary summary, reader.sessions().get(session));
    PAL_ASSIGN(const Message message, reader.messages().get(head));
    if (message.session != session)
        return fail(ErrorCode::kInvalidArgument, "message {} is not in session {}", head, session);
    PAL_ASSIGN(const std::vector<PromptMessage> path, prompts.load(head));
    return prompts.map(settingsFrom(summary.settings), path);
}

}  // namespace pal
