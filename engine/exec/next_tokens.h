// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "engine/api/probe.h"

namespace pal {

// Sums over logits x, of which `top` is the largest: of e^(x - top), and of e^(x - top) (x - top). Relative error 1e-6 at most.
struct LogitSums {
    float top = 0;
    double plain = 0;
    double weighted = 0;
};
// Of at least one logit; all finite.
[[nodiscard]] LogitSums sumLogits(std::span<const float> logits);

// The most likely tokens (kNextTokens of them) and the entropy of the distribution that finite `logits` [vocabulary] give, at temperature 1. Nothing
// for no logits.
inline constexpr int64_t kNextTokens = 5;
void describeNext(std::span<const float> logits, TokenProbe& probe);

}  // namespace pal
