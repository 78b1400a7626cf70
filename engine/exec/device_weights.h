// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "engine/api/load_watch.h"
#include "engine/base/result.h"
#include "engine/model/weight_binding.h"
#include "kernels/api/backend.h"

namespace pal {

// The weights of a model where the ops of one backend can read them, in the same places of the graph as in BoundModel.
// Borrows from the model and the backend, which must outlive it.
struct DeviceWeights {
    const LayerPlan* plan = nullptr;
    WeightView embedding;
    std::vector<BoundLayer> layers;
    std::span<const float> outputQuery;
    std::span<const float> finalNorm;
    WeightView head;
    std::optional<BoundVision> vision;

    [[nodiscard]] const TextConfig& text() const { return plan->config.text; }
};

// `expertsInRam` says for each layer with experts whether these stay in RAM (GpuPlan::inRam); missing ones do not. Errors: kOutOfMemory when the device
// or RAM has no room; kCancelled.
Result<DeviceWeights> importWeights(const BoundModel& model, Backend& backend, const LoadWatch& watch = {},
                                    const std::vector<bool>& expertsInRam = {});

// Calls `each` with every WeightView of an attention or feed-forward block, absent ones too.
template <typename Each>
void forEachMatrix(BoundKda& kda, const Each& each) {
    for (WeightView* w : {&kda.q, &kda.k, &kda.v, &kda.decayDown, &kda.decayUp, &kda.beta, &kda.gate, &kda.gateDown,
                          &kda.gateUp, &kda.output}) {
        each(*w);
    }
}
template <typename Each>
void forEachMatrix(BoundMla& mla, const Each& each) {
    for (WeightView* w : {&mla.queryDown, &mla.query, &mla.latentDown, &mla.keyValueUp, &mla.gate, &mla.output}) {
        each(*w);
    }
}
template <typename Each>
void forEachMatrix(BoundMlp& mlp, const Each& each) {
    for (WeightView* w : {&mlp.gate, &mlp.up, &mlp.down}) each(*w);
}
template <typename Each>
void forEachExpertMatrix(BoundMixture& moe, const Each& each) {
    for (ExpertWeights& expert : moe.experts) {
        for (WeightView* w : {&expert.gate, &expert.up, &expert.down}) each(*w);
    }
}
// All but the experts, and but the router, which is a part of its own in measurements.
template <typename Each>
void forEachSharedMatrix(BoundMixture& moe, const Each& each) {
    each(moe.latentDown);
    each(moe.latentUp);
    if (moe.shared) forEachMatrix(*moe.shared, each);
}

}  // namespace pal
