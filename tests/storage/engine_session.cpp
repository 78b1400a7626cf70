// SPDX-License-Identifier: Apache-2.0
#include "tests/storage/engine_session.h"

#include <gtest/gtest.h>

#include "engine/base/byte_hash.h"

namespace pal::test {
namespace {

std::shared_ptr<const MediaInput> media(int64_t frames, uint64_t salt) {
    constexpr int64_t kPatchNumbers = 3 * 14 * 14;
    MediaInput out{frames, 4, 6, {}};
    for (int64_t i = 0; i < frames * 4 * 6 * kPatchNumbers; ++i) {
        const uint64_t bits = splitmix64(salt * 1000003 + static_cast<uint64_t>(i));
        out.patches.push_back(static_cast<float>(bits % 2001) / 1000 - 1);
    }
    return std::make_shared<const MediaInput>(std::move(out));
}

}  // namespace

EngineWithStates::EngineWithStates(const std::string& model, std::shared_ptr<StateStore> library,
                                   EngineOptions options) {
    options.states = std::move(library);
    auto engine = loadEngine(model, options);
    if (!engine.has_value()) {
        ADD_FAILURE() << engine.error().message;
        std::abort();
    }
    engine_ = std::move(*engine);
}

std::unique_ptr<Session> EngineWithStates::open() {
    return std::move(engine_->openSession({}).value());
}

Turn EngineWithStates::ask(Session& session, Prompt prompt, int64_t tokens) {
    SamplingParams greedy;
    greedy.temperature = 0;
    const RequestId request =
        (tokens > 0 ? session.generate(std::move(prompt), greedy, {tokens, {}}) : session.sync(std::move(prompt)))
            .value();
    Turn out;
    while (true) {
        session.wait({});
        for (const Event& event : session.drain()) {
            if (const auto* ready = std::get_if<PromptReady>(&event)) out.ready = *ready;
            if (const auto* token = std::get_if<TokenGenerated>(&event)) out.tokens.push_back(token->token);
            if (const auto* problem = std::get_if<StateProblem>(&event)) out.problems.push_back(problem->error);
            const auto* done = std::get_if<RequestDone>(&event);
            if (done == nullptr || done->request != request) continue;
            out.done = *done;
            return out;
        }
    }
}

std::vector<TokenId> someTokens(int64_t count, uint64_t salt) {
    std::vector<TokenId> out;
    for (int64_t i = 0; i < count; ++i)
        out.push_back(static_cast<TokenId>(splitmix64(salt * 7919 + static_cast<uint64_t>(i)) % 500));
    return out;
}

std::shared_ptr<const MediaInput> somePicture(uint64_t salt) {
    return media(1, salt);
}

std::shared_ptr<const MediaInput> someClip(uint64_t salt) {
    return media(2, salt);
}

std::shared_ptr<StateLibrary> openLibrary(const std::filesystem::path& folder, uint64_t budget) {
    StateLibraryOptions options;
    options.folder = folder;
    options.budgetBytes = budget;
    auto library = StateLibrary::open(options);
    EXPECT_TRUE(library.has_value()) << library.error().message;
    return library.has_value() ? std::move(*library) : nullptr;
}

}  // namespace pal::test
