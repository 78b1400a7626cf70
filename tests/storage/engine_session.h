// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/api/engine.h"
#include "storage/states/state_library.h"

namespace pal::test {

// Everything one request reported.
struct Turn {
    PromptReady ready;
    std::vector<TokenId> tokens;
    RequestDone done;
    std::vector<Error> problems;
};

// An engine over a small model, with or without a library of states, and the shortest way to ask it something.
class EngineWithStates {
  public:
    // `library` may be null. Fails the test when the model cannot be loaded.
    EngineWithStates(const std::string& model, std::shared_ptr<StateStore> library, EngineOptions options = {});

    [[nodiscard]] std::unique_ptr<Session> open();
    // Reads the prompt and draws `tokens` greedily; 0 only reads.
    static Turn ask(Session& session, Prompt prompt, int64_t tokens);
    [[nodiscard]] Engine& engine() { return *engine_; }

  private:
    std::unique_ptr<Engine> engine_;
};

// Ids below 500 that look random, the same for the same salt.
[[nodiscard]] std::vector<TokenId> someTokens(int64_t count, uint64_t salt = 0);
// One picture of 4 x 6 patches of random pixels: 6 rows.
[[nodiscard]] std::shared_ptr<const MediaInput> somePicture(uint64_t salt);
// A clip of 2 frames of the same size.
[[nodiscard]] std::shared_ptr<const MediaInput> someClip(uint64_t salt);

[[nodiscard]] std::shared_ptr<StateLibrary> openLibrary(const std::filesystem::path& folder,
                                                        uint64_t budget = 4ULL << 30);

}  // namespace pal::test
