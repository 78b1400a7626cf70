// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/local_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

#include "engine/exec/window_probe.h"
#include "engine/model/model_folder.h"

namespace pal {
namespace {

constexpr std::chrono::milliseconds kMemoryPause{10};  // until memory is asked for again

ModelInfo describe(const Runtime& runtime, const std::filesystem::path& folder, const EngineOptions& options) {
    const ModelConfig& config = runtime.config();
    const BackendInfo backend = runtime.backend().info();
    const StateLayout layout = runtime.stateLayout(latentDType(options.latents));
    ModelInfo info;
    info.folder = folder;
    info.architecture = config.architecture;
    info.fingerprint = runtime.fingerprint();
    info.device = backend.threads > 0 ? fmt::format("{}, {} threads", backend.device, backend.threads) : backend.device;
    info.vocabulary = config.text.vocabSize;
    info.contextTokens = options.contextTokens;
    info.vision = runtime.canSee();
    if (info.vision) info.mediaPlaceholder = static_cast<TokenId>(config.vision->mediaPlaceholderTokenId);
    for (const int64_t id : config.text.eosTokenIds) info.stopIds.push_back(static_cast<TokenId>(id));
    info.stateBytes = layout.recurrentBytes();
    info.stateBytesPerToken = layout.pageBytes() / static_cast<uint64_t>(kLatentPageTokens);
    return info;
}

}  // namespace

LocalEngine::LocalEngine(std::unique_ptr<Runtime> runtime, const std::filesystem::path& folder,
                         const EngineOptions& options)
    : runtime_(std::move(runtime)),
      options_(options),
      families_(stateFamilies(runtime_->fingerprint(), runtime_->backend().info(), latentDType(options.latents))),
      info_(describe(*runtime_, folder, options)),
      scratch_(*runtime_, options.mediaBytes),
      queue_(std::make_shared<EngineQueue>(kQueueCapacity)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

LocalEngine::~LocalEngine() = default;

Result<int64_t> LocalEngine::mediaRows(const MediaInput& media) const {
    return mediaRowsFor(*runtime_, media);
}

Result<Engine::StoredPrefix> LocalEngine::storedPrefix(const Prompt& prompt) const {
    PAL_ASSIGN(const CheckedPrompt checked, checkPrompt(prompt, *runtime_, options_.contextTokens));
    if (!options_.states) return StoredPrefix{};
    const StateLayout layout = runtime_->stateLayout(latentDType(options_.latents));
    StateArchive archive(*options_.states, families_, runtime_->backend(), layout);
    return archive.longest(checked.identities);
}

Result<Engine::WindowCost> LocalEngine::windowCost(const Prompt& prompt) const {
    const ProbeRequest& look = prompt.probes;
    PAL_ASSIGN(const CheckedPrompt checked, checkPrompt(prompt, *runtime_, options_.contextTokens));
    ProbeRequest unbounded = look;
    unbounded.rawBytes = UINT64_MAX;
    PAL_TRY(checkProbes(unbounded, runtime_->plan(), runtime_->backend().info(), checked.size()));
    if (look.level < ProbeLevel::kWindow) return WindowCost{};
    int64_t stored = 0;
    if (options_.states) {
        StateArchive archive(*options_.states, families_, runtime_->backend(),
                             runtime_->stateLayout(latentDType(options_.latents)));
        const std::span<const uint64_t> path(checked.identities);
        stored = archive.longest(path.first(static_cast<size_t>(look.begin))).checkpoint.tokens;
    }
    return WindowCost{look.end - stored, windowBytes(look, runtime_->plan())};
}

Result<std::unique_ptr<Session>> LocalEngine::openSession(std::function<void()> wakeup) {
    auto link = std::make_shared<SessionLink>(options_.eventCapacity, std::move(wakeup));
    return std::make_unique<LocalSession>(std::move(link), queue_);
}

void LocalEngine::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        takeCommands(stop);
        freeClosedSessions();
        const auto run = nextRun();
        if (run == runs_.end()) continue;
        if (serve(*run, stop) == RequestRun::Outcome::kDone) {
            runs_.erase(run);
        } else {
            run->session()->setParked();
        }
    }
    // Every request has its end.
    for (RequestRun& run : runs_) serve(run, stop);
    runs_.clear();
    timelines_.clear();  // first: what waited for memory needs a little for its end
    commands_.splice(commands_.end(), queue_->tryPopAll());
    for (const EngineCommand& command : commands_) endUnbegun(command);
    commands_.clear();
}

