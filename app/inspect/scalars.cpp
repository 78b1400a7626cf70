// SPDX-License-Identifier: Apache-2.0
#include "app/inspect/scalars.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace pal::inspect {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

float medianHalfLife(const KdaProbe& kda) {
    double sum = 0;
    size_t heads = 0;
    for (size_t at = kProbeQuantiles / 2; at < kda.halfLife.size(); at += kProbeQuantiles, ++heads)
        sum += std::log(static_cast<double>(kda.halfLife[at]));
    return heads == 0 ? kNone : static_cast<float>(std::exp(sum / static_cast<double>(heads)));
}

float largest(std::span<const float> values) {
    return values.empty() ? kNone : *std::max_element(values.begin(), values.end());
}

float wholeNorm(std::span<const float> norms) {
    if (norms.empty()) return kNone;
    double sum = 0;
    for (const float norm : norms) sum += static_cast<double>(norm) * norm;
    return static_cast<float>(std::sqrt(sum));
}

float ofLayer(const LayerProbe& layer, Scalar scalar) {
    switch (scalar) {
        case Scalar::kHalfLife:
            return medianHalfLife(layer.kda);
        case Scalar::kWrite:
            return largest(layer.kda.write);
        case Scalar::kBeta:
            return meanOf(layer.kda.beta);
        case Scalar::kStateNorm:
            return wholeNorm(layer.kda.stateNorm);
        case Scalar::kGate:
            return meanOf(layer.kda.gate.mean.empty() ? layer.mla.gate.mean : layer.kda.gate.mean);
        case Scalar::kAttentionEntropy:
            return meanOf(layer.mla.entropy);
        case Scalar::kSink:
            return meanOf(layer.mla.sink);
        case Scalar::kRoutingEntropy:
            return layer.routing.expert.empty() ? kNone : layer.routing.entropy;
        case Scalar::kNextEntropy:
        case Scalar::kSurprise:
            break;
    }
    return kNone;
}

}  // namespace

std::string_view scalarName(Scalar scalar) {
    constexpr std::string_view kNames[kScalars] = {
        "half-life",         "write", "beta",         "state-norm",   "gate",
        "attention-entropy", "sink",  "load-entropy", "next-entropy", "surprise"};
    return kNames[static_cast<size_t>(scalar)];
}

std::string scalarTitle(Scalar scalar, const Words& words) {
    switch (scalar) {
        case Scalar::kHalfLife:
            return words.say("half-life (tokens)");
        case Scalar::kWrite:
            return words.say("effective write");
        case Scalar::kBeta:
            return words.say("write strength β");
        case Scalar::kStateNorm:
            return words.say("norm of the state");
        case Scalar::kGate:
            return words.say("output gate");
        case Scalar::kAttentionEntropy:
            return words.say("entropy of attention (nats)");
        case Scalar::kSink:
            return words.say("attention on the first token");
        case Scalar::kRoutingEntropy:
            return words.say("entropy of routing (nats)");
        case Scalar::kNextEntropy:
            return words.say("entropy of the next token (nats)");
        case Scalar::kSurprise:
            return words.say("−log p of the likeliest next token (nats)");
    }
    return {};
}

bool isLogScalar(Scalar scalar) {
    return scalar == Scalar::kHalfLife;
}

float scalarOf(const TokenProbe& probe, Scalar scalar, int64_t layer) {
    if (isOfLayer(scalar)) {
        if (layer < 0 || layer >= std::ssize(probe.layers)) return kNone;
        return ofLayer(probe.layers[static_cast<size_t>(layer)], scalar);
    }
    if (probe.next.empty()) return kNone;
    return scalar == Scalar::kNextEntropy ? probe.nextEntropy : -probe.next.front().logProbability;
}

float halfLife(float logDecay) {
    if (!(logDecay < 0)) return std::isnan(logDecay) ? kNone : KdaProbe::kLongestHalfLife;
    return std::min(static_cast<float>(std::numbers::ln2 / -static_cast<double>(logDecay)), KdaProbe::kLongestHalfLife);
}

float meanOf(std::span<const float> values) {
    if (values.empty()) return kNone;
    return static_cast<float>(std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()));
}

}  // namespace pal::inspect
