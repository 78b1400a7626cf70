// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "storage/chats/chat_database.h"
#include "storage/transfer/session_document.h"

namespace pal {

// A stored session with all its branches. A message that cannot be read is named in the warnings; what follows it hangs below its parent.
// Errors: those of the database.
Result<SessionDocument> readSession(ChatDatabase& database, SessionId session);

// Adds a session that others made, inside ChatDatabase::write. The sources' bytes must have been kept already. What the model reads must be what
// is shown: extracted texts are filed under "import:<extractor>", so that they never stand for what is extracted here; ids of a reply
// get kImportedIds in front of their vocabulary, to be compared with the text before use; other ids are made anew. Errors: those of the
// database.
inline constexpr std::string_view kImportedIds = "import:";
Result<SessionId> addSession(ChatDatabase& database, const SessionDocument& document);

}  // namespace pal
