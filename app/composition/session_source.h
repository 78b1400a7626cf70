// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/composition/chat_runner.h"
#include "app/composition/stored_replies.h"
#include "app/inspect/memory_source.h"

namespace pal {

// One branch of a session for views: its tokens as text, which of them each message is, and the parts that attention is summed over. What
// is kept of its replies is read when it is looked at; records of what is seen now are added to `source`.
struct SessionSource {
    std::unique_ptr<inspect::MemorySource> source;
    std::vector<inspect::Region> regions;              // of the whole branch
    std::map<MessageId, inspect::TokenSpan> messages;  // from the first to the last token of its text and media
    std::map<int64_t, ComposedMedium> media;           // by inspect::Region::gridBegin, for regionPicture()
};

struct BranchRequest {
    SessionId session = 0;
    MessageId head = 0;                                     // the last message, a question or a reply
    std::optional<StoredReplies::Growing> growing = {};     // the reply to it that is written now
    std::function<void(const inspect::Region&)> wish = {};  // MemorySource::Options::wish
};

// What it takes of a loaded model to read a branch. Copied, so that another thread than the runner's can: a branch of a million tokens takes a while.
struct BranchReading {
    Tokenizer tokenizer;
    std::optional<MediaConfig> media;
    std::string documentPassword;
    ModelInfo model;
    std::weak_ptr<ProbeLibrary> probes;  // of an open data folder; may be none
};
[[nodiscard]] BranchReading branchReading(const ChatRunner& runner);

// With what was seen of the branch's replies when this model wrote them, as far as it is kept. On the thread of `reader`; the result may go to another
// one. Errors: those of promptMapOf.
Result<SessionSource> sessionSource(const BranchReading& with, const SourceFiles& sources, ChatDatabase& reader,
                                    const BranchRequest& branch, const inspect::Words& words);

}  // namespace pal
