// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <numeric>

#include "app/inspect/memory_source.h"

namespace pal::inspect::test {

// A made-up model in which every axis has another length and every value says where it belongs, so that a view that mixes up axes, layers
// or heads shows a wrong number: 7 layers; KDA in 0, 1, 3, 4 with 5 heads, 6 key and 3 value channels; MLA in 2, 5, 6 with 2 heads; experts
// from layer 1 on, 4 of 11; a depth mix of 1 + layer / 2 sources and the running stream.
struct Uneven {
    static constexpr int64_t kLayers = 7, kKdaHeads = 5, kMlaHeads = 2, kKeys = 6, kValues = 3, kExperts = 11,
                             kChosen = 4;
    static constexpr int64_t kTopKeys = 3;

    static bool isMla(int64_t layer) { return layer == 2 || layer == 5 || layer == 6; }

    // Values that no other place has.
    static float halfLife(int64_t token, int64_t layer, int64_t head, int64_t quantile) {
        return static_cast<float>(token + 1) * std::pow(10.0F, static_cast<float>(layer)) *
               (1 + static_cast<float>(head) * 0.1F) * (1 + static_cast<float>(quantile));
    }
    static float write(int64_t token, int64_t layer, int64_t head) {
        return static_cast<float>(token * 1000 + layer * 100 + head);
    }
    static float beta(int64_t token, int64_t layer, int64_t head) {
        return 0.001F * static_cast<float>(token + layer * 100 + head * 10);
    }
    static float norm(int64_t token, int64_t layer, int64_t head) {
        return static_cast<float>(1 + token + layer * 50 + head);
    }
    static float gate(int64_t token, int64_t layer, int64_t head) {
        return 0.01F * static_cast<float>(token % 10) + 0.1F * static_cast<float>(layer) +
               0.02F * static_cast<float>(head);
    }
    // Attention on region r of n; the row sums to 1, and the largest weight is on region (layer + head + token) % n.
    static std::vector<float> mass(int64_t token, int64_t layer, int64_t head, int64_t regions) {
        std::vector<float> out(static_cast<size_t>(regions), 0.4F / static_cast<float>(regions));
        out[static_cast<size_t>((layer + head + token) % regions)] += 0.6F;
        return out;
    }
    static float sink(int64_t layer, int64_t head, int64_t regions) {
        return 0.1F / static_cast<float>(regions) *
               (static_cast<float>(layer) * 0.1F + 0.5F * static_cast<float>(head));
    }
    static int32_t expert(int64_t token, int64_t layer, int64_t choice) {
        return static_cast<int32_t>((token + 2 * layer + 3 * choice) % kExperts);
    }
    static float expertWeight(int64_t token, int64_t layer, int64_t choice) {
        return 1.0F / static_cast<float>(1 + choice) + 0.001F * static_cast<float>(layer * 10 + token);
    }
    static float mix(int64_t layer, int64_t source, int64_t sources, float tilt) {
        const double sum = static_cast<double>(sources * (sources + 1)) / 2 + tilt;
        return static_cast<float>((static_cast<double>(source + 1) + (source == layer % sources ? tilt : 0)) / sum);
    }

    static GateProbe gates(int64_t token, int64_t layer, int64_t heads) {
        GateProbe out;
        for (int64_t head = 0; head < heads; ++head) {
            out.mean.push_back(gate(token, layer, head));
            out.closed.push_back(0.1F + 0.01F * static_cast<float>(layer * 10 + head));
            out.open.push_back(0.2F - 0.01F * static_cast<float>(head));
        }
        return out;
    }

    static KdaProbe kda(int64_t token, int64_t layer) {
        KdaProbe out;
        for (int64_t head = 0; head < kKdaHeads; ++head) {
            for (int64_t q = 0; q < kProbeQuantiles; ++q) out.halfLife.push_back(halfLife(token, layer, head, q));
            out.beta.push_back(beta(token, layer, head));
            out.write.push_back(write(token, layer, head));
            out.stateNorm.push_back(norm(token, layer, head));
        }
        out.gate = gates(token, layer, kKdaHeads);
        return out;
    }

