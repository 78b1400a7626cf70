// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/probe_source.h"

#include <algorithm>

namespace pal::inspect {

ProbeShape shapeOf(const TokenProbe& probe, int64_t experts) {
    ProbeShape out;
    out.experts = experts;
    for (const LayerProbe& layer : probe.layers) {
        LayerShape& shape = out.layers.emplace_back();
        shape.kda = !layer.kda.beta.empty();
        shape.mla = !layer.mla.sink.empty();
        shape.heads = static_cast<int64_t>(shape.kda ? layer.kda.beta.size() : layer.mla.sink.size());
        shape.chosen = static_cast<int64_t>(layer.routing.expert.size());
        shape.sources = static_cast<int64_t>(std::max(layer.mixAttention.size(), layer.mixMlp.size()));
    }
    return out;
}

TokenNumber numberOf(const TokenProbe& probe, Scalar scalar, int64_t layer) {
    TokenNumber out;
    out.record = probe.layers.empty() ? TokenNumber::Record::kToken : TokenNumber::Record::kLayers;
    out.value = scalarOf(probe, scalar, layer);
    out.nextCount = static_cast<uint8_t>(std::min(probe.next.size(), TokenNumber::kMostNext));
    std::copy_n(probe.next.begin(), out.nextCount, out.next.begin());
    return out;
}

const RawLayer* rawLayer(const WindowProbe* window, int64_t layer) {
    if (window == nullptr) return nullptr;
    for (const RawLayer& raw : window->raw)
        if (raw.layer == layer) return &raw;
    return nullptr;
}

}  // namespace pal::inspect
