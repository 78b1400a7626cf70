// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <variant>
#include <vector>

#include "engine/api/session.h"
#include "engine/base/bounded_queue.h"
#include "engine/base/event_channel.h"
#include "engine/base/result.h"
#include "engine/exec/probed_step.h"

namespace pal {

// Events as the engine's thread sends them. A look at a token travels as the values that the step left: its record is made by who drains, so that
// the next step begins earlier.
struct SentProbe {
    RequestId request = 0;
    UnmadeProbe probe;
};
using SentEvent =
    std::variant<PrefillProgress, PromptReady, TokenGenerated, StateProblem, SentProbe, WindowProbed, RequestDone>;

// What the handle of a session and the engine thread share. Thread-safe.
class SessionLink {
  public:
    // `eventCapacity`: events that may wait to be drained before a request pauses.
    SessionLink(size_t eventCapacity, std::function<void()> wakeup) : events_(eventCapacity, std::move(wakeup)) {}

    // Handle's side.
    // Errors: kBusy when kMostRequests wait.
    Result<std::pair<RequestId, std::stop_token>> beginRequest();
    void cancelAll();
    void close();  // cancels; events are dropped and no wakeup is called any more
    // Throws std::bad_alloc; nothing but looks at tokens is lost by it.
    [[nodiscard]] std::vector<Event> drain();
    void wait(std::stop_token stop) { events_.wait(std::move(stop)); }
    // Whether a request was parked since the last call: who made room or cancelled must wake the engine.
    [[nodiscard]] bool takeParked() { return parked_.exchange(false); }

    // Engine's side.
    [[nodiscard]] bool closed() const { return closed_; }
    void progress(const PrefillProgress& event);
    // How many of these events, the oldest first, were sent: all, unless the session has no room and their request was not asked to `stop`.
    [[nodiscard]] size_t trySend(std::span<const SentEvent> events, const std::stop_token& stop) {
        return events_.tryPushAll(events, stop);
    }
    [[nodiscard]] bool hasRoom() const { return events_.hasRoom(); }
    // Call it before the last look at hasRoom(): then either that look or the handle sees what the other did.
    void setParked() { parked_ = true; }

    void forgetRequest(RequestId request);  // it is over, or was never queued

    static constexpr size_t kMostRequests = 64;

  private:
    EventChannel<SentEvent> events_;
    std::vector<SentEvent> taken_;  // out of the channel, but not handed on; handle's side
    std::atomic<bool> closed_ = false;
    std::atomic<bool> parked_ = false;
    std::mutex mutex_;
    RequestId lastRequest_ = 0;
    std::map<RequestId, std::stop_source> running_;  // queued or at work
};

// A request on its way to the engine thread. Without a prompt it only wakes the thread.
struct EngineCommand {
    std::shared_ptr<SessionLink> session;
    RequestId request = 0;
    std::stop_token stop;
    std::optional<Prompt> prompt;
    struct Generation {
        SamplingParams sampling;
        GenerationLimits limits;
    };
    std::optional<Generation> generation;
};
using EngineQueue = BoundedQueue<EngineCommand>;

// The handle that the application holds.
class LocalSession final : public Session {
  public:
    LocalSession(std::shared_ptr<SessionLink> link, std::shared_ptr<EngineQueue> queue)
        : link_(std::move(link)), queue_(std::move(queue)) {}
    ~LocalSession() override;

    Result<RequestId> sync(Prompt prompt) override;
    Result<RequestId> generate(Prompt prompt, const SamplingParams& sampling, const GenerationLimits& limits) override;
    void cancel() override;
    [[nodiscard]] std::vector<Event> drain() override;
    void wait(std::stop_token stop) override { link_->wait(std::move(stop)); }

  private:
    Result<RequestId> submit(Prompt prompt, std::optional<EngineCommand::Generation> generation);
    void wakeEngine();

    std::shared_ptr<SessionLink> link_;
    std::shared_ptr<EngineQueue> queue_;
};

}  // namespace pal
