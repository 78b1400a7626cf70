// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/api/probe.h"

namespace pal::test {

// Layers like those of a model: 'k' a KDA, 'm' an MLA layer.
struct ProbeModel {
    std::string layers;
    int64_t kdaHeads = 2;
    int64_t mlaHeads = 3;
    int64_t regions = 5;
    int64_t seenRegions = 5;  // that a head looks at
    int64_t topKeys = 4;
    int64_t expertsPerToken = 2;  // in all layers but the first
    int64_t experts = 16;
    bool mlaGate = true;
    bool depthMix = true;
};

// Seeded values of the ranges that probes have.
class ProbeValues {
  public:
    explicit ProbeValues(uint32_t seed) : engine_(seed) {}
    float uniform() { return std::uniform_real_distribution<float>(0.0F, 1.0F)(engine_); }
    int64_t below(int64_t end) { return static_cast<int64_t>(engine_()) % end; }
    std::vector<float> shares(int64_t count) {
        std::vector<float> out(static_cast<size_t>(count));
        for (float& x : out) x = uniform();
        return out;
    }
    // Over `decades` powers of ten.
    std::vector<float> sizes(int64_t count, float decades) {
        std::vector<float> out = shares(count);
        for (float& x : out) x = std::pow(10.0F, decades * (x - 0.3F));
        return out;
    }
    std::vector<float> distribution(int64_t count) {
        std::vector<float> out = shares(count);
        float sum = 0;
        for (const float x : out) sum += x;
        for (float& x : out) x /= sum;
        return out;
    }
    GateProbe gate(int64_t heads) { return {shares(heads), shares(heads), shares(heads)}; }

  private:
    std::mt19937 engine_;
};

inline MlaProbe randomMla(const ProbeModel& model, int64_t position, ProbeValues& values) {
    const int64_t h = model.mlaHeads;
    MlaProbe out;
    out.sink = values.shares(h);
    out.entropy = values.sizes(h, 1);
    out.mass.assign(static_cast<size_t>(h * model.regions), 0.0F);
    for (int64_t head = 0; head < h; ++head) {
        const std::vector<float> mass = values.distribution(model.seenRegions);
        for (int64_t r = 0; r < model.seenRegions; ++r) {
            const int64_t region = (r * model.regions / model.seenRegions + head) % model.regions;
            out.mass[static_cast<size_t>(head * model.regions + region)] = mass[static_cast<size_t>(r)];
        }
    }
    for (int64_t k = 0; k < model.topKeys; ++k) out.topKey.push_back(values.below(position + 1));
    out.topMass = values.shares(model.topKeys);
    if (model.mlaGate) out.gate = values.gate(h);
    return out;
}

// What a token of such a model may have shown; the same for the same seed. Masses of a head sum to 1.
inline TokenProbe randomProbe(const ProbeModel& model, int64_t position, uint32_t seed) {
    ProbeValues values(seed * 7919U + static_cast<uint32_t>(position));
    TokenProbe out;
    out.position = position;
    out.token = static_cast<TokenId>(values.below(160000));
    for (size_t i = 0; i < model.layers.size(); ++i) {
        LayerProbe layer;
        if (model.depthMix && i > 0) layer.mixAttention = values.distribution(3);
        if (model.depthMix) layer.mixMlp = values.distribution(4);
        if (model.layers[i] == 'k') {
            const int64_t h = model.kdaHeads;
            layer.kda = {values.sizes(h * kProbeQuantiles, 9), values.shares(h), values.sizes(h, 3), values.sizes(h, 4),
                         values.gate(h)};
        } else {
            layer.mla = randomMla(model, position, values);
        }
        if (i > 0) {
            for (int64_t k = 0; k < model.expertsPerToken; ++k)
                layer.routing.expert.push_back(static_cast<int32_t>(values.below(model.experts)));
            layer.routing.weight = values.sizes(model.expertsPerToken, 2);
            layer.routing.entropy = model.expertsPerToken > 0 ? values.uniform() : 0;
        }
        out.layers.push_back(std::move(layer));
    }
    if (model.depthMix) out.mixOutput = values.distribution(4);
    for (int64_t i = 0; i < 5; ++i)
        out.next.push_back({static_cast<TokenId>(values.below(160000)), -static_cast<float>(i) - values.uniform()});
    out.nextEntropy = 3 * values.uniform();
    return out;
}

}  // namespace pal::test
