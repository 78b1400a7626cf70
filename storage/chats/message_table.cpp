// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/message_table.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

namespace pal {
namespace {

std::optional<int64_t> orNull(int64_t id) {
    return id == 0 ? std::nullopt : std::optional<int64_t>(id);
}

std::span<const std::byte> bytesOf(const std::vector<int32_t>& ids) {
    return std::as_bytes(std::span(ids));
}

int64_t textBytes(const std::string& text, const std::string& reasoning, const std::string& details, size_t ids) {
    return static_cast<int64_t>(text.size() + reasoning.size() + details.size() + ids * sizeof(int32_t));
}

// Columns id, parent_id, role, state, created_ms, tokens, path_tokens. An unknown role or state came from a damaged row.
MessageNode nodeFrom(const sqlite::Statement& row) {
    const auto role = roleNamed(row.text(2));
    const auto state = messageStateNamed(row.text(3));
    return {row.integer(0),
            row.integer(1),
            role.value_or(Role::kUser),
            state.value_or(MessageState::kComplete),
            row.integer(4),
            row.integer(5),
            row.integer(6),
            role.has_value() && state.has_value()};
}

}  // namespace

Result<MessageId> MessageTable::add(const NewMessage& message) {
    if (message.parent != 0) {
        PAL_ASSIGN(const SessionId session, sessionOf(message.parent));
        if (session != message.session) {
            return fail(ErrorCode::kInvalidArgument, "message {} is not in session {}", message.parent,
                        message.session);
        }
    }
    PAL_TRY(database_.run(
        "INSERT INTO message (session_id, parent_id, role, state, created_ms, text, reasoning, details, tokens, "
        "path_tokens) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9 + ifnull((SELECT path_tokens FROM message WHERE id = ?2), 0))",
        message.session, orNull(message.parent), roleName(message.role), messageStateName(message.state),
        message.createdMs, message.text, message.reasoning, message.details, message.tokens));
    const MessageId id = database_.lastInsertId();
    PAL_TRY(addAttachments(id, message.attachments));
    if (message.ids) PAL_TRY(setIds(id, *message.ids));
    PAL_TRY(database_.run(
        "UPDATE session SET head_id = ?2, changed_ms = max(changed_ms, ?3), messages = messages + 1, text_bytes = "
        "text_bytes + ?4, "
        "tokens = (SELECT path_tokens FROM message WHERE id = ?2) WHERE id = ?1",
        message.session, id, message.createdMs,
        textBytes(message.text, message.reasoning, message.details, message.ids ? message.ids->ids.size() : 0)));
    if (database_.changes() == 0) return fail(ErrorCode::kNotFound, "there is no session {}", message.session);
    return id;
}

Result<> MessageTable::setReply(MessageId id, const ReplyText& reply) {
    PAL_ASSIGN(const SessionId session, sessionOf(id));
    // The bytes of a BLOB, the characters of a text: only the former are sizes.
    PAL_ASSIGN(
        const int64_t before,
        database_.integer(
            "SELECT length(CAST(text AS BLOB)) + length(CAST(reasoning AS BLOB)) + length(CAST(details AS BLOB)) "
            "+ ifnull((SELECT length(ids) FROM message_ids WHERE message_id = ?1), 0) FROM message WHERE id = ?1",
            id));
    PAL_TRY(database_.run(
        "UPDATE message SET state = ?2, text = ?3, reasoning = ?4, details = ?5, path_tokens = path_tokens - tokens + "
        "?6, tokens = ?6 WHERE id = ?1 AND state = 'streaming'",
        id, messageStateName(reply.state), reply.text, reply.reasoning, reply.details, reply.tokens));
    if (database_.changes() == 0) return fail(ErrorCode::kConflict, "message {} is complete and stays as it is", id);
    PAL_TRY(setIds(id, reply.ids));
    return database_.run(
        "UPDATE session SET text_bytes = text_bytes + ?2, tokens = ifnull((SELECT path_tokens FROM message WHERE id = "
        "head_id), 0) "
        "WHERE id = ?1",
        session, textBytes(reply.text, reply.reasoning, reply.details, reply.ids.ids.size()) - before);
}

Result<std::vector<MessageNode>> MessageTable::tree(SessionId session) {
    // The shape comes from the index alone, so it survives damage to the rows.
    PAL_ASSIGN(sqlite::Statement shape,
               database_.prepare(
                   "SELECT id, ifnull(parent_id, 0) FROM message INDEXED BY message_tree WHERE session_id = ?1"));
    PAL_ASSIGN(sqlite::Statement row,
               database_.prepare("SELECT id, ifnull(parent_id, 0), role, state, created_ms, tokens, path_tokens "
                                 "FROM message WHERE id = ?1"));
    PAL_TRY(shape.start(session));
    std::vector<MessageNode> out;
    while (true) {
        PAL_ASSIGN(const bool found, shape.step());
        if (!found) break;
        MessageNode node;
        node.id = shape.integer(0);
        node.parent = shape.integer(1);
        node.readable = false;
        PAL_TRY(row.start(node.id));
        const auto read = row.step();
        if (!read && read.error().code != ErrorCode::kCorrupt) return fail(read.error());
        if (read && *read) node = nodeFrom(row);
        row.reset();
        out.push_back(node);
    }
    // Ids grow, so a parent comes before its children.
    std::sort(out.begin(), out.end(), [](const MessageNode& a, const MessageNode& b) { return a.id < b.id; });
    return out;
}

Result<Message> MessageTable::get(MessageId id) {
    PAL_ASSIGN(sqlite::Statement row,
               database_.prepare(
                   "SELECT id, ifnull(parent_id, 0), role, state, created_ms, tokens, path_tokens, session_id, text, "
                   "reasoning, CASE WHEN json_valid(details) THEN details ELSE '{}' END FROM message WHERE id = ?1"));
    PAL_TRY(row.start(id));
    PAL_ASSIGN(const bool found, row.step());
    if (!found) return fail(ErrorCode::kNotFound, "there is no message {}", id);
    Message message;
    message.node = nodeFrom(row);
    if (!message.node.readable) return fail(ErrorCode::kCorrupt, "message {} has no valid role and state", id);
    message.session = row.integer(7);
    message.text = row.text(8);
    message.reasoning = row.text(9);
    message.details = row.text(10);
    PAL_ASSIGN(message.attachments, attachments(id));
    return message;
}

Result<std::vector<Message>> MessageTable::path(MessageId head) {
    PAL_ASSIGN(const SessionId session, sessionOf(head));
    PAL_ASSIGN(const std::vector<MessageNode> nodes, tree(session));
    std::map<MessageId, const MessageNode*> byId;
    for (const MessageNode& node : nodes) byId[node.id] = &node;
    std::vector<Message> out;
    for (auto at = byId.find(head); at != byId.end(); at = byId.find(at->second->parent)) {
        auto message = get(at->first);
        if (!message && message.error().code != ErrorCode::kCorrupt) return fail(message.error());
        if (!message) {
            Message placeholder;
            placeholder.node = *at->second;
            placeholder.node.readable = false;
            placeholder.session = session;
            message = std::move(placeholder);
        }
        out.push_back(std::move(*message));
        // A parent with a larger id would be a cycle made by damage.
        if (at->second->parent >= at->first) break;
    }
    std::reverse(out.begin(), out.end());
    return out;
}

Result<std::optional<MessageIds>> MessageTable::ids(MessageId id) {
    PAL_ASSIGN(sqlite::Statement row,
               database_.prepare("SELECT vocabulary, ids FROM message_ids WHERE message_id = ?1"));
    PAL_TRY(row.start(id));
    PAL_ASSIGN(const bool found, row.step());
    if (!found) return std::optional<MessageIds>();
    const std::span<const std::byte> bytes = row.blob(1);
    MessageIds out{std::string(row.text(0)), std::vector<int32_t>(bytes.size() / sizeof(int32_t))};
    if (!bytes.empty()) std::memcpy(out.ids.data(), bytes.data(), out.ids.size() * sizeof(int32_t));
    return std::optional<MessageIds>(std::move(out));
}

Result<SessionId> MessageTable::sessionOf(MessageId id) {
    // Through the index, which knows the message even when its row is damaged.
    auto session = database_.integer("SELECT session_id FROM message WHERE id = ?1", id);
    if (!session && session.error().code == ErrorCode::kCorrupt)
        session = database_.integer(
            "SELECT session_id FROM message INDEXED BY message_tree WHERE session_id > 0 AND id = ?1", id);
    if (!session && session.error().code == ErrorCode::kNotFound)
        return fail(ErrorCode::kNotFound, "there is no message {}", id);
    return session;
}

Result<int64_t> MessageTable::interruptStreaming() {
    PAL_TRY(database_.run("UPDATE message SET state = 'interrupted' WHERE state = 'streaming'"));
    return database_.changes();
}

Result<> MessageTable::addAttachments(MessageId id, const std::vector<NewAttachment>& attachments) {
    PAL_ASSIGN(sqlite::Statement insert,
               database_.prepare("INSERT INTO attachment (message_id, position, source_id, extraction_id, kind, name, "
                                 "options) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"));
    int64_t position = 0;
    for (const NewAttachment& attachment : attachments) {
        PAL_TRY(insert.run(id, position++, attachment.source, attachment.extraction,
                           attachmentKindName(attachment.kind), attachment.name, attachment.options));
    }
    return {};
}

Result<> MessageTable::setIds(MessageId id, const MessageIds& ids) {
    return database_.run(
        "INSERT INTO message_ids (message_id, vocabulary, ids) VALUES (?1, ?2, ?3) "
        "ON CONFLICT (message_id) DO UPDATE SET vocabulary = excluded.vocabulary, ids = excluded.ids",
        id, ids.vocabulary, bytesOf(ids.ids));
}

Result<std::vector<Attachment>> MessageTable::attachments(MessageId id) {
    PAL_ASSIGN(
        sqlite::Statement row,
        database_.prepare(
            "SELECT source.id, kind, name, media_type, sha256, bytes, extraction_id, CASE WHEN json_valid(options) "
            "THEN "
            "options ELSE '{}' END FROM attachment JOIN source ON source.id = attachment.source_id WHERE message_id = "
            "?1 ORDER BY position"));
    PAL_TRY(row.start(id));
    std::vector<Attachment> out;
    while (true) {
        PAL_ASSIGN(const bool found, row.step());
        if (!found) return out;
        Attachment attachment;
        attachment.source = row.integer(0);
        const auto kind = attachmentKindNamed(row.text(1));
        const std::span<const std::byte> hash = row.blob(4);
        if (!kind || hash.size() != attachment.sha256.size())
            return fail(ErrorCode::kCorrupt, "an attachment of message {} has no valid kind and hash", id);
        attachment.kind = *kind;
        attachment.name = row.text(2);
        attachment.mediaType = row.text(3);
        std::copy(hash.begin(), hash.end(), attachment.sha256.begin());
        attachment.bytes = static_cast<uint64_t>(row.integer(5));
        if (!row.isNull(6)) attachment.extraction = row.integer(6);
        attachment.options = row.text(7);
        out.push_back(std::move(attachment));
    }
}

}  // namespace pal
