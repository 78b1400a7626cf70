// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "storage/chats/chat_database.h"

namespace pal {

// A new session that begins with the messages up to `message`, with their attachments, and has the settings and folder of the old one. Token
// ids are copied too, so that the prompt is the same one and stored states serve both. Belongs inside ChatDatabase::write. Errors: kNotFound,
// kCorrupt for a message that cannot be read, those of the database.
Result<SessionId> forkSession(ChatDatabase& database, MessageId message, std::string_view name, int64_t nowMs);

}  // namespace pal
