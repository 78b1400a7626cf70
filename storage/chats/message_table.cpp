// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/message_table.h"

#include <algorithm>
#include <cstring>
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

// Columns source.id, kind, name, media_type, sha256, bytes, extraction_id, options.
Result<Attachment> attachmentFrom(const sqlite::Statement& row, MessageId message) {
    Attachment attachment;
    attachment.source = row.integer(0);
    const auto kind = attachmentKindNamed(row.text(1));
    const std::span<const std::byte> hash = row.blob(4);
    if (!kind || hash.size() != attachment.sha256.size())
        return fail(ErrorCode::kCorrupt, "an attachment of message {} has no valid kind and hash", message);
    attachment.kind = *kind;
    attachment.name = row.text(2);
    attachment.mediaType = row.text(3);
    std::copy(hash.begin(), hash.end(), attachment.sha256.begin());
    attachment.bytes = static_cast<uint64_t>(row.integer(5));
    if (!row.isNull(6)) attachment.extraction = row.integer(6);
    attachment.options = row.text(7);
    return attachment;
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

// Messages with their bodies, one after the other.
class MessageTable::Reader {
  public:
    static Result<Reader> open(sqlite::Database& database) {
        Reader out;
        PAL_ASSIGN(
            out.message_,
            database.prepare(
                "SELECT id, ifnull(parent_id, 0), role, state, created_ms, tokens, path_tokens, session_id, text, "
                "reasoning, CASE WHEN json_valid(details) THEN details ELSE '{}' END FROM message WHERE id = ?1"));
        PAL_ASSIGN(out.attachments_,
                   database.prepare(
                       "SELECT source.id, kind, name, media_type, sha256, bytes, extraction_id, CASE WHEN "
                       "json_valid(options) THEN options ELSE '{}' END FROM attachment JOIN source ON source.id = "
                       "attachment.source_id WHERE message_id = ?1 ORDER BY position"));
        return out;
    }
    // Errors: kNotFound; kCorrupt when it cannot be read.
    Result<Message> read(MessageId id) {
        PAL_TRY(message_->start(id));
        PAL_ASSIGN(const bool found, message_->step());
        if (!found) return fail(ErrorCode::kNotFound, "there is no message {}", id);
        Message message;
        message.node = nodeFrom(*message_);
        if (!message.node.readable) return fail(ErrorCode::kCorrupt, "message {} has no valid role and state", id);
        message.session = message_->integer(7);
        message.text = message_->text(8);
        message.reasoning = message_->text(9);
        message.details = message_->text(10);
        PAL_ASSIGN(message.attachments, attachments(id));
        return message;
    }

  private:
    Result<std::vector<Attachment>> attachments(MessageId id) {
        PAL_TRY(attachments_->start(id));
        std::vector<Attachment> out;
        while (true) {
            PAL_ASSIGN(const bool found, attachments_->step());
            if (!found) return out;
            PAL_ASSIGN(Attachment attachment, attachmentFrom(*attachments_, id));
            out.push_back(std::move(attachment));
        }
    }

    std::optional<sqlite::Statement> message_, attachments_;
};

Result<Message> MessageTable::get(MessageId id) {
    PAL_ASSIGN(Reader reader, Reader::open(database_));
    return reader.read(id);
}

Result<std::vector<MessageNode>> MessageTable::branch(MessageId head) {
    PAL_ASSIGN(const SessionId session, sessionOf(head));
    PAL_ASSIGN(const std::vector<MessageNode> nodes, tree(session));
    const auto named = [&](MessageId id) {
        const auto at = std::lower_bound(nodes.begin(), nodes.end(), id,
                                         [](const MessageNode& node, MessageId wanted) { return node.id < wanted; });
        return at != nodes.end() && at->id == id ? at : nodes.end();
    };
    std::vector<MessageNode> out;
    for (auto at = named(head); at != nodes.end(); at = named(at->parent)) {
        out.push_back(*at);
        // A parent with a larger id would be a cycle made by damage.
        if (at->parent >= at->id) break;
    }
    std::reverse(out.begin(), out.end());
    return out;
}

Result<std::vector<Message>> MessageTable::path(MessageId head) {
    PAL_ASSIGN(const std::vector<MessageNode> nodes, branch(head));
    PAL_ASSIGN(const SessionId session, sessionOf(head));
    PAL_ASSIGN(Reader reader, Reader::open(database_));
    std::vector<Message> out;
    out.reserve(nodes.size());
    for (const MessageNode& node : nodes) {
        auto message = reader.read(node.id);
        if (!message && message.error().code != ErrorCode::kCorrupt) return fail(message.error());
        if (!message) {
            Message placeholder;
            placeholder.node = node;
            placeholder.node.readable = false;
            placeholder.session = session;
            message = std::move(placeholder);
        }
        out.push_back(std::move(*message));
    }
    return out;
}

Result<std::optional<MessageIds>> MessageTable::ids(MessageId id) {
    std::optional<MessageIds> out;
    PAL_TRY(eachIds(std::span(&id, 1), [&](size_t, MessageIds* ids) {
        if (ids != nullptr) out = std::move(*ids);
        return Result<>();
    }));
    return out;
}

Result<> MessageTable::eachIds(std::span<const MessageId> messages,
                               const std::function<Result<>(size_t, MessageIds*)>& visit) {
    PAL_ASSIGN(sqlite::Statement row,
               database_.prepare("SELECT vocabulary, ids FROM message_ids WHERE message_id = ?1"));
    MessageIds ids;
    for (size_t i = 0; i < messages.size(); ++i) {
        PAL_TRY(row.start(messages[i]));
        PAL_ASSIGN(const bool found, row.step());
        if (found) {
            const std::span<const std::byte> bytes = row.blob(1);
            ids.vocabulary = row.text(0);
            ids.ids.resize(bytes.size() / sizeof(int32_t));
            if (!bytes.empty()) std::memcpy(ids.ids.data(), bytes.data(), ids.ids.size() * sizeof(int32_t));
        }
        PAL_TRY(visit(i, found ? &ids : nullptr));
    }
    return {};
}

Result<std::vector<MessageId>> MessageTable::withAttachments(SessionId session) {
    PAL_ASSIGN(sqlite::Statement row,
               database_.prepare("SELECT DISTINCT message_id FROM attachment WHERE message_id IN (SELECT id FROM "
                                 "message INDEXED BY message_tree WHERE session_id = ?1) ORDER BY message_id"));
    PAL_TRY(row.start(session));
    std::vector<MessageId> out;
    while (true) {
        PAL_ASSIGN(const bool found, row.step());
        if (!found) return out;
        out.push_back(row.integer(0));
    }
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

}  // namespace pal
