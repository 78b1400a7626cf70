// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "app/composition/chat_runner.h"
#include "app/inspect/memory_source.h"

namespace pal {

// One branch of a session for views: its tokens as text, which of them each message is, and the parts that attention is summed over.
// Records of what was seen are added to `source`.
struct SessionSource {
    std::unique_ptr<inspect::MemorySource> source;
    std::vector<inspect::Region> regions;              // of the whole branch
    std::map<MessageId, inspect::TokenSpan> messages;  // from the first to the last token of its text and media
    std::shared_ptr<std::vector<TokenId>> ids;         // that the source's text comes from; grows with the reply
};

// With what was seen of the branch's replies when they were written, as far as it is kept (ChatRunner::probes). `head`: the last message,
// a question or a reply. On the runner's thread; the result may go to another one. Errors: those of promptMap.
Result<SessionSource> sessionSource(ChatRunner& runner, SessionId session, MessageId head, const inspect::Words& words);

}  // namespace pal
