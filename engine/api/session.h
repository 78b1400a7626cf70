// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/api/events.h"
#include "engine/api/media_input.h"
#include "engine/api/sampling_params.h"
#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal {

// Everything the model shall have read, from the first token on.
struct Prompt {
    std::vector<TokenId> ids;  // media placeholders already expanded: one per embedding row
    std::vector<std::shared_ptr<const MediaInput>>
        media;                        // in order; each fills the next run of its own number of placeholders
    std::vector<int64_t> boundaries;  // ends of messages, in tokens: a later prompt may part from this one there
    ProbeRequest probes{};            // what to look at meanwhile
};

struct GenerationLimits {
    int64_t maxTokens = 0;         // 0: up to the context limit
    std::vector<TokenId> stopIds;  // usually Tokenizer::stopIds()
};

// One mutable timeline of tokens with its recurrent state, which cannot be rewound: a prompt that parts from the timeline starts
// again from the nearest stored checkpoint. Call from any one thread; the work runs on the engine thread, requests of all sessions
// in order. Destroying it cancels its requests; the wakeup is not called after the destructor returned. Once
// EngineOptions::eventCapacity events wait that nobody takes, the session's request is parked where it is and the requests of other
// sessions run; it goes on when the session is drained and the engine free, and ends when it is cancelled. With its Engine gone nothing
// runs: it may only be drained and destroyed.
class Session {
  public:
    virtual ~Session() = default;

    // Makes the state cover `prompt`, reusing the longest stored prefix. A prompt that cannot work (empty, over the context limit, ids
    // outside the vocabulary, media and placeholders that differ) ends as kFailed with the numbers and changes nothing.
    // Errors: kBusy when too many requests wait, of this session or of all.
    virtual Result<RequestId> sync(Prompt prompt) = 0;

    // sync, then draws tokens one by one.
    virtual Result<RequestId> generate(Prompt prompt, const SamplingParams& sampling,
                                       const GenerationLimits& limits) = 0;

    // Ends every request made so far, within one prefill chunk or token; what is finished stays usable as a prefix. Idempotent.
    virtual void cancel() = 0;

    // Events since the last call, oldest first. After a wakeup, drain until it returns nothing.
    [[nodiscard]] virtual std::vector<Event> drain() = 0;
    // Blocks until there is an event or `stop` is requested; for callers without an event loop.
    virtual void wait(std::stop_token stop) = 0;
};

}  // namespace pal
