// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/composition/chat_library.h"
#include "app/composition/chat_runner.h"
#include "engine/api/engine.h"
#include "engine/api/load_watch.h"
#include "storage/probes/probe_library.h"
#include "storage/states/state_library.h"

namespace pal {

struct WorkplaceOptions {
    DataPlaces places;
    std::string program;  // how the owner of the folder is named to others
    // Disk that stored states may take from now on, and 1/32 of it in addition what was seen of replies; else what was chosen before, at
    // first 32 GiB.
    std::optional<uint64_t> stateBytes;
    enum class Evict { kOverBudget, kNothing } evict = Evict::kOverBudget;  // a program that only looks removes nothing
    std::function<void()> changed;  // wakeup for ChatLibrary::drain(); may be empty
    std::string documentPassword;   // as ChatRunner::setDocumentPassword, of every model's runner
};

// Everything that a program with sessions needs, opened in order and shut down in the reverse one:
//   data folder and chats.db (with the database thread) -> states.db and probes.db (with their threads) -> engine (with its thread) -> the
//   runner.
// Confined to the thread that opened it, except for what says otherwise.
class Workplace {
  public:
    // Without a model only the library is there. States that cannot be opened cost time and are told in notes(). Errors: those of
    // ChatLibrary::open.
    static Result<std::unique_ptr<Workplace>> open(const WorkplaceOptions& options);
    // As close(), without the report.
    ~Workplace();

    // Loads a model, giving up the one before. Blocks. Errors: those of loadEngine and ChatRunner::open; there is no model then.
    Result<> loadModel(const std::filesystem::path& folder, EngineOptions options, std::function<void()> wakeup = {},
                       const LoadWatch& watch = {});
    // Disk that stored states may take from now on, and 1/32 of it in addition what was seen of replies; what is over it is dropped. Blocks
    // for the states. Errors: those of writing.
    Result<> setStateBudget(uint64_t bytes);

    // As WorkplaceOptions::documentPassword, of the turns that start from now on.
    void setDocumentPassword(const std::string& password);

    [[nodiscard]] ChatLibrary& library() { return *library_; }
    [[nodiscard]] StateLibrary* states() { return states_.get(); }  // null when they could not be opened
    [[nodiscard]] bool hasModel() const { return runner_ != nullptr; }
    [[nodiscard]] Engine& engine() { return *engine_; }      // of the loaded model
    [[nodiscard]] ChatRunner& runner() { return *runner_; }  // of the loaded model
    // Sentences for the user about the folder and its files.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

    // The end, in the only right order: the running turn is cancelled, the engine ends, states are written, chats.db is closed, the folder
    // is given up. Errors: what could not be written, also of states, which then cost time.
    Result<> close();

  private:
    Workplace() = default;
    void openProbes(uint64_t stateBytes);
    Result<uint64_t> stateBudget(const std::optional<uint64_t>& wanted);
    Result<> keepStateBudget(uint64_t bytes);

    std::unique_ptr<ChatLibrary> library_;
    std::shared_ptr<StateLibrary> states_;
    std::shared_ptr<ProbeLibrary> probes_;
    std::filesystem::path probeFile_;
    bool evicts_ = true;
    std::string documentPassword_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<ChatRunner> runner_;
    std::vector<std::string> notes_;
};

// Disk that stored states may take: what was chosen, at first 32 GiB. Errors: those of reading.
Result<uint64_t> keptStateBudget(ChatLibrary& library);

}  // namespace pal
