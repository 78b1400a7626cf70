// SPDX-License-Identifier: Apache-2.0
#include "engine/exec/step_probes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/exec/workspace.h"

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

float entropyOf(const std::vector<float>& weights) {
    double sum = 0;
    for (const float w : weights) sum += w;
    double entropy = 0;
    for (const float w : weights) {
        if (w > 0) entropy -= w / sum * std::log(w / sum);
    }
    return static_cast<float>(entropy);
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
    Carver measure(nullptr);
    static_cast<void>(place(measure, mixOutput_));
    if (memory_.size() < measure.used()) {
        memory_.reset();
        memory_ = backend_.allocate(measure.used());
    }
    if (memory_.data() == nullptr) {
        shape_ = {.tokens = 0};
        return fail(ErrorCode::kOutOfMemory, "a look at {} tokens needs {} bytes", shape.probed, measure.used());
    }
    Carver memory(memory_.data());
    layers_ = place(memory, mixOutput_);
    used_ = memory.used();
    return {};
}

// The values of one of the last P tokens; the view has rows of all T or of those P.
std::vector<float> StepProbes::row(const TensorView& view, int64_t token) const {
    if (!view.present()) return {};
    const int64_t index = view.dim(0) - shape_.probed + token;
    std::vector<float> out(static_cast<size_t>(view.stride[0]));
    if (index < 0) return {};
    const auto offset =
        static_cast<size_t>(static_cast<std::byte*>(view.data) - static_cast<std::byte*>(memory_.data()));
    std::memcpy(out.data(), host_.data() + offset + static_cast<size_t>(index) * out.size() * sizeof(float),
                out.size() * sizeof(float));
    return out;
}

GateProbe StepProbes::gateOf(const TensorView& openness, int64_t token) const {
    GateProbe gate;
    const std::vector<float> values = row(openness, token);
    for (size_t i = 0; i < values.size(); i += kOpennessValues) {
        gate.mean.push_back(values[i]);
        gate.closed.push_back(values[i + 1]);
        gate.open.push_back(values[i + 2]);
    }
    return gate;
}

LayerProbe StepProbes::layerOf(const LayerProbeViews& views, int64_t token) const {
    const auto integers = [&](const TensorView& view) {
        const std::vector<float> bits = row(view, token);
        std::vector<int32_t> out(bits.size());
        std::transform(bits.begin(), bits.end(), out.begin(), [](float v) { return std::bit_cast<int32_t>(v); });
        return out;
    };
    LayerProbe out;
    out.mixAttention = row(views.mixAttention, token);
    out.mixMlp = row(views.mixMlp, token);
    const bool kda = views.beta.present();
    if (kda) {
        out.kda = {row(views.halfLife, token), row(views.beta, token), row(views.rule.write, token),
                   row(views.rule.stateNorm, token), gateOf(views.openness, token)};
    } else {
        out.mla.mass = row(views.attention.mass, token);
        out.mla.sink = row(views.attention.sink, token);
        out.mla.entropy = row(views.attention.entropy, token);
        out.mla.topMass = row(views.attention.topMass, token);
        for (const int32_t key : integers(views.attention.topKey)) {
            if (key >= 0) out.mla.topKey.push_back(key);
        }
        out.mla.topMass.resize(out.mla.topKey.size());
        out.mla.gate = gateOf(views.openness, token);
    }
    out.routing.expert = integers(views.expert);
    out.routing.weight = row(views.weight, token);
    out.routing.entropy = entropyOf(out.routing.weight);
    return out;
}

std::vector<TokenProbe> StepProbes::take() {
    host_.resize(used_);
    backend_.download(host_, memory_.data());
    std::vector<TokenProbe> out(static_cast<size_t>(shape_.probed));
    for (int64_t token = 0; token < shape_.probed; ++token) {
        TokenProbe& probe = out[static_cast<size_t>(token)];
        for (const LayerProbeViews& views : layers_) probe.layers.push_back(layerOf(views, token));
        probe.mixOutput = row(mixOutput_, token);
    }
    return out;
}

std::span<const float> StepProbes::attentionRow(int64_t layer, int64_t token, int64_t head) const {
    const TensorView& rows = layers_[static_cast<size_t>(layer)].attention.rows;
    if (!rows.present()) return {};
    const auto offset =
        static_cast<size_t>(static_cast<std::byte*>(rows.data) - static_cast<std::byte*>(memory_.data()));
    const auto* first = reinterpret_cast<const float*>(host_.data() + offset);
    return {first + token * rows.stride[0] + head * rows.stride[1], static_cast<size_t>(rows.dim(2))};
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
