// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/request.h"

#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <new>

#include "engine/exec/sampler.h"

namespace pal {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

void RequestRun::run(Prompt prompt, const Runtime& runtime) {
    done_.request = command_.request;
    Result<EndCause> cause = EndCause::kFailed;
    try {
        cause = execute(std::move(prompt), runtime);
    } catch (const std::bad_alloc&) {
        cause = fail(ErrorCode::kOutOfMemory, "out of memory at token {}", timeline_.position());
    }
    if (cause) {
        done_.cause = *cause;
    } else if (cause.error().code == ErrorCode::kCancelled) {
        done_.cause = EndCause::kCancelled;
    } else {
        done_.cause = EndCause::kFailed;
        done_.error = cause.error();
    }
    done_.position = timeline_.position();
    keepState();
    command_.session->finish(done_, command_.stop);
}

// Also of a request that was cancelled or failed: what is finished is a prefix of what comes next.
void RequestRun::keepState() {
    try {
        timeline_.save();
    } catch (const std::bad_alloc&) {
        const Error error{ErrorCode::kOutOfMemory, "no memory to store the session's state"};
        command_.session->send(StateProblem{command_.request, error}, command_.stop);
    }
    if (const auto problem = timeline_.takeStateProblem())
        command_.session->send(StateProblem{command_.request, *problem}, command_.stop);
}

Result<EndCause> RequestRun::execute(Prompt prompt, const Runtime& runtime) {
    if (command_.stop.stop_requested()) return EndCause::kCancelled;
    if (command_.generation) {
        PAL_TRY(checkSampling(command_.generation->sampling));
        if (const int64_t tokens = command_.generation->limits.maxTokens; tokens < 0) {
            return fail(ErrorCode::kInvalidArgument, "a reply of {} tokens: at least 1, or 0 for no limit", tokens);
        }
    }
    PAL_ASSIGN(const CheckedPrompt checked, checkPrompt(std::move(prompt), runtime, contextTokens_));
    PAL_TRY(read(checked));
    if (!command_.generation) return EndCause::kPromptDone;
    return generate(checked);
}

Result<> RequestRun::read(const CheckedPrompt& prompt) {
    const auto start = Clock::now();
    const auto report = [&](const Timeline::Progress& at) {
        command_.session->progress({command_.request, at.reused, at.computed, at.total, secondsSince(start)});
    };
    PAL_ASSIGN(const Timeline::Progress done, timeline_.sync(prompt, report, command_.stop));
    PromptReady ready{command_.request, done.reused, done.computed, secondsSince(start)};
    ready.restored = done.restored;
    ready.restoreSeconds = done.restoreSeconds;
    ready.logitsXxh3 = XXH3_64bits(timeline_.logits().data(), timeline_.logits().size_bytes());
    command_.session->send(ready, command_.stop);
    return {};
}

Result<EndCause> RequestRun::generate(const CheckedPrompt& prompt) {
    const auto& [sampling, limits] = *command_.generation;
    const auto start = Clock::now();
    TokenHistory history;
    if (hasPenalties(sampling)) history.addPrompt(prompt.prompt.ids);
    while (true) {
        if (command_.stop.stop_requested()) return EndCause::kCancelled;
        if (timeline_.position() >= contextTokens_) return EndCause::kContextFull;
        const auto index = static_cast<uint64_t>(done_.generated);
        const Result<Draw> drawn = drawToken(timeline_.logits(), sampling, history, index);
        if (!drawn) {
            timeline_.forget();
            return fail(drawn.error());
        }
        const Draw draw = *drawn;
        command_.session->send(TokenGenerated{command_.request, draw.token, timeline_.position(), draw.logProbability},
                               command_.stop);
        ++done_.generated;
        done_.decodeSeconds = secondsSince(start);
        if (std::count(limits.stopIds.begin(), limits.stopIds.end(), draw.token) != 0) return EndCause::kStop;
        if (limits.maxTokens > 0 && done_.generated >= limits.maxTokens) return EndCause::kLength;
        history.addReply(draw.token);
        PAL_TRY(timeline_.append(draw.token));
    }
}

}  // namespace pal
