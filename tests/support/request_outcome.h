// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "engine/api/session.h"

namespace pal::test {

// Everything one request reported.
struct Outcome {
    std::vector<PrefillProgress> progress;
    PromptReady ready;
    std::vector<TokenId> tokens;
    std::vector<int64_t> positions;
    std::vector<std::shared_ptr<const TokenProbe>> probes;
    std::shared_ptr<const WindowProbe> window;
    RequestDone done;
};

// Blocks until the request has ended.
inline Outcome waitFor(Session& session, RequestId request) {
    Outcome out;
    while (true) {
        session.wait({});
        for (const Event& event : session.drain()) {
            if (const auto* progress = std::get_if<PrefillProgress>(&event)) out.progress.push_back(*progress);
            if (const auto* ready = std::get_if<PromptReady>(&event)) out.ready = *ready;
            if (const auto* token = std::get_if<TokenGenerated>(&event)) {
                out.tokens.push_back(token->token);
                out.positions.push_back(token->position);
            }
            if (const auto* probed = std::get_if<TokenProbed>(&event)) out.probes.push_back(probed->probe);
            if (const auto* window = std::get_if<WindowProbed>(&event)) out.window = window->probe;
            if (const auto* done = std::get_if<RequestDone>(&event); done != nullptr && done->request == request) {
                out.done = *done;
                return out;
            }
        }
    }
}

// Some text of `tokens` tokens, the same each time; ids below 500.
inline Prompt somePrompt(int64_t tokens) {
    Prompt prompt;
    for (int64_t i = 0; i < tokens; ++i) prompt.ids.push_back(static_cast<TokenId>((37 * i + 11) % 500));
    return prompt;
}

}  // namespace pal::test
