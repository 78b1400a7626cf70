// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "storage/chats/chat_types.h"
#include "storage/sqlite/database.h"

namespace pal {

struct NewMessage {
    SessionId session = 0;
    MessageId parent = 0;  // 0: a first message
    Role role = Role::kUser;
    MessageState state = MessageState::kComplete;
    int64_t createdMs = 0;
    std::string text;
    std::string reasoning;
    std::string details = "{}";
    std::vector<NewAttachment> attachments;
    std::optional<MessageIds> ids;
    int64_t tokens = 0;  // its part of the prompt, as far as known
};

// What a reply is so far.
struct ReplyText {
    MessageState state = MessageState::kStreaming;
    std::string text;
    std::string reasoning;
    std::string details = "{}";
    MessageIds ids;
    int64_t tokens = 0;  // its part of the prompt: the ids and what stands around them
};

// The message trees. Borrows the connection; what changes rows belongs inside ChatDatabase::write. Errors of all calls: those of SQLite,
// kNotFound naming the message.
class MessageTable {
  public:
    explicit MessageTable(sqlite::Database& database) : database_(database) {}

    // Adds a message below its parent and makes it the session's head. Errors: kInvalidArgument when the parent is in another session.
    Result<MessageId> add(const NewMessage& message);
    // Replaces what a streaming reply is so far; a state other than kStreaming ends it. Errors: kConflict when it is no longer streaming.
    Result<> setReply(MessageId id, const ReplyText& reply);

    // All messages of a session without their bodies, parents before children. A message that cannot be read keeps its place.
    Result<std::vector<MessageNode>> tree(SessionId session);
    // One message. Errors: kCorrupt when it cannot be read.
    Result<Message> get(MessageId id);
    // From the first message to `head`; one that cannot be read is there as a placeholder that says so. Errors: kNotFound.
    Result<std::vector<Message>> path(MessageId head);
    // The same messages without their bodies.
    Result<std::vector<MessageNode>> branch(MessageId head);
    Result<std::optional<MessageIds>> ids(MessageId id);
    // Of many: calls `visit` with each message's place in `messages` and its ids, which it may take; null where none are kept. Ends with the
    // first error of `visit`.
    Result<> eachIds(std::span<const MessageId> messages,
                     const std::function<Result<>(size_t place, MessageIds* ids)>& visit);
    // Messages of a session that have attachments, ascending.
    Result<std::vector<MessageId>> withAttachments(SessionId session);

    // The session that a message is in.
    Result<SessionId> sessionOf(MessageId id);
    // Replies that were streaming when their program died become kInterrupted; how many.
    Result<int64_t> interruptStreaming();

  private:
    class Reader;
    Result<> addAttachments(MessageId id, const std::vector<NewAttachment>& attachments);
    Result<> setIds(MessageId id, const MessageIds& ids);

    sqlite::Database& database_;
};

}  // namespace pal
