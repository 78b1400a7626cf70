// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "engine/api/probe.h"
#include "engine/api/tokenizer.h"
#include "engine/base/result.h"

namespace pal {

// Names a request of one session; counts from 1.
using RequestId = uint64_t;

// How far the prompt is; latest wins, at most one per prefill chunk. Once the prompt is read, the window of a ProbeRequest is: `total` then grows by
// the tokens from the nearest state before the window to its end.
struct PrefillProgress {
    RequestId request = 0;
    int64_t reused = 0;    // tokens that a stored state already covered
    int64_t computed = 0;  // tokens done in this request
    int64_t total = 0;     // tokens of the prompt; finished when reused + computed == total
    double seconds = 0;    // spent on `computed`
};

// The session's state now covers the whole prompt.
struct PromptReady {
    RequestId request = 0;
    int64_t reused = 0;
    int64_t computed = 0;
    double seconds = 0;
    int64_t restored = 0;       // of the reused: read from EngineOptions::states, the others were in memory
    double restoreSeconds = 0;  // of `seconds`: looking for stored states and reading them
    uint64_t logitsXxh3 = 0;    // XXH3-64 over the float32 logits of the next token: equal for equal bits
};

// States cannot be stored or read as they should; the request goes on without.
struct StateProblem {
    RequestId request = 0;
    Error error;
};

// One more token of the reply; never dropped. Text comes from OutputParser or StreamDecoder.
struct TokenGenerated {
    RequestId request = 0;
    TokenId token = 0;
    int64_t position = 0;      // of this token in the session
    float logProbability = 0;  // natural log under the model's own distribution (temperature 1, no penalties)
};

// What reading one token did: the prompt's last one after PromptReady (it says what the reply's first token was drawn from), one of the
// reply after its TokenGenerated. A token that ends the reply is not read. Never dropped.
struct TokenProbed {
    RequestId request = 0;
    std::shared_ptr<const TokenProbe> probe;
};

// What the window of a ProbeRequest showed, before PromptReady.
struct WindowProbed {
    RequestId request = 0;
    std::shared_ptr<const WindowProbe> probe;
};

enum class EndCause {
    kPromptDone,   // a request without generation
    kStop,         // a stop id was drawn; it is the last token
    kLength,       // maxTokens reached
    kContextFull,  // the context limit was reached
    kCancelled,
    kFailed,
};

// The last event of every request.
struct RequestDone {
    RequestId request = 0;
    EndCause cause = EndCause::kPromptDone;
    std::optional<Error> error;  // for kFailed
    int64_t generated = 0;       // tokens
    double decodeSeconds = 0;    // from PromptReady to the last token
    int64_t position = 0;        // tokens that the session's state covers
};

using Event =
    std::variant<PrefillProgress, PromptReady, TokenGenerated, StateProblem, TokenProbed, WindowProbed, RequestDone>;

}  // namespace pal
