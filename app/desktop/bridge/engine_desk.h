// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/composition/workplace.h"
#include "engine/api/tokenizer.h"
#include "vision/media_config.h"

namespace pal::desktop {

// A question from the window.
struct AskJob {
    SessionId session = 0;     // 0: a new one, made for it and named after it
    SessionSettings settings;  // of a new one
    MessageId parent = 0;      // as AskRequest
    std::string text;
    std::vector<NewAttachment> attachments;
};

// A loaded model with what is needed to write questions to it.
struct LoadedModel {
    ModelInfo info;
    Tokenizer tokenizer;
    std::optional<MediaConfig> media;  // nothing for one that cannot see
    bool embedded = false;             // the one that comes with the program
};

struct TurnStart {
    SessionId session = 0;
    MessageId question = 0;
    MessageId reply = 0;
    int64_t promptTokens = 0;
    OpeningCost cost;
};

struct TurnEnd {
    TurnReport report;
    std::optional<Error> error;
};

// What the engine's thread tells; called on that thread, must return at once.
struct EngineReports {
    TurnObserver turn;
    std::function<void(const TurnEnd&)> ended;
    std::function<void(const std::optional<Error>&)>
        looked;  // a look() ended; its window came before, with turn.window
    std::function<void(const LoadProgress&)> loading;
};

// The engine's side of the window: data folder, model and the running turn. Confined to the engine's thread, which steps back behind the
// window's (app/composition/background.h) with the first model.
class EngineDesk {
  public:
    // `wake` asks for a tick(), from any thread.
    EngineDesk(EngineReports reports, std::function<void()> wake);

    // Errors: those of Workplace::open, kConflict when a folder is open.
    Result<ChatLibrary*> open(const WorkplaceOptions& options);
    [[nodiscard]] Workplace* place() { return place_.get(); }
    [[nodiscard]] bool hasModel() const { return hasModel_; }
    // What the loaded model took of a GPU and, for experts, of RAM when it was loaded: free again when it goes.
    struct HeldMemory {
        uint64_t gpuBytes = 0;
        uint64_t ramBytes = 0;
    };
    [[nodiscard]] const HeldMemory& held() const { return held_; }

    // Ends the running turn, then loads. Blocks. Errors: those of Workplace::loadModel; without one there is no model then.
    Result<LoadedModel> loadModel(const std::filesystem::path& folder, const EngineOptions& options,
                                  const std::stop_token& stop = {});

    // Of the turns that start from now on. Errors: those of the database, kBusy when no data folder is open.
    Result<> setSettings(SessionId session, const SessionSettings& settings);

    // Starts a turn. Errors: those of ChatRunner, kBusy without a model; then nothing is stored.
    Result<TurnStart> ask(const AskJob& job);
    Result<TurnStart> answer(SessionId session, MessageId question);
    // Computes a stretch of a session again, to look at it. Errors: those of ChatRunner::look, kBusy without a model or while it works.
    Result<> look(const LookRequest& request);
    // Ends turn or look.
    void cancel();

    // Moves turn or look on; true while one runs.
    bool tick();
    // The turn is ended and kept as it is, then everything is closed in order. Errors: those of Workplace::close.
    Result<> close();

  private:
    Result<> loadOnto(const std::filesystem::path& folder, const EngineOptions& options, const std::stop_token& stop);
    Result<ChatRunner*> idleRunner();
    Result<SessionId> addSession(const AskJob& job);
    TurnStart started();
    void endTurn(std::optional<Error> error);
    void finishTurn();
    bool tickLook();
    bool tickTurn();
    void tellFailure(const Error& error);  // once a turn

    const EngineReports reports_;
    const std::function<void()> wake_;
    std::unique_ptr<Workplace> place_;
    bool hasModel_ = false;
    HeldMemory held_;
    bool turning_ = false;
    bool looking_ = false;
    bool toldFailure_ = false;
    std::chrono::steady_clock::time_point saved_;
};

}  // namespace pal::desktop
