// SPDX-License-Identifier: Apache-2.0
#include "storage/chats/fork.h"

namespace pal {
namespace {

NewMessage copyOf(const Message& message) {
    NewMessage copy;
    copy.role = message.node.role;
    copy.state = message.node.state == MessageState::kStreaming ? MessageState::kStopped : message.node.state;
    copy.createdMs = message.node.createdMs;
    copy.text = message.text;
    copy.reasoning = message.reasoning;
    copy.details = message.details;
    copy.tokens = message.node.tokens;
    for (const Attachment& from : message.attachments)
        copy.attachments.push_back({from.source, from.extraction, from.kind, from.name, from.options});
    return copy;
}

}  // namespace

Result<SessionId> forkSession(ChatDatabase& database, MessageId message, std::string_view name, int64_t nowMs) {
    PAL_ASSIGN(const SessionId from, database.messages().sessionOf(message));
    PAL_ASSIGN(const SessionSummary old, database.sessions().get(from));
    PAL_ASSIGN(const std::vector<Message> path, database.messages().path(message));
    PAL_ASSIGN(const SessionId session, database.sessions().add(name, old.settings, nowMs));
    PAL_TRY(database.sessions().setModel(session, old.model, old.fingerprint, old.device));
    PAL_TRY(database.sessions().setFolder(session, old.folder));
    MessageId parent = 0;
    for (const Message& original : path) {
        if (!original.node.readable) return fail(ErrorCode::kCorrupt, "message {} cannot be read", original.node.id);
        NewMessage copy = copyOf(original);
        copy.session = session;
        copy.parent = parent;
        PAL_ASSIGN(copy.ids, database.messages().ids(original.node.id));
        PAL_ASSIGN(parent, database.messages().add(copy));
    }
    if (parent != 0) PAL_TRY(database.sessions().setHead(session, parent, nowMs));
    return session;
}

}  // namespace pal
