// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/compose/attached_file.h"
#include "engine/base/result.h"
#include "storage/chats/chat_types.h"

namespace pal {

struct DraftText {
    std::string text;
    std::vector<AttachedFile> attachments;  // `path` of files; pasted text has none
    [[nodiscard]] bool empty() const { return text.empty() && attachments.empty(); }
};

// What was written in a session and not sent.
struct Draft {
    DraftText question;    // the next one
    MessageId edited = 0;  // a question that is being written again, as `again`; 0: none is
    DraftText again;
    [[nodiscard]] bool empty() const { return question.empty() && edited == 0; }
};

// Drafts lie beside chats.db, a file <folder>/<session>.json each, and pasted text and pictures in <folder>/pasted: they change with every word, which
// a database that syncs each commit is not for. Session 0 is the one that begins with its first question. Blocks; one thread at a time.
[[nodiscard]] std::filesystem::path draftFolder(const std::filesystem::path& data);
[[nodiscard]] std::filesystem::path pastedFolder(const std::filesystem::path& drafts);

// All that are kept. Those of sessions that `known` denies are removed, and so is what was pasted and is in no draft; a file that cannot be read as a
// draft is set aside under another name. An attachment is as it was before it was read, pasted text as a document of one page. Errors: kIo.
Result<std::map<SessionId, Draft>> readDrafts(const std::filesystem::path& drafts,
                                              const std::function<bool(SessionId)>& known);

// Takes the place of the session's draft, and survives a power failure then; an empty one removes it. Errors: kIo.
Result<> writeDraft(const std::filesystem::path& drafts, SessionId session, const Draft& draft);

}  // namespace pal
