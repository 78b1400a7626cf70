// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "engine/exec/forward_tap.h"
#include "engine/exec/step_probes.h"
#include "engine/exec/workspace.h"
#include "engine/model/weight_binding.h"
#include "engine/state/sequence_state.h"
#include "kernels/api/backend.h"

namespace pal {

// What all parts of one step share.
struct StepContext {
    Backend& backend;
    const TextConfig& config;
    DType activation = DType::kF32;
    int64_t tokens = 0;                  // T
    ForwardTap* tap = nullptr;           // borrowed, may be null
    const StepProbes* probes = nullptr;  // likewise; prepared for this step

    [[nodiscard]] bool tapped() const { return tap != nullptr; }
    [[nodiscard]] bool tapped(int64_t layer) const { return tap != nullptr && (layer < 0 || tap->wants(layer)); }
    void show(TapPoint point, int64_t layer, const ConstTensorView& values) const {
        if (tapped(layer)) tap->tensor(point, layer, values);
    }
};

// Where a sublayer reads its normed input [T, H] and how it puts its result into the running stream [T, H].
struct SublayerIo {
    int64_t layer = 0;  // of the model, for the tap
    ConstTensorView input;
    TensorView stream;
    LinearPart::Write write = LinearPart::Write::kAdd;
};

// The sublayers. Each takes its temporary tensors from its own copy of `memory`; `bytes` functions say how much that is.
// `index` counts KDA or MLA layers separately. The state has room for the step's tokens.

void runKda(const StepContext& step, const BoundKda& weights, int64_t index, SequenceState& state, const SublayerIo& io,
            Carver memory);
void runMla(const StepContext& step, const BoundMla& weights, int64_t index, SequenceState& state, const SublayerIo& io,
            Carver memory);
void runMlp(const StepContext& step, const BoundMlp& weights, const SublayerIo& io, Carver memory);
void runMixture(const StepContext& step, const BoundMixture& weights, const SublayerIo& io, Carver memory);

// Memory of the most demanding sublayer, in bytes from the start of `memory`'s block. `past` tokens came before the step.
size_t sublayerBytes(const StepContext& step, const LayerPlan& plan, int64_t past, Carver memory);

}  // namespace pal
