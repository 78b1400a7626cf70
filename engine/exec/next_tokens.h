// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "engine/api/probe.h"
#include "kernels/api/logit_digest.h"

namespace pal {

// The most likely tokens (kNextTokens of them, of equal ones the earlier) and the entropy of the distribution that `logits` [vocabulary] give, at
// temperature 1; errors of log probabilities and entropy are below 1e-6 of the largest of them. `digest` is that of the logits at any temperature with its
// `moments`, or one of them is empty: then both are made. Nothing for no logits, or where one is not finite.
inline constexpr int64_t kNextTokens = 5;
void describeNext(std::span<const float> logits, std::span<const LogitBlock> digest, std::span<const float> moments,
                  TokenProbe& probe);

}  // namespace pal
