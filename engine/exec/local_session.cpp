// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/local_session.h"

namespace pal {

std::pair<RequestId, std::stop_token> SessionLink::beginRequest() {
    const std::lock_guard lock(mutex_);
    const RequestId request = ++lastRequest_;
    return {request, running_[request].get_token()};
}

void SessionLink::abandonRequest(RequestId request) {
    const std::lock_guard lock(mutex_);
    running_.erase(request);
}

void SessionLink::cancelAll() {
    const std::lock_guard lock(mutex_);
    for (auto& [request, stop] : running_) stop.request_stop();
}

void SessionLink::close() {
    closed_ = true;
    cancelAll();
    events_.close();
}

void SessionLink::progress(const PrefillProgress& event) {
    events_.pushLatest(event, [&](const Event& last) {
        const auto* before = std::get_if<PrefillProgress>(&last);
        return before != nullptr && before->request == event.request;
    });
}

// In this order: while the event waits for room, cancelAll() must still reach the request.
void SessionLink::finish(const RequestDone& event, const std::stop_token& stop) {
    send(event, stop);
    abandonRequest(event.request);
}

LocalSession::~LocalSession() {
    link_->close();
    // Wakes the engine thread, which then frees the session's state. With a full queue it is awake anyway.
    static_cast<void>(queue_->tryPush({link_, 0, {}, std::nullopt, std::nullopt}));
}

Result<RequestId> LocalSession::sync(Prompt prompt) {
    return submit(std::move(prompt), std::nullopt);
}

Result<RequestId> LocalSession::generate(Prompt prompt, const SamplingParams& sampling,
                                         const GenerationLimits& limits) {
    return submit(std::move(prompt), EngineCommand::Generation{sampling, limits});
}

Result<RequestId> LocalSession::submit(Prompt prompt, std::optional<EngineCommand::Generation> generation) {
    const auto [request, stop] = link_->beginRequest();
    if (!queue_->tryPush({link_, request, stop, std::move(prompt), std::move(generation)})) {
        link_->abandonRequest(request);
        return fail(ErrorCode::kBusy, "the engine has no room for another request");
    }
    return request;
}

}  // namespace pal
