// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exec/local_session.h"
#include "engine/exec/timeline.h"

namespace pal {

// Runs one request to its end on the engine thread and reports through its session; the last event is RequestDone.
class RequestRun {
  public:
    RequestRun(const EngineCommand& command, Timeline& timeline, int64_t contextTokens)
        : command_(command), timeline_(timeline), contextTokens_(contextTokens) {}

    // Errors end in RequestDone, none come out.
    void run(Prompt prompt, const Runtime& runtime);

  private:
    Result<EndCause> execute(Prompt prompt, const Runtime& runtime);
    Result<> read(const CheckedPrompt& prompt);
    Result<EndCause> generate(const CheckedPrompt& prompt);
    void keepState();

    const EngineCommand& command_;
    Timeline& timeline_;
    int64_t contextTokens_;
    RequestDone done_;
};

}  // namespace pal
