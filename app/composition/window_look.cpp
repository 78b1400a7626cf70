// SPDX-License-Identifier: Apache-2.0
// The part of ChatRunner that computes a stretch of a session again to look at it.
#include "app/composition/chat_runner.h"
#include "app/composition/device_kind.h"
#include "app/composition/prompt_regions.h"

namespace pal {

Result<Prompt> ChatRunner::lookPrompt(const LookRequest& request) {
    PAL_ASSIGN(const SessionSummary summary, library_.reader().sessions().get(request.session));
    PAL_ASSIGN(const PromptMap map, promptMap(request.session, request.head));
    const auto tokens = std::ssize(map.prompt.prompt().ids);
    if (request.probes.begin < 0 || request.probes.begin >= request.probes.end || request.probes.end > tokens) {
        return fail(ErrorCode::kInvalidArgument, "tokens {} to {} cannot be looked at, the session has {}",
                    request.probes.begin, request.probes.end, tokens);
    }
    PAL_ASSIGN(const std::vector<PromptMessage> path, prompts_.load(request.head));
    PAL_ASSIGN(Prompt prompt, prompts_.prompt(settingsFrom(summary.settings), path));
    prompt.probes = request.probes;
    if (prompt.probes.regionEnds.empty()) prompt.probes.regionEnds = endsOf(regionsOf(map, {}));
    return prompt;
}

Result<ChatRunner::LookCost> ChatRunner::lookCost(const LookRequest& request) {
    PAL_ASSIGN(const Prompt prompt, lookPrompt(request));
    PAL_ASSIGN(const Engine::WindowCost cost, engine_.windowCost(prompt));
    PAL_ASSIGN(const ModelRates rates,
               modelRates(library_.reader().rates(), engine_.model().folder.string(), deviceKind(engine_.model())));
    LookCost out{cost.tokens, cost.bytes, std::nullopt};
    if (rates.prefillTokens) out.seconds = static_cast<double>(out.tokens) / *rates.prefillTokens;
    return out;
}

Result<> ChatRunner::look(const LookRequest& request) {
    PAL_TRY(endLastTurn());
    PAL_ASSIGN(Prompt prompt, lookPrompt(request));
    PAL_ASSIGN(look_, session_->sync(std::move(prompt)));
    return {};
}

Result<bool> ChatRunner::advanceLook(const TurnObserver& observer) {
    for (const Event& event : session_->drain()) {
        if (const auto* at = std::get_if<PrefillProgress>(&event)) {
            if (observer.progress) observer.progress(*at);
        } else if (const auto* seen = std::get_if<WindowProbed>(&event)) {
            if (observer.window) observer.window(seen->probe);
        } else if (const auto* done = std::get_if<RequestDone>(&event); done != nullptr && done->request == *look_) {
            look_.reset();
            if (done->error) return fail(*done->error);
            if (done->cause == EndCause::kCancelled) return fail(ErrorCode::kCancelled, "the computation was stopped");
            return false;
        }
    }
    return true;
}

}  // namespace pal
