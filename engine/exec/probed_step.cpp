// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/probed_step.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pal {
namespace {

float entropyOf(const std::vector<float>& weights) {
    double sum = 0;
    for (const float w : weights) sum += w;
    double entropy = 0;
    for (const float w : weights) {
        if (w > 0) entropy -= w / sum * std::log(w / sum);
    }
    return static_cast<float>(entropy);
}

template <typename T>
std::vector<T> copyOf(std::span<const T> values) {
    return {values.begin(), values.end()};
}

}  // namespace

const std::byte* ProbedStep::at(const TensorView& view) const {
    return values_.get() + (static_cast<const std::byte*>(view.data) - layout_->base);
}

// The values of one of the last P tokens; the view has rows of all T or of those P.
template <typename T>
std::span<const T> ProbedStep::row(const TensorView& view, int64_t index) const {
    if (!view.present()) return {};
    const int64_t at = view.dim(0) - layout_->probed + index;
    if (at < 0) return {};
    return {reinterpret_cast<const T*>(this->at(view)) + at * view.stride[0], static_cast<size_t>(view.stride[0])};
}

GateProbe ProbedStep::gateOf(const TensorView& openness, int64_t index) const {
    GateProbe gate;
    const std::span<const float> values = row<float>(openness, index);
    const size_t heads = values.size() / kOpennessValues;
    for (auto* list : {&gate.mean, &gate.closed, &gate.open}) list->resize(heads);
    for (size_t head = 0; head < heads; ++head) {
        const float* at = values.data() + head * kOpennessValues;
        gate.mean[head] = at[0];
        gate.closed[head] = at[1];
        gate.open[head] = at[2];
    }
    return gate;
}

LayerProbe ProbedStep::layerOf(const LayerProbeViews& views, int64_t index) const {
    const auto floats = [&](const TensorView& view) { return copyOf(row<float>(view, index)); };
    LayerProbe out;
    out.mixAttention = floats(views.mixAttention);
    out.mixMlp = floats(views.mixMlp);
    const bool kda = views.beta.present();
    if (kda) {
        out.kda = {floats(views.halfLife), floats(views.beta), floats(views.rule.write), floats(views.rule.stateNorm),
                   gateOf(views.openness, index)};
    } else {
        out.mla.mass = floats(views.attention.mass);
        out.mla.sink = floats(views.attention.sink);
        out.mla.entropy = floats(views.attention.entropy);
        const std::span<const int32_t> keys = row<int32_t>(views.attention.topKey, index);
        const auto none = std::find(keys.begin(), keys.end(), -1);  // behind the last row
        out.mla.topKey.assign(keys.begin(), none);
        out.mla.topMass = copyOf(row<float>(views.attention.topMass, index).first(out.mla.topKey.size()));
        out.mla.gate = gateOf(views.openness, index);
    }
    out.routing.expert = copyOf(row<int32_t>(views.expert, index));
    out.routing.weight = floats(views.weight);
    out.routing.entropy = entropyOf(out.routing.weight);
    return out;
}

void ProbedStep::addTo(TokenProbe& probe, int64_t index) const {
    probe.layers.reserve(layout_->layers.size());
    for (const LayerProbeViews& views : layout_->layers) probe.layers.push_back(layerOf(views, index));
    probe.mixOutput = copyOf(row<float>(layout_->mixOutput, index));
}

std::span<const float> ProbedStep::attentionRow(int64_t layer, int64_t index, int64_t head) const {
    const TensorView& rows = layout_->layers[static_cast<size_t>(layer)].attention.rows;
    if (!rows.present()) return {};
    const auto* first = reinterpret_cast<const float*>(at(rows));
    return {first + index * rows.stride[0] + head * rows.stride[1], static_cast<size_t>(rows.dim(2))};
}

TokenProbe makeProbe(UnmadeProbe probe) {
    if (probe.step) probe.step->addTo(probe.rest, 0);
    return std::move(probe.rest);
}

}  // namespace pal
