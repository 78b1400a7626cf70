// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <thread>

#include "engine/api/engine.h"
#include "engine/exec/local_session.h"
#include "engine/exec/request.h"
#include "engine/exec/runtime.h"
#include "engine/exec/timeline.h"

namespace pal {

// The engine over a model in this process. The runtime and all timelines belong to its one thread. It
// runs the first request whose session takes events; the requests of a session stay in order.
class LocalEngine final : public Engine {
  public:
    // `options.contextTokens` and `chunkTokens` are valid.
    LocalEngine(std::unique_ptr<Runtime> runtime, const std::filesystem::path& folder, const EngineOptions& options);
    ~LocalEngine() override;

    [[nodiscard]] const ModelInfo& model() const override { return info_; }
    [[nodiscard]] Result<int64_t> mediaRows(const MediaInput& media) const override;
    [[nodiscard]] Result<StoredPrefix> storedPrefix(const Prompt& prompt) const override;
    [[nodiscard]] Result<WindowCost> windowCost(const Prompt& prompt) const override;
    Result<std::unique_ptr<Session>> openSession(std::function<void()> wakeup) override;

  private:
    static constexpr size_t kQueueCapacity = 64;

    void work(const std::stop_token& stop);
    void takeCommands(const std::stop_token& stop);
    bool begin(EngineCommand& command);
    static void endUnbegun(const EngineCommand& command);
    void freeClosedSessions();
    std::list<RequestRun>::iterator nextRun();
    RequestRun::Outcome serve(RequestRun& run, const std::stop_token& stop);
    void noteLostDevice(const RequestRun& run);
    Timeline& timelineOf(const std::shared_ptr<SessionLink>& session);

    std::unique_ptr<Runtime> runtime_;
    EngineOptions options_;
    StateFamilies families_;  // of the model's states in options_.states
    ModelInfo info_;
    TimelineScratch scratch_;  // engine thread only
    std::shared_ptr<EngineQueue> queue_;
    std::map<std::shared_ptr<SessionLink>, std::unique_ptr<Timeline>> timelines_;  // engine thread only
    std::list<EngineCommand> commands_;  // that wait for memory to begin; engine thread only
    std::list<RequestRun> runs_;         // that are not done, in the order they came; engine thread only
    std::optional<Error> deviceLost_;    // then every request ends with it; engine thread only
    std::jthread thread_;                // last: it stops before anything it uses goes
};

}  // namespace pal
