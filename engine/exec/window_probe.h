// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stop_token>

#include "engine/api/probe.h"
#include "engine/exec/prompt.h"
#include "engine/exec/runtime.h"
#include "engine/exec/step_probes.h"
#include "engine/state/sequence_state.h"

namespace pal {

// Whether a request fits the model and the prompt. Errors: kInvalidArgument naming the numbers; kUnsupported for raw layers that the backend cannot
// show.
Result<> checkProbes(const ProbeRequest& request, const LayerPlan& plan, const BackendInfo& backend,
                     int64_t promptTokens);

// Bytes of what a window shows: reduced values of all layers, raw ones of `rawLayers`.
[[nodiscard]] uint64_t windowBytes(const ProbeRequest& request, const LayerPlan& plan);

// Memory and helpers that a window is read with.
struct WindowTools {
    const Runtime& runtime;
    Forward& forward;
    MediaCache& media;
    StepProbes& probes;
    int64_t chunkTokens = 512;
};

// Reads the prompt from `state`, which covers at most the first `request.begin` tokens, to `request.end`, and looks at the window on the way.
// `logits` receives those after the window. `progress` is told the tokens read so far. Errors: those of Forward::step.
Result<WindowProbe> probeWindow(const WindowTools& tools, const CheckedPrompt& prompt, SequenceState state,
                                const std::function<void(int64_t)>& progress, const std::stop_token& stop,
                                std::vector<float>& logits);

}  // namespace pal
