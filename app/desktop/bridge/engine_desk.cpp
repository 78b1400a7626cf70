// SPDX-License-Identifier: Apache-2.0
#include "app/desktop/bridge/engine_desk.h"

#include <new>
#include <utility>

#include "app/composition/background.h"
#include "app/composition/session_name.h"
#include "engine/api/gpu_memory.h"
#include "storage/chats/clock.h"

namespace pal::desktop {

EngineDesk::EngineDesk(EngineReports reports, std::function<void()> wake)
    : reports_(std::move(reports)), wake_(std::move(wake)) {}

Result<ChatLibrary*> EngineDesk::open(const WorkplaceOptions& options) {
    if (place_) return fail(ErrorCode::kConflict, "a data folder is open already");
    PAL_ASSIGN(place_, Workplace::open(options));
    return &place_->library();
}

Result<LoadedModel> EngineDesk::loadModel(const std::filesystem::path& folder, const EngineOptions& options,
                                          const std::stop_token& stop) {
    if (!place_) return fail(ErrorCode::kBusy, "the data folder is not open");
    finishTurn();
    hasModel_ = false;
    stepBack();  // the engine's threads come from this one
    PAL_TRY(loadOnto(folder, options, stop));
    const ModelInfo& info = place_->engine().model();
    PAL_ASSIGN(Tokenizer tokenizer, Tokenizer::loadModelFolder(info.folder));
    LoadedModel out{info, std::move(tokenizer), std::nullopt};
    if (info.vision) {
        PAL_ASSIGN(out.media, readMediaConfig(info.folder));
    }
    hasModel_ = true;
    return out;
}

// Rates are measured here, where nothing answers; what was free before tells what the model takes.
Result<> EngineDesk::loadOnto(const std::filesystem::path& folder, const EngineOptions& options,
                              const std::stop_token& stop) {
    const HeldMemory before = std::exchange(held_, {});
    const bool ofGpu = options.device == Device::kCuda;
    const Result<GpuMemory> free = ofGpu ? gpuMemory() : fail(ErrorCode::kUnsupported, "no GPU is wanted");
    PAL_TRY(place_->loadModel(folder, options, wake_, {reports_.loading, stop}));
    const Result<GpuMemory> left = free ? gpuMemory(GpuRates::kAsKnown) : free;
    if (!left) return {};
    const auto taken = [](uint64_t was, uint64_t is) { return was > is ? was - is : 0; };
    held_ = {taken(free->freeBytes + before.gpuBytes, left->freeBytes),
             taken(free->ramBytes + before.ramBytes, left->ramBytes)};
    return {};
}

Result<ChatRunner*> EngineDesk::idleRunner() {
    if (!place_ || !hasModel_) return fail(ErrorCode::kBusy, "no model is loaded");
    if (turning_) return fail(ErrorCode::kBusy, "an answer is being written");
    if (looking_) return fail(ErrorCode::kBusy, "a part of a session is computed again; stop that first");
    return &place_->runner();
}

Result<SessionId> EngineDesk::addSession(const AskJob& job) {
    if (job.session != 0) return job.session;
    return place_->library().writeNow([&](ChatDatabase& database) {
        return database.sessions().add(sessionNameFrom(job.text), settingsText(job.settings), nowMs());
    });
}

Result<> EngineDesk::setSettings(SessionId session, const SessionSettings& settings) {
    if (!place_) return fail(ErrorCode::kBusy, "the data folder is not open");
    return place_->library().writeNow(
        [&](ChatDatabase& database) { return database.sessions().setSettings(session, settingsText(settings)); });
}

Result<TurnStart> EngineDesk::ask(const AskJob& job) {
    PAL_ASSIGN(ChatRunner * runner, idleRunner());
    PAL_ASSIGN(const SessionId session, addSession(job));
    const auto asked = runner->ask({session, job.parent, job.text, job.attachments});
    if (!asked) {
        if (job.session == 0) {
            PAL_TRY(place_->library().writeNow(
                [&](ChatDatabase& database) { return database.sessions().remove(session, nowMs()); }));
        }
        return fail(asked.error());
    }
    return started();
}

Result<TurnStart> EngineDesk::answer(SessionId session, MessageId question) {
    PAL_ASSIGN(ChatRunner * runner, idleRunner());
    PAL_TRY(runner->answer(session, question));
    return started();
}

TurnStart EngineDesk::started() {
    turning_ = true;
    toldFailure_ = false;
    saved_ = std::chrono::steady_clock::now();
    const TurnReport& report = place_->runner().report();
    return {report.session, report.question, report.reply, report.numbers.tokens, report.cost};
}

Result<> EngineDesk::look(const LookRequest& request) {
    PAL_ASSIGN(ChatRunner * runner, idleRunner());
    PAL_TRY(runner->look(request));
    looking_ = true;
    wake_();
    return {};
}

bool EngineDesk::tickLook() {
    const auto running = place_->runner().advance(reports_.turn);
    if (running && *running) return true;
    looking_ = false;
    if (reports_.looked) reports_.looked(running ? std::nullopt : std::optional<Error>(running.error()));
    return false;
}

void EngineDesk::cancel() {
    if (turning_ || looking_) place_->runner().cancel();
}

bool EngineDesk::tick() {
    try {
        if (looking_) return tickLook();
        return turning_ && tickTurn();
    } catch (const std::bad_alloc&) {  // tried again, as a turn whose end cannot be stored
        tellFailure({ErrorCode::kOutOfMemory, "the answer"});
        return true;
    }
}

void EngineDesk::tellFailure(const Error& error) {
    if (!std::exchange(toldFailure_, true) && reports_.turn.problem) reports_.turn.problem(error);
}

bool EngineDesk::tickTurn() {
    ChatRunner& runner = place_->runner();
    auto running = runner.advance(reports_.turn);
    if (!running) {
        // Either the turn is over, or its end could not be stored and is tried again.
        const Error error = running.error();
        running = runner.advance(reports_.turn);
        if (!running) {
            tellFailure(running.error());
            return true;
        }
        if (!*running) endTurn(error);
        return turning_;
    }
    if (!*running) {
        endTurn({});
        return false;
    }
    if (const auto now = std::chrono::steady_clock::now(); now - saved_ >= ChatRunner::kSaveInterval) {
        runner.save(reports_.turn);
        saved_ = now;
    }
    return true;
}

void EngineDesk::endTurn(std::optional<Error> error) {
    const TurnReport report = place_->runner().report();
    // Only a list shows it.
    static_cast<void>(place_->runner().noteStored(report.session));
    if (reports_.ended) reports_.ended({report, std::move(error)});
    turning_ = false;  // once it was told
}

void EngineDesk::finishTurn() {
    if (!turning_ && !looking_) return;
    ChatRunner& runner = place_->runner();
    runner.cancel();
    while (tick() && !toldFailure_) runner.wait(ChatRunner::kSaveInterval, {});
    turning_ = looking_ = false;  // the runner goes; what could not be stored was told
}

Result<> EngineDesk::close() {
    if (!place_) return {};
    finishTurn();
    auto closed = place_->close();
    place_.reset();
    hasModel_ = false;
    held_ = {};
    return closed;
}

}  // namespace pal::desktop
