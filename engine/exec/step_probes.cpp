// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/step_probes.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/exec/workspace.h"
#include "engine/state/device_room.h"

namespace pal {
namespace {

static_assert(kProbeQuantiles == std::tuple_size_v<decltype(kProbePercents)>);
static_assert(KdaProbe::kLongestHalfLife == kLongestProbeHalfLife);

// Where a layer's depth mixes find their sources: snapshots and the running stream; a single source is not mixed.
int64_t attentionSources(const PlannedLayer& layer) {
    return layer.snapshotsBefore + 1;
}
int64_t mlpSources(const PlannedLayer& layer) {
    return layer.snapshotsBefore + (layer.commitsSnapshot ? 1 : 0) + 1;
}

}  // namespace

std::vector<LayerProbeViews> StepProbes::place(Carver& memory, TensorView& mixOutput) const {
    const TextConfig& c = plan_.config.text;
    const ProbeSupport support = backend_.info().probes;
    const auto& [t, p, logitRows, ends, topKeys, past, rawLayers] = shape_;
    const auto mix = [&](int64_t rows, int64_t sources) {
        return sources > 1 ? memory.take(DType::kF32, {rows, sources}) : TensorView();
    };
    std::vector<LayerProbeViews> out;
    for (const PlannedLayer& layer : plan_.layers) {
        LayerProbeViews v;
        v.mixAttention = mix(t, attentionSources(layer));
        v.mixMlp = mix(t, mlpSources(layer));
        const bool kda = layer.attention == AttentionKind::kKda;
        const int64_t heads = kda ? c.kda.heads : c.mla.heads;
        if (support.openness && (kda || c.mla.outputGate))
            v.openness = memory.take(DType::kF32, {p, heads, kOpennessValues});
        if (kda) {
            v.beta = memory.take(DType::kF32, {t, heads});
            if (support.halfLife) v.halfLife = memory.take(DType::kF32, {p, heads, kProbeQuantiles});
            if (t <= support.ruleTokens)
                v.rule = {memory.take(DType::kF32, {p, heads}), memory.take(DType::kF32, {p, heads})};
        } else if (t <= support.attentionTokens) {
            v.attention.regionEnds = ends;
            v.attention.mass = memory.take(DType::kF32, {p, heads, std::ssize(ends) + 1});
            v.attention.sink = memory.take(DType::kF32, {p, heads});
            v.attention.entropy = memory.take(DType::kF32, {p, heads});
            v.attention.topKey = memory.take(DType::kI32, {p, topKeys});
            v.attention.topMass = memory.take(DType::kF32, {p, topKeys});
            if (std::count(rawLayers.begin(), rawLayers.end(), std::ssize(out)) > 0)
                v.attention.rows = memory.take(DType::kF32, {p, heads, past + t});
        }
        if (layer.feedForward == FeedForwardKind::kMixture) {
            v.expert = memory.take(DType::kI32, {t, c.moe->expertsPerToken});
            v.weight = memory.take(DType::kF32, {t, c.moe->expertsPerToken});
        }
        out.push_back(std::move(v));
    }
    mixOutput = mix(logitRows, plan_.snapshots + 1);
    return out;
}

Result<> StepProbes::prepare(const Shape& shape) {
    if (shape == shape_) return {};
    shape_ = shape;
    TensorView mixOutput;
    Carver measure(nullptr);
    static_cast<void>(place(measure, mixOutput));
    if (memory_.size() < measure.used()) {
        memory_.reset();
        memory_ = backend_.allocate(measure.used());
    }
    if (host_.size() < measure.used()) {
        host_.reset();
        host_ = backend_.allocateHost(measure.used());
    }
    if (memory_.data() == nullptr || host_.data() == nullptr) {
        shape_ = {.tokens = 0};
        return noRoom(backend_, fmt::format("a look at {} tokens", shape.probed), measure.used());
    }
    Carver memory(memory_.data());
    auto layout = std::make_shared<ProbeLayout>();
    layout->layers = place(memory, layout->mixOutput);
    layout->probed = shape.probed;
    layout->base = static_cast<const std::byte*>(memory_.data());
    layout->bytes = memory.used();
    layout_ = std::move(layout);
    return {};
}

void StepProbes::fetch() const {
    backend_.fetch({static_cast<std::byte*>(host_.data()), layout_->bytes}, memory_.data());
}

ProbedStep StepProbes::take() const {
    auto values = std::make_shared_for_overwrite<std::byte[]>(layout_->bytes);
    std::memcpy(values.get(), host_.data(), layout_->bytes);
    return {layout_, std::move(values)};
}

uint64_t probeBytesPerToken(const LayerPlan& plan, const ProbeRequest& request) {
    const TextConfig& c = plan.config.text;
    int64_t floats = plan.snapshots + 1;
    for (const PlannedLayer& layer : plan.layers) {
        floats += attentionSources(layer) + mlpSources(layer);
        floats += layer.attention == AttentionKind::kKda
                      ? c.kda.heads * (kProbeQuantiles + 3 + kOpennessValues)
                      : c.mla.heads * (std::ssize(request.regionEnds) + 3 + kOpennessValues) + 3 * request.topKeys;
        if (layer.feedForward == FeedForwardKind::kMixture) floats += 2 * c.moe->expertsPerToken;
    }
    return static_cast<uint64_t>(floats) * sizeof(float);
}

}  // namespace pal
