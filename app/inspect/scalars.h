// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "app/inspect/words.h"
#include "engine/api/probe.h"

namespace pal::inspect {

// One number per token and layer, or per token, that text can be tinted by and long sessions are binned by.
enum class Scalar : uint8_t {
    // Per layer, over its heads.
    kHalfLife,          // KDA: geometric mean of the heads' median half-lives, tokens
    kWrite,             // KDA: largest effective write of a head
    kBeta,              // KDA: mean write strength
    kStateNorm,         // KDA: root of the sum of squares of the heads' norms, the norm of the whole state
    kGate,              // mean openness of the output gate
    kAttentionEntropy,  // MLA: mean over heads, nats
    kSink,              // MLA: mean attention on the first token
    kRoutingEntropy,    // experts: nats
    // Per token; they belong to layer -1.
    kNextEntropy,  // of the distribution of the next token, nats
    kSurprise,     // most likely next token's negative log probability: how unsure the model was
};
inline constexpr int kScalars = 10;

[[nodiscard]] constexpr bool isOfLayer(Scalar scalar) {
    return scalar < Scalar::kNextEntropy;
}
// "half-life"; as --colour-by takes it.
[[nodiscard]] std::string_view scalarName(Scalar scalar);
// With its unit, in the reader's language: "half-life (tokens)".
[[nodiscard]] std::string scalarTitle(Scalar scalar, const Words& words);
// Whether its values span powers of ten.
[[nodiscard]] bool isLogScalar(Scalar scalar);

// NaN where the layer has no such thing, or the token has no record of it. `layer` is -1 for scalars of a token.
[[nodiscard]] float scalarOf(const TokenProbe& probe, Scalar scalar, int64_t layer);

// ln 2 / -logDecay, at most KdaProbe::kLongestHalfLife: after so many tokens half of what a channel holds is left.
[[nodiscard]] float halfLife(float logDecay);
// Mean, NaN of nothing.
[[nodiscard]] float meanOf(std::span<const float> values);

}  // namespace pal::inspect
