// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/local_session.h"

#include <new>
#include <type_traits>

namespace pal {
namespace {

// Nothing where there is no memory for it: a look may be left out, what else happened may not.
std::shared_ptr<const TokenProbe> probeOf(UnmadeProbe probe) {
    try {
        return std::make_shared<const TokenProbe>(makeProbe(std::move(probe)));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace

Result<std::pair<RequestId, std::stop_token>> SessionLink::beginRequest() {
    const std::lock_guard lock(mutex_);
    if (running_.size() >= kMostRequests)
        return fail(ErrorCode::kBusy, "{} requests of this session wait already", running_.size());
    const RequestId request = ++lastRequest_;
    return std::pair(request, running_[request].get_token());
}

void SessionLink::forgetRequest(RequestId request) {
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

std::vector<Event> SessionLink::drain() {
    // Without memory for what is handed on it stays here until the next call, which comes: the receiver drains until empty.
    if (taken_.empty()) taken_ = events_.drain();
    std::vector<Event> out;
    out.reserve(taken_.size());
    for (SentEvent& event : taken_) {
        if (auto* sent = std::get_if<SentProbe>(&event)) {
            if (auto probe = probeOf(std::move(sent->probe)))
                out.emplace_back(TokenProbed{sent->request, std::move(probe)});
        } else {
            std::visit(
                [&]<typename T>(T& e) {
                    if constexpr (!std::is_same_v<T, SentProbe>) out.emplace_back(std::move(e));
                },
                event);
        }
    }
    taken_.clear();
    return out;
}

void SessionLink::progress(const PrefillProgress& event) {
    events_.pushLatest(event, [&](const SentEvent& last) {
        const auto* before = std::get_if<PrefillProgress>(&last);
        return before != nullptr && before->request == event.request;
    });
}

LocalSession::~LocalSession() {
    link_->close();
    wakeEngine();  // it frees the session's state
}

void LocalSession::cancel() {
    link_->cancelAll();
    if (link_->takeParked()) wakeEngine();
}

std::vector<Event> LocalSession::drain() {
    std::vector<Event> events = link_->drain();
    if (link_->takeParked()) wakeEngine();
    return events;
}

// With a full queue it is awake anyway.
void LocalSession::wakeEngine() {
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
    PAL_ASSIGN(const auto begun, link_->beginRequest());
    const auto& [request, stop] = begun;
    if (!queue_->tryPush({link_, request, stop, std::move(prompt), std::move(generation)})) {
        link_->forgetRequest(request);
        return fail(ErrorCode::kBusy, "the engine has no room for another request");
    }
    return request;
}

}  // namespace pal