    static MlaProbe mla(int64_t token, int64_t layer, int64_t regions) {
        MlaProbe out;
        for (int64_t head = 0; head < kMlaHeads; ++head) {
            const auto row = mass(token, layer, head, regions);
            out.mass.insert(out.mass.end(), row.begin(), row.end());
            out.sink.push_back(sink(layer, head, regions));
            out.entropy.push_back(static_cast<float>(layer) + 0.1F * static_cast<float>(head));
        }
        for (int64_t i = 0; i < kTopKeys && i <= token; ++i) {
            out.topKey.push_back((token * 2 + layer + i * 5) % (token + 1));
            out.topMass.push_back(0.3F - 0.05F * static_cast<float>(i));
        }
        out.gate = gates(token, layer, kMlaHeads);
        return out;
    }

    static std::shared_ptr<TokenProbe> token(int64_t position, int64_t regions) {
        auto out = std::make_shared<TokenProbe>();
        out->position = position;
        out->token = static_cast<TokenId>(500 + position);
        for (int64_t layer = 0; layer < kLayers; ++layer) {
            LayerProbe& probe = out->layers.emplace_back();
            if (isMla(layer)) {
                probe.mla = mla(position, layer, regions);
            } else {
                probe.kda = kda(position, layer);
            }
            const int64_t sources = 2 + layer / 2;
            for (int64_t s = 0; s < sources; ++s) {
                probe.mixAttention.push_back(mix(layer, s, sources, 0));
                probe.mixMlp.push_back(mix(layer, s, sources, 1));
            }
            if (layer == 0) continue;
            for (int64_t choice = 0; choice < kChosen; ++choice) {
                probe.routing.expert.push_back(expert(position, layer, choice));
                probe.routing.weight.push_back(expertWeight(position, layer, choice));
            }
            probe.routing.entropy = 0.1F * static_cast<float>(layer) + 0.01F * static_cast<float>(position);
        }
        out->mixOutput = {0.1F, 0.2F, 0.3F, 0.15F, 0.25F};
        out->next = {{static_cast<TokenId>(501 + position), -0.25F}, {7, -2.0F}};
        out->nextEntropy = 0.5F + static_cast<float>(position);
        return out;
    }

    // Regions of 4 tokens each; the third is a picture of 2 rows of 2, of attachment 0; the others pages of attachment 1.
    static std::vector<Region> regions(int64_t count) {
        std::vector<Region> out;
        for (int64_t i = 0; i < count; ++i) {
            Region region;
            region.begin = 4 * i;
            region.end = 4 * i + 4;
            region.kind = i == 0 ? Region::Kind::kMarkup : i == 2 ? Region::Kind::kPicture : Region::Kind::kPage;
            region.name = i == 2 ? "picture" : "page " + std::to_string(i);
            region.attachment = i == 0 ? -1 : i == 2 ? 0 : 1;
            region.page = i == 0 || i == 2 ? 0 : static_cast<int>(i);
            region.gridBegin = region.begin;
            region.rows = region.columns = i == 2 ? 2 : 0;
            out.push_back(region);
        }
        return out;
    }

    static MemorySource::Options options() {
        MemorySource::Options out;
        out.experts = kExperts;
        // Of the branch's tokens, which have their place as id, and of what the model found likely.
        out.names = [](TokenId id) { return (id < 500 ? " t" : "n") + std::to_string(id); };
        return out;
    }
    // Tokens [begin, end) captured live.
    static std::unique_ptr<MemorySource> source(int64_t begin, int64_t end, int64_t regionCount = 6) {
        auto out = std::make_unique<MemorySource>(options());
        out->setRegions({begin, end}, regions(regionCount));
        std::vector<TokenId> ids(static_cast<size_t>(end));
        std::iota(ids.begin(), ids.end(), 0);
        out->setIds(std::move(ids));
        for (int64_t t = begin; t < end; ++t) out->add(token(t, regionCount + 1), Capture::kLive);
        return out;
    }

