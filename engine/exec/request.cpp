// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/request.h"

#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "engine/exec/forward.h"
#include "engine/exec/window_probe.h"

namespace pal {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

RequestRun::Outcome RequestRun::run(Timeline& timeline, const Runtime& runtime) {
    while (true) {
        if (deliver() == Outcome::kParked) return Outcome::kParked;
        if (stage_ == Stage::kOver) return Outcome::kDone;
        step(timeline, runtime);
    }
}

RequestRun::Outcome RequestRun::deliver() {
    if (!unsent_.empty()) {
        const size_t sent = command_.session->trySend(unsent_, command_.stop);
        unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<ptrdiff_t>(sent));
        if (!unsent_.empty()) return Outcome::kParked;
    }
    // Only now: while the last event waits for room, cancelling must still reach the request.
    if (stage_ == Stage::kOver) command_.session->forgetRequest(command_.request);
    return Outcome::kDone;
}

void RequestRun::end(Error error) {
    if (stage_ == Stage::kOver && !unsent_.empty()) return;  // only its delivery failed
    done_.position = 0;
    endWith(std::move(error));
}

void RequestRun::endWith(Error error) {
    done_.cause = EndCause::kFailed;
    done_.error = std::move(error);
    unsent_.emplace_back(done_);
    stage_ = Stage::kOver;
}

void RequestRun::step(Timeline& timeline, const Runtime& runtime) {
    Step outcome = std::nullopt;
    try {
        outcome = stage_ == Stage::kRead ? read(timeline, runtime) : generate(timeline);
    } catch (const std::bad_alloc&) {
        outcome = fail(ErrorCode::kOutOfMemory, "out of memory at token {}", timeline.position());
    }
    if (!outcome && outcome.error().code == ErrorCode::kOutOfMemory) {
        // A lost device has no memory either.
        if (const Result<> device = toResult(runtime.backend().finish()); !device) outcome = fail(device.error());
    }
    // Nothing can be fetched from a lost device any more.
    const bool lost = !outcome && outcome.error().code == ErrorCode::kDeviceLost;
    if (lost) timeline.forget();
    done_.position = timeline.position();
    if (outcome && !outcome->has_value()) return;
    if (!lost) keepState(timeline);
    if (!outcome && outcome.error().code != ErrorCode::kCancelled) return endWith(outcome.error());
    done_.cause = outcome ? **outcome : EndCause::kCancelled;
    unsent_.emplace_back(done_);  // may throw: only with its last event in place is the request over
    stage_ = Stage::kOver;
}

// Also of a request that was cancelled or failed: what is finished is a prefix of what comes next.
void RequestRun::keepState(Timeline& timeline) {
    try {
        timeline.save();
    } catch (const std::bad_alloc&) {
        const Error error{ErrorCode::kOutOfMemory, "no memory to store the session's state"};
        unsent_.emplace_back(StateProblem{command_.request, error});
    }
    if (const auto problem = timeline.takeStateProblem())
        unsent_.emplace_back(StateProblem{command_.request, *problem});
}

Result<> RequestRun::checkGeneration() const {
    if (!command_.generation) return {};
    PAL_TRY(checkSampling(command_.generation->sampling));
    if (const int64_t tokens = command_.generation->limits.maxTokens; tokens < 0) {
        return fail(ErrorCode::kInvalidArgument, "a reply of {} tokens: at least 1, or 0 for no limit", tokens);
    }
    return {};
}

RequestRun::Step RequestRun::read(Timeline& timeline, const Runtime& runtime) {
    if (command_.stop.stop_requested()) return EndCause::kCancelled;
    PAL_TRY(checkGeneration());
    PAL_ASSIGN(const CheckedPrompt prompt, checkPrompt(std::move(*command_.prompt), runtime, contextTokens_));
    PAL_TRY(checkProbes(prompt.prompt.probes, runtime.plan(), runtime.backend().info(), prompt.size()));
    const auto start = Clock::now();
    const auto report = [&](const Timeline::Progress& at) {
        command_.session->progress({command_.request, at.reused, at.computed, at.total, secondsSince(start)});
    };
    PAL_ASSIGN(const Timeline::Progress done, timeline.sync(prompt, report, command_.stop));
    PromptReady ready{command_.request, done.reused, done.computed, secondsSince(start)};
    PAL_TRY(lookAtWindow(timeline, prompt, {command_.request, done.reused, done.computed, done.total, ready.seconds}));
    ready.restored = done.restored;
    ready.restoreSeconds = done.restoreSeconds;
    ready.logitsXxh3 = XXH3_64bits(timeline.logits().data(), timeline.logits().size_bytes());
    unsent_.emplace_back(ready);
    if (!command_.generation) return EndCause::kPromptDone;
    probes_ = prompt.prompt.probes;
    if (probes_.level != ProbeLevel::kOff) tellProbe(timeline.lastTokenProbe(prompt));
    if (hasPenalties(command_.generation->sampling)) history_.addPrompt(prompt.prompt.ids);
    stage_ = Stage::kGenerate;
    return std::nullopt;
}

// Progress goes on counting: what the window takes comes on top of the prompt.
Result<> RequestRun::lookAtWindow(Timeline& timeline, const CheckedPrompt& prompt, PrefillProgress progress) {
    if (prompt.prompt.probes.level < ProbeLevel::kWindow) return {};
    const auto start = Clock::now();
    const auto report = [&](int64_t done, int64_t all) {
        command_.session->progress({progress.request, progress.reused, progress.computed + done, progress.total + all,
                                    progress.seconds + secondsSince(start)});
    };
    PAL_ASSIGN(WindowProbe window, timeline.probeWindow(prompt, report, command_.stop));
    unsent_.emplace_back(WindowProbed{command_.request, std::make_shared<const WindowProbe>(std::move(window))});
    return {};
}

void RequestRun::tellProbe(UnmadeProbe probe) {
    unsent_.emplace_back(SentProbe{command_.request, std::move(probe)});
}

// Reads the token before and draws the next, which so is out before the work for the one after it begins.
RequestRun::Step RequestRun::generate(Timeline& timeline) {
    const auto& [sampling, limits] = *command_.generation;
    const auto start = Clock::now();
    if (command_.stop.stop_requested()) return EndCause::kCancelled;
    if (unread_) {
        history_.addReply(*unread_);
        PAL_ASSIGN(std::optional<UnmadeProbe> probe, timeline.append(*unread_, probes_, sampling.temperature));
        unread_.reset();
        if (probe) tellProbe(std::move(*probe));
    }
    if (timeline.position() >= contextTokens_) return EndCause::kContextFull;
    const Result<Draw> drawn = drawToken(timeline.logits(), sampling, history_, static_cast<uint64_t>(done_.generated),
                                         timeline.digest(sampling.temperature));
    if (!drawn) {
        timeline.forget();
        return fail(drawn.error());
    }
    const TokenId token = drawn->token;
    unsent_.emplace_back(TokenGenerated{command_.request, token, timeline.position(), drawn->logProbability});
    ++done_.generated;
    done_.decodeSeconds += secondsSince(start);
    if (std::count(limits.stopIds.begin(), limits.stopIds.end(), token) != 0) return EndCause::kStop;
    if (limits.maxTokens > 0 && done_.generated >= limits.maxTokens) return EndCause::kLength;
    unread_ = token;
    return std::nullopt;
}

}  // namespace pal
