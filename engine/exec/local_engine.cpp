// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/local_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "engine/exec/request.h"
#include "engine/model/model_folder.h"

namespace pal {
namespace {

ModelInfo describe(const Runtime& runtime, const std::filesystem::path& folder, const EngineOptions& options) {
    const ModelConfig& config = runtime.config();
    const BackendInfo backend = runtime.backend().info();
    const StateLayout layout = runtime.stateLayout(latentDType(options.latents));
    ModelInfo info;
    info.folder = folder;
    info.architecture = config.architecture;
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
      scratch_(*runtime_),
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
    const StateArchive::Stored found = archive.longest(checked.identities);
    return StoredPrefix{found.tokens, found.bytes};
}

Result<std::unique_ptr<Session>> LocalEngine::openSession(std::function<void()> wakeup) {
    auto link = std::make_shared<SessionLink>(options_.eventCapacity, std::move(wakeup));
    return std::make_unique<LocalSession>(std::move(link), queue_);
}

void LocalEngine::work(const std::stop_token& stop) {
    while (auto command = queue_->pop(stop)) {
        freeClosedSessions();
        if (command->prompt && !command->session->closed()) serve(std::move(*command), stop);
    }
    timelines_.clear();
}

void LocalEngine::serve(EngineCommand command, const std::stop_token& stop) {
    const std::stop_callback cancel(stop, [&] { command.session->cancelAll(); });
    try {
        Prompt prompt = std::move(*command.prompt);
        RequestRun(command, timelineOf(command.session), options_.contextTokens).run(std::move(prompt), *runtime_);
    } catch (const std::bad_alloc&) {
        // Not even room for a timeline or to report: what can be computed again goes first.
        timelines_.erase(command.session);
        RequestDone done;
        done.request = command.request;
        done.cause = EndCause::kFailed;
        done.error = Error{ErrorCode::kOutOfMemory, "out of memory"};
        command.session->finish(done, command.stop);
    }
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
    std::erase_if(timelines_, [](const auto& entry) { return entry.first->closed(); });
}

Result<std::unique_ptr<Engine>> loadEngine(const std::filesystem::path& folder, const EngineOptions& options) {
    PAL_ASSIGN(const ModelFolder found, findModel(folder));
    PAL_ASSIGN(BoundModel model, loadModel(folder));
    PAL_ASSIGN(const EngineOptions complete, completeOptions(options, model.plan.config.text));
    PAL_ASSIGN(std::unique_ptr<Backend> backend, createBackend(complete));
    PAL_ASSIGN(std::unique_ptr<Runtime> runtime, Runtime::create(std::move(model), std::move(backend)));
    return std::make_unique<LocalEngine>(std::move(runtime), found.root, complete);
}

}  // namespace pal
