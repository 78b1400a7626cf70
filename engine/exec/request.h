// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "engine/exec/local_session.h"
#include "engine/exec/sampler.h"
#include "engine/exec/timeline.h"

namespace pal {

// One request, step by step on the engine thread; it reports through its session, the last event is RequestDone. A session that has no
// room for an event parks its request between two steps, so that others can run.
class RequestRun {
  public:
    RequestRun(EngineCommand command, int64_t contextTokens)
        : command_(std::move(command)), contextTokens_(contextTokens) {
        done_.request = command_.request;
    }

    enum class Outcome { kDone, kParked };
    // Goes on until the request is done, or an event finds no room: call again when mayGoOn(). Errors end in RequestDone.
    Outcome run(Timeline& timeline, const Runtime& runtime);
    // Ends the request with an error that its own steps did not meet, of a session whose state is gone; then run deliver().
    void end(Error error);
    // Sends what is left to send.
    Outcome deliver();

    [[nodiscard]] const std::shared_ptr<SessionLink>& session() const { return command_.session; }
    // Of a request that failed.
    [[nodiscard]] const std::optional<Error>& error() const { return done_.error; }
    [[nodiscard]] bool parked() const { return !unsent_.empty(); }
    // A parked request: its session has room again or was told to stop.
    [[nodiscard]] bool mayGoOn() const { return command_.stop.stop_requested() || command_.session->hasRoom(); }

  private:
    enum class Stage { kRead, kGenerate, kOver };
    using Step = Result<std::optional<EndCause>>;  // nothing: there is more to do

    void step(Timeline& timeline, const Runtime& runtime);
    void endWith(Error error);
    void keepState(Timeline& timeline);
    Step read(Timeline& timeline, const Runtime& runtime);
    Result<> lookAtWindow(Timeline& timeline, const CheckedPrompt& prompt, PrefillProgress progress);
    void tellProbe(UnmadeProbe probe);
    Step generate(Timeline& timeline);
    Result<> checkGeneration() const;

    EngineCommand command_;
    int64_t contextTokens_;
    Stage stage_ = Stage::kRead;
    RequestDone done_;
    TokenHistory history_;
    ProbeRequest probes_;
    std::optional<TokenId> unread_;  // drawn, and not yet part of the state
    std::vector<SentEvent> unsent_;
};

}  // namespace pal
