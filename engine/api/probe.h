// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "engine/api/tokenizer.h"

// What can be seen of a model at work. Values are reduced where they are made; looking changes no logit, bit for bit. T tokens, h heads of
// the layer, K key and V value channels per head. Arrays are row-major and flat, their shapes stand beside them.

namespace pal {

enum class ProbeLevel : uint8_t {
    kOff,
    kSummary,  // of the prompt's last token and of every token that the model draws and reads: the reduced values of all layers
    kWindow,  // of the prompt's tokens [begin, end) too, which are computed again from the nearest checkpoint if need be
    kFull,    // as kWindow, and of the layers `rawLayers` the raw values over the window
};

struct ProbeRequest {
    ProbeLevel level = ProbeLevel::kOff;
    // Attention mass is summed per region: tokens [0, regionEnds[0]), [regionEnds[0], regionEnds[1]), ...; ascending, at most kMostRegions.
    // What lies behind the last end is one more region. Pages, files, frames and turns are the caller's regions.
    std::vector<int64_t> regionEnds{};
    int64_t topKeys = 32;              // per MLA layer and token: the positions with the most mass, averaged over heads
    int64_t begin = 0, end = 0;        // of kWindow and kFull, in tokens of the prompt
    std::vector<int64_t> rawLayers{};  // of kFull
    uint64_t rawBytes =
        256ULL << 20;  // a window fails with both numbers, before computing, when its values would take more

    static constexpr int64_t kMostRegions = 2000;
};

// Five points of a distribution: the 0.1, 0.25, 0.5, 0.75 and 0.9 quantiles, nearest rank.
inline constexpr int64_t kProbeQuantiles = 5;

struct GateProbe {
    std::vector<float> mean;    // [h] of sigmoid(gate) over the head's V channels
    std::vector<float> closed;  // [h] share of them below 0.1
    std::vector<float> open;    // [h] share of them above 0.9
};

struct KdaProbe {
    std::vector<float>
        halfLife;  // [h, kProbeQuantiles] over K channels, in tokens: ln 2 / -logDecay; at most kLongestHalfLife
    std::vector<float> beta;       // [h] write strength in (0, 1)
    std::vector<float> write;      // [h] effective write: beta * |v - S k|, S decayed and not yet written
    std::vector<float> stateNorm;  // [h] Frobenius norm of S after the token
    GateProbe gate;

    static constexpr float kLongestHalfLife = 1e9F;
};

struct MlaProbe {
    std::vector<float> mass;      // [h, regions] attention per region, each row sums to 1
    std::vector<float> sink;      // [h] of it, on the sequence's first token
    std::vector<float> entropy;   // [h] in nats
    std::vector<int64_t> topKey;  // [<= topKeys] positions, most mass first
    std::vector<float> topMass;   // of each, mean over heads
    GateProbe gate;               // empty where the model has none
};

struct RoutingProbe {
    std::vector<int32_t> expert;  // [k] best first
    std::vector<float> weight;    // [k] as the experts' outputs are scaled
    float entropy = 0;            // in nats, of the weights made to sum to 1
};

// A list is empty, too, where the device does not tell (effective writes and attention of a step of many tokens on a GPU).
struct LayerProbe {
    std::vector<float>
        mixAttention;  // [sources] weights of the depth mix before attention, oldest snapshot first, the running stream
                       // last; empty where nothing is mixed
    std::vector<float> mixMlp;  // as mixAttention, before the feed-forward part
    KdaProbe kda;               // of a KDA layer, else empty
    MlaProbe mla;               // of an MLA layer, else empty
    RoutingProbe routing;       // of a layer with experts, else empty
};

struct TokenAlternative {
    TokenId token = 0;
    float logProbability = 0;  // natural log, temperature 1
};

// What reading one token did. `position` is the token's own; what follows from it are the logits of position + 1.
struct TokenProbe {
    int64_t position = 0;
    TokenId token = 0;
    std::vector<LayerProbe>
        layers;  // of all layers; empty where the token was not read but its state and logits were at hand
    std::vector<float> mixOutput;        // [sources] of the mix before the head; empty where no logits were made
    std::vector<TokenAlternative> next;  // the likeliest next tokens; empty without logits, or where one is not finite
    float nextEntropy = 0;               // in nats, of the whole distribution; 0 and no number where `next` is empty
};

// Raw values of one layer over a window of T tokens.
struct RawKda {
    int64_t heads = 0, keyDim = 0, valueDim = 0;
    std::vector<float> stateBefore;  // [h, V, K] before the window's first token
    std::vector<float> stateAfter;   // [h, V, K] after its last
    std::vector<float> q, k;         // [T, h, K] as the recurrence takes them: normalised, q scaled by K^-0.5
    std::vector<float> v;            // [T, h, V]
    std::vector<float> logDecay;     // [T, h, K] natural log
    std::vector<float> beta;         // [T, h]
    std::vector<float> read;         // [T, h, V] S^T q, before the output norm
    std::vector<float> gate;         // [T, h, V] after the sigmoid
};
struct RawMla {
    int64_t heads = 0;
    std::vector<float>
        attention;  // [T, h, end] over the positions [0, end) of the window's end; 0 behind a token's own
};
struct RawLayer {
    int64_t layer = 0;
    RawKda kda;  // of a KDA layer, else empty
    RawMla mla;  // of an MLA layer, else empty
};

// What a window showed. `maxLogitDifference`: largest difference of the recomputed logits after the window from those that were there
// before, where both are known; -1 otherwise.
struct WindowProbe {
    int64_t begin = 0, end = 0;
    std::vector<TokenProbe> tokens;
    std::vector<RawLayer> raw;
    float maxLogitDifference = -1;
};

}  // namespace pal