    // S <- S D (I - b k k^T) + b v k^T, read = S q, token by token: what a KDA layer does with these values.
    static void recur(RawKda& kda, int64_t tokens) {
        std::vector<double> state(kda.stateBefore.begin(), kda.stateBefore.end());
        kda.read.clear();
        for (int64_t t = 0; t < tokens; ++t) {
            for (int64_t h = 0; h < kda.heads; ++h) {
                const auto row = static_cast<size_t>(t * kda.heads + h);
                const float* key = &kda.k[row * static_cast<size_t>(kda.keyDim)];
                const float* query = &kda.q[row * static_cast<size_t>(kda.keyDim)];
                for (int64_t v = 0; v < kda.valueDim; ++v) {
                    double* s = &state[static_cast<size_t>((h * kda.valueDim + v) * kda.keyDim)];
                    double recalled = 0, read = 0;
                    for (int64_t c = 0; c < kda.keyDim; ++c) {
                        s[c] *= std::exp(static_cast<double>(
                            kda.logDecay[row * static_cast<size_t>(kda.keyDim) + static_cast<size_t>(c)]));
                        recalled += s[c] * key[c];
                    }
                    const double value = kda.v[row * static_cast<size_t>(kda.valueDim) + static_cast<size_t>(v)];
                    for (int64_t c = 0; c < kda.keyDim; ++c) {
                        s[c] += kda.beta[row] * (value - recalled) * key[c];
                        read += s[c] * query[c];
                    }
                    kda.read.push_back(static_cast<float>(read));
                }
            }
        }
        kda.stateAfter.assign(state.begin(), state.end());
    }

    // Raw values of one KDA and one MLA layer over [begin, end).
    static std::shared_ptr<WindowProbe> window(int64_t begin, int64_t end) {
        auto out = std::make_shared<WindowProbe>();
        out->begin = begin;
        out->end = end;
        RawLayer& linear = out->raw.emplace_back();
        linear.layer = 3;
        RawKda& kda = linear.kda;
        kda.heads = kKdaHeads;
        kda.keyDim = kKeys;
        kda.valueDim = kValues;
        for (int64_t i = 0; i < kKdaHeads * kValues * kKeys; ++i)
            kda.stateBefore.push_back(0.01F * static_cast<float>(i % 29));
        for (int64_t t = 0; t < end - begin; ++t) {
            for (int64_t h = 0; h < kKdaHeads; ++h) {
                for (int64_t c = 0; c < kKeys; ++c) {
                    kda.logDecay.push_back(logDecay(t, h, c));
                    kda.k.push_back(0.4F * std::sin(static_cast<float>(1 + t + 3 * h + 7 * c)));
                    kda.q.push_back(0.4F * std::cos(static_cast<float>(2 + 5 * t + h + 3 * c)));
                }
                for (int64_t v = 0; v < kValues; ++v) kda.v.push_back(std::sin(static_cast<float>(t + 11 * h + 2 * v)));
                kda.beta.push_back(0.3F + 0.02F * static_cast<float>((t + h) % 20));
            }
        }
        recur(kda, end - begin);
        RawLayer& full = out->raw.emplace_back();
        full.layer = 5;
        full.mla.heads = kMlaHeads;
        for (int64_t t = begin; t < end; ++t)
            for (int64_t h = 0; h < kMlaHeads; ++h)
                for (int64_t key = 0; key < end; ++key) full.mla.attention.push_back(attention(t, h, key));
        for (int64_t t = begin; t < end; ++t) out->tokens.push_back(*token(t, 7));
        return out;
    }
    static float logDecay(int64_t token, int64_t head, int64_t channel) {
        return -0.001F * static_cast<float>(1 + channel + 10 * head + 100 * token);
    }
    // The row of a token sums to 1 over the keys up to it.
    static float attention(int64_t token, int64_t head, int64_t key) {
        if (key > token) return 0;
        const double sum = 0.5 * static_cast<double>((token + 1) * (token + 2)) + 2 * static_cast<double>(head);
        return static_cast<float>((static_cast<double>(key + 1) + (key == 1 ? 2.0 * static_cast<double>(head) : 0)) /
                                  sum);
    }
};

}  // namespace pal::inspect::test