// Of a request that never came to its turn. Cancelled ones find room in every session.
void LocalEngine::endUnbegun(const EngineCommand& command) {
    if (!command.prompt) return;
    RequestDone done;
    done.request = command.request;
    done.cause = EndCause::kCancelled;
    const std::vector<SentEvent> events(1, done);
    command.session->cancelAll();
    static_cast<void>(command.session->trySend(events, command.stop));
    command.session->forgetRequest(command.request);
}

// Waits for a command when there is nothing to do.
void LocalEngine::takeCommands(const std::stop_token& stop) {
    const auto idle = [&] { return nextRun() == runs_.end(); };
    commands_.splice(commands_.end(), commands_.empty() && idle() ? queue_->popAll(stop) : queue_->tryPopAll());
    while (!commands_.empty() && begin(commands_.front())) commands_.pop_front();
    if (!commands_.empty() && idle()) std::this_thread::sleep_for(kMemoryPause);
}

// False while there is no memory for it, also without what can be computed again: it stays in its place.
bool LocalEngine::begin(EngineCommand& command) {
    if (!command.prompt) return true;
    for (const bool last : {false, true}) {
        try {
            runs_.emplace_back(std::move(command), options_.contextTokens);
            return true;
        } catch (const std::bad_alloc&) {  // nothing was moved yet
            if (!last) timelines_.clear();
        }
    }
    return false;
}

// The first request that can go on: the first of its session and not parked at a full one.
std::list<RequestRun>::iterator LocalEngine::nextRun() {
    const auto isFirst = [&](const auto& run) {
        return std::none_of(runs_.begin(), run, [&](const RequestRun& r) { return r.session() == run->session(); });
    };
    auto run = runs_.begin();
    while (run != runs_.end() && (!isFirst(run) || (run->parked() && !run->mayGoOn()))) ++run;
    return run;
}

RequestRun::Outcome LocalEngine::serve(RequestRun& run, const std::stop_token& stop) {
    const std::stop_callback cancel(stop, [&] { run.session()->cancelAll(); });
    try {
        if (deviceLost_) {
            run.end(*deviceLost_);
            return run.deliver();
        }
        const RequestRun::Outcome outcome = run.run(timelineOf(run.session()), *runtime_);
        noteLostDevice(run);
        return outcome;
    } catch (const std::bad_alloc&) {
        // Not even room for a timeline or to report: what can be computed again goes first.
        timelines_.erase(run.session());
        run.end({ErrorCode::kOutOfMemory, "out of memory"});
        return run.deliver();
    }
}

// A device that is lost does not come back: what lies on it goes, and nobody waits for it again.
void LocalEngine::noteLostDevice(const RequestRun& run) {
    if (!run.error() || run.error()->code != ErrorCode::kDeviceLost) return;
    deviceLost_ = run.error();
    timelines_.clear();
}

Timeline& LocalEngine::timelineOf(const std::shared_ptr<SessionLink>& session) {
    std::unique_ptr<Timeline>& timeline = timelines_[session];
    if (!timeline) {
        const TimelineOptions options{options_.chunkTokens, latentDType(options_.latents), options_.checkpointBytes,
                                      options_.states.get(), families_};
        timeline = std::make_unique<Timeline>(*runtime_, scratch_, options);
    }
    return *timeline;
}

void LocalEngine::freeClosedSessions() {
    runs_.remove_if([](const RequestRun& run) { return run.session()->closed(); });
    std::erase_if(timelines_, [](const auto& entry) { return entry.first->closed(); });
}

Result<std::unique_ptr<Engine>> loadEngine(const std::filesystem::path& folder, const EngineOptions& options,
                                           const LoadWatch& watch) {
    PAL_ASSIGN(const ModelFolder found, findModel(folder));
    PAL_ASSIGN(BoundModel model, loadModel(folder));
    PAL_ASSIGN(EngineOptions complete, completeOptions(options, model.plan.config.text));
    PAL_ASSIGN(std::unique_ptr<Backend> backend, createBackend(complete));
    PAL_ASSIGN(const GpuPlan plan, planFor(model, options, *backend));
    // They are not to take what the plan promised to the context.
    if (complete.device == Device::kCuda)
        complete.checkpointBytes = std::min(complete.checkpointBytes, plan.spareBytes);
    PAL_ASSIGN(std::unique_ptr<Runtime> runtime, Runtime::create(std::move(model), std::move(backend), watch, plan));
    return std::make_unique<LocalEngine>(std::move(runtime), found.root, complete);
}

Result<std::unique_ptr<Engine>> loadEngine(const std::filesystem::path& folder, const EngineOptions& options) {
    return loadEngine(folder, options, LoadWatch{});
}

}  // namespace pal
